/// The number of a file that is received: `rcv_files.rcv_file_id` of the agent database.
public typealias AgentReceivedFileID = RowID<AgentReceivedFile>

/// The number of a row of `rcv_file_chunk_replicas`.
public typealias ReceivedReplicaID = RowID<ChunkToReceive>

/// The state of a file that the agent receives.
public enum AgentReceivedFileStatus: StoredText {
    /// Some chunks are missing.
    case receiving
    /// All chunks are here.
    case received
    /// The agent assembles and decrypts it.
    case decrypting
    /// The file is in its place.
    case complete
    /// The transfer failed.
    case error
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a transfer.
    public static let texts: StoredTexts<AgentReceivedFileStatus> = [
        .receiving: "receiving",
        .received: "received",
        .decrypting: "decrypting",
        .complete: "complete",
        .error: "error",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

extension AgentReceivedFileStatus {
    /// Whether this status may be followed by another: by a later one only. A complete file cannot fail, and
    /// nothing follows a failure. Rule: docs/domain.md, "Agent database", Files.
    public func mayBecome(_ next: AgentReceivedFileStatus) -> Bool {
        self != .complete && isForward(from: self, to: next, in: Self.known)
    }
}

/// A file that the agent receives or has received. Rule: docs/domain.md, "Agent database", Files.
public struct AgentReceivedFile: Sendable, Hashable {
    /// The row's key, `rcv_files.rcv_file_id`.
    public let id: AgentReceivedFileID
    /// Its id; `rcv_files.agent_rcv_file_id` of the chat database.
    public let entityID: AgentFileEntityID
    /// The profile that receives it.
    public let userID: AgentUserID
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
    /// The folder of the chunks; nil once they are assembled.
    public let temporaryPath: String?
    /// The path of the decrypted file.
    public let savePath: String
    /// Its state.
    public let status: AgentReceivedFileStatus
    /// The reason of a failure, or nil.
    public let error: String?
    /// Whether the transfer was cancelled and its files are to be removed.
    public let isDeleted: Bool

    package init(
        id: AgentReceivedFileID, entityID: AgentFileEntityID, userID: AgentUserID, encryption: FileEncryption,
        digest: SecretBytes, size: Int64, chunkSize: Int64, prefixPath: String, temporaryPath: String?,
        savePath: String, status: AgentReceivedFileStatus, error: String?, isDeleted: Bool
    ) {
        self.id = id
        self.entityID = entityID
        self.userID = userID
        self.encryption = encryption
        self.digest = digest
        self.size = size
        self.chunkSize = chunkSize
        self.prefixPath = prefixPath
        self.temporaryPath = temporaryPath
        self.savePath = savePath
        self.status = status
        self.error = error
        self.isDeleted = isDeleted
    }
}

/// A file to receive, as read from its description.
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
    /// The path of the decrypted file.
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
    /// The copies, in the order in which the agent tries them.
    public let replicas: [FileReplica]

    /// A part of a file with its copies.
    public init(size: Int64, digest: SecretBytes, replicas: [FileReplica]) {
        self.size = size
        self.digest = digest
        self.replicas = replicas
    }
}

/// A part of a file that the agent receives. Rule: docs/domain.md, "Agent database", Files.
public struct ReceivedChunk: Sendable, Hashable {
    /// The chunk's place in the file, from 1.
    public let chunk: Int
    /// Its size, in bytes.
    public let size: Int64
    /// Its digest.
    public let digest: SecretBytes
    /// Where it is kept until the file is complete; nil before it was received.
    public let path: String?

    package init(chunk: Int, size: Int64, digest: SecretBytes, path: String?) {
        self.chunk = chunk
        self.size = size
        self.digest = digest
        self.path = path
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
    /// The copy and its server.
    public let replica: FileReplica
    /// The time to wait before the next attempt, in microseconds, or nil.
    public let delay: Int64?
    /// The number of repeated attempts.
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

extension CatalogueTable {
    /// Files that are received (XFTP): files, their chunks, and the replicas of each chunk on servers.
    static let agentReceivedFiles: [CatalogueTable] = [
        CatalogueTable(
            "rcv_files", "A file that is received, or was.",
            [
                .public("rcv_file_id", "the file's number"),
                .personal("rcv_file_entity_id", "the file's id; rcv_files.agent_rcv_file_id of the chat database"),
                .public("user_id", "the profile that receives it"),
                .personal("size", "size of the encrypted file, in bytes"),
                .secret("digest", "digest of the encrypted file"),
                .secret("key", "key of the file"),
                .secret("nonce", "nonce of the file's encryption"),
                .public("chunk_size", "size of a chunk, in bytes"),
                .personal("prefix_path", "folder for this transfer"),
                .personal("tmp_path", "folder of the chunks; NULL once they are put together"),
                .personal("save_path", "the path for the decrypted file"),
                .state("status", "how far the transfer is", AgentReceivedFileStatus.self),
                .personal("error", "why the transfer failed, or NULL"),
                .public("deleted", "1 once the transfer is given up, until its files are removed"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_file_chunks", "A part of a received file.",
            [
                .public("rcv_file_chunk_id", "the chunk's number"),
                .public("rcv_file_id", "the file it is a part of"),
                .public("chunk_no", "its place in the file"),
                .public("chunk_size", "its size, in bytes"),
                .secret("digest", "its digest"),
                .personal("tmp_path", "where it is kept until the file is complete; NULL until received"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_file_chunk_replicas", "A copy of a chunk on one server, from which it can be received.",
            [
                .public("rcv_file_chunk_replica_id", "the replica's number"),
                .public("rcv_file_chunk_id", "the chunk it is a copy of"),
                .public("replica_number", "in which order replicas are tried"),
                .public("xftp_server_id", "the server it is on"),
                .personal("replica_id", "its id at the server"),
                .secret("replica_key", "the key that authorizes receiving it"),
                .public("received", "1 once it is received"),
                .public("delay", "how long to wait before the next attempt, in microseconds, or NULL"),
                .public("retries", "how often it was tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
