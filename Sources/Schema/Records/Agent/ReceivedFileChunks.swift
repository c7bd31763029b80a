/// A file to receive, as its description tells it.
public struct NewReceivedFile: Sendable, Hashable {
    /// An id of its own, random bytes of the caller.
    public let entityID: AgentFileEntityID
    /// Its key and nonce.
    public let encryption: FileEncryption
    /// The digest of the encrypted file.
    public let digest: SecretBytes
    /// The size of the encrypted file, in bytes.
    public let size: Int64
    /// The size of a chunk, in bytes.
    public let chunkSize: Int64
    /// The folder for this transfer.
    public let prefixPath: String
    /// The folder of the chunks.
    public let temporaryPath: String?
    /// Where the decrypted file goes.
    public let savePath: String
    /// Its chunks, in their order.
    public let chunks: [NewReceivedChunk]

    /// A file to receive.
    public init(
        entityID: AgentFileEntityID, encryption: FileEncryption, digest: SecretBytes, size: Int64, chunkSize: Int64,
        prefixPath: String, temporaryPath: String? = nil, savePath: String, chunks: [NewReceivedChunk]
    ) {
        self.entityID = entityID
        self.encryption = encryption
        self.digest = digest
        self.size = size
        self.chunkSize = chunkSize
        self.prefixPath = prefixPath
        self.temporaryPath = temporaryPath
        self.savePath = savePath
        self.chunks = chunks
    }
}

/// A part of a file to receive.
public struct NewReceivedChunk: Sendable, Hashable {
    /// Its size, in bytes.
    public let size: Int64
    /// Its digest.
    public let digest: SecretBytes
    /// Where it is, in the order in which they are tried.
    public let replicas: [FileReplica]

    /// A part of a file, and where it is.
    public init(size: Int64, digest: SecretBytes, replicas: [FileReplica]) {
        self.size = size
        self.digest = digest
        self.replicas = replicas
    }
}

/// A copy of a chunk that is to be received next.
public struct ChunkToReceive: Sendable, Hashable {
    /// The replica's number.
    public let id: ReceivedReplicaID
    /// The file.
    public let fileID: AgentReceivedFileID
    /// The profile that receives the file.
    public let userID: AgentUserID
    /// The chunk's place in the file, from 1.
    public let chunk: Int
    /// The chunk's size, in bytes.
    public let size: Int64
    /// The chunk's digest.
    public let digest: SecretBytes
    /// Where it is.
    public let replica: FileReplica
    /// How long to wait before the next attempt, in microseconds, or nil.
    public let delay: Int64?
    /// How often it was tried again.
    public let retries: Int

    package init(
        id: ReceivedReplicaID, fileID: AgentReceivedFileID, userID: AgentUserID, chunk: Int, size: Int64,
        digest: SecretBytes, replica: FileReplica, delay: Int64?, retries: Int
    ) {
        self.id = id
        self.fileID = fileID
        self.userID = userID
        self.chunk = chunk
        self.size = size
        self.digest = digest
        self.replica = replica
        self.delay = delay
        self.retries = retries
    }
}
