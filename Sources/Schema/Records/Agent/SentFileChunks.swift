/// A part of an encrypted file to send.
public struct NewSentChunk: Sendable, Hashable {
    /// Where it begins in the encrypted file, in bytes.
    public let offset: Int64
    /// Its size, in bytes.
    public let size: Int64
    /// Its digest.
    public let digest: SecretBytes

    /// A part of a file.
    public init(offset: Int64, size: Int64, digest: SecretBytes) {
        self.offset = offset
        self.size = size
        self.digest = digest
    }
}

/// A copy of a chunk that is to be uploaded next: its server has a place for it.
public struct ChunkToUpload: Sendable, Hashable {
    /// The replica's number.
    public let id: SentReplicaID
    /// The file.
    public let fileID: AgentSentFileID
    /// The profile that sends the file.
    public let userID: AgentUserID
    /// The chunk's place in the file, from 1.
    public let chunk: Int
    /// Where the chunk begins in the encrypted file, in bytes.
    public let offset: Int64
    /// The chunk's size, in bytes.
    public let size: Int64
    /// The chunk's digest.
    public let digest: SecretBytes
    /// Where it goes.
    public let replica: FileReplica
    /// How long to wait before the next attempt, in microseconds, or nil.
    public let delay: Int64?
    /// How often it was tried again.
    public let retries: Int

    package init(
        id: SentReplicaID, fileID: AgentSentFileID, userID: AgentUserID, chunk: Int, offset: Int64, size: Int64,
        digest: SecretBytes, replica: FileReplica, delay: Int64?, retries: Int
    ) {
        self.id = id
        self.fileID = fileID
        self.userID = userID
        self.chunk = chunk
        self.offset = offset
        self.size = size
        self.digest = digest
        self.replica = replica
        self.delay = delay
        self.retries = retries
    }
}

/// One recipient's access to a replica.
public struct ReplicaRecipient: Sendable, Hashable {
    /// The replica's id for this recipient.
    public let id: FileReplicaID
    /// The recipient's key, which authorizes receiving it.
    public let key: SecretBytes

    /// An access as the server gave it.
    public init(id: FileReplicaID, key: SecretBytes) {
        self.id = id
        self.key = key
    }
}
