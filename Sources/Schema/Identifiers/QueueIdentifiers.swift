/// A message server (SMP) as the agent database knows it: by host and port, as texts. Row of `servers`.
public struct AgentServerID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// Host name, or several separated by commas.
    public let host: String
    /// Port as text.
    public let port: String

    /// The server at a host and a port; whether there is such a row is not asked.
    public init(host: String, port: String) {
        self.host = host
        self.port = port
    }

    /// `host:port`; the host alone when the port is empty.
    public var description: String { port.isEmpty ? host : "\(host):\(port)" }

    /// By host, then by port, as texts.
    public static func < (left: Self, right: Self) -> Bool {
        (left.host, left.port) < (right.host, right.port)
    }
}

/// Where a queue is: its server and its id there.
public struct QueueAddress: Hashable, Sendable, CustomStringConvertible {
    /// The server.
    public let server: AgentServerID
    /// The id at the server: the receiver's for a queue to receive from, the sender's for one to send to, the
    /// notifier's in a notification.
    public let id: QueueID

    /// A queue at a server; whether there is such a row is not asked.
    public init(server: AgentServerID, id: QueueID) {
        self.server = server
        self.id = id
    }

    /// `id at host:port`.
    public var description: String { "\(id) at \(server)" }
}

/// A queue within its connection and direction: `rcv_queue_id` or `snd_queue_id`.
public struct QueueNumber: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// The other side's answer to an invitation: a row of `conn_confirmations`.
public struct ConfirmationID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A request to connect: a row of `conn_invitations`.
public struct InvitationID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// The number one side gives to what it sends on a connection, as the other side sees it.
public struct SenderMessageNumber: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
