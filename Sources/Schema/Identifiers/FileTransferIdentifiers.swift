/// A file as the app knows it: `rcv_file_entity_id` or `snd_file_entity_id`.
public struct AgentFileEntityID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A copy of a chunk at its file server: `replica_id`.
public struct FileReplicaID: BytesIdentifier {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; whether there is such a row is not asked.
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A row of `rcv_file_chunk_replicas`.
public struct ReceivedReplicaID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A row of `snd_file_chunk_replicas`.
public struct SentReplicaID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}

/// A file server (XFTP): a row of `xftp_servers`.
public struct FileServerID: Identifier {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; whether there is such a row is not asked.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
