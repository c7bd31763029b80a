/// A profile as the agent knows it, by number only: a row of `users` in the agent database.
public struct AgentUserID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A message within its connection: the `internal_id` of a row of `messages` in the agent database.
public struct AgentMessageID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A body that several deliveries share: a row of `snd_message_bodies`.
public struct AgentMessageBodyID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A message waiting for one queue: a row of `snd_message_deliveries`.
public struct AgentDeliveryID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// Something the agent still has to do: a row of `commands`.
public struct AgentCommandID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A file going out: a row of `snd_files` in the agent database.
public struct AgentSentFileID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A file coming in: a row of `rcv_files` in the agent database.
public struct AgentReceivedFileID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A connection of the agent: what `connections.agent_conn_id` of the chat database refers to.
///
/// No foreign key joins the two databases, so either side may lack the other.
public struct AgentConnectionID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A queue on its server; unique together with the server's host and port.
public struct QueueID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}
