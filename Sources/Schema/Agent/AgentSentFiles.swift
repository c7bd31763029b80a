/// The number of a file that is sent: `snd_files.snd_file_id` of the agent database.
public typealias AgentSentFileID = RowID<AgentSentFile>

/// The number of a row of `snd_file_chunk_replicas`.
public typealias SentReplicaID = RowID<ChunkToUpload>

/// The state of a file that the agent sends.
public enum AgentSentFileStatus: StoredText {
    /// The transfer has not begun.
    case new
    /// The agent encrypts it.
    case encrypting
    /// Its chunks are ready.
    case encrypted
    /// Chunks are to be uploaded.
    case uploading
    /// All chunks are uploaded.
    case complete
    /// The transfer failed.
    case error
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a transfer.
    public static let texts: StoredTexts<AgentSentFileStatus> = [
        .new: "new",
        .encrypting: "encrypting",
        .encrypted: "encrypted",
        .uploading: "uploading",
        .complete: "complete",
        .error: "error",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The state of a chunk's copy on a server.
public enum SentReplicaStatus: StoredText {
    /// The server has reserved a place for it.
    case created
    /// The server has it.
    case uploaded
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a transfer.
    public static let texts: StoredTexts<SentReplicaStatus> = [
        .created: "created",
        .uploaded: "uploaded",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

extension AgentSentFileStatus {
    /// Whether this status may be followed by another: by a later one only. A complete file cannot fail, and
    /// nothing follows a failure. Rule: docs/domain.md, "Agent database", Files.
    public func mayBecome(_ next: AgentSentFileStatus) -> Bool {
        self != .complete && isForward(from: self, to: next, in: Self.known)
    }
}

/// A file that the agent sends or has sent. Rule: docs/domain.md, "Agent database", Files.
public struct AgentSentFile: Sendable, Hashable {
    /// The row's key, `snd_files.snd_file_id`.
    public let id: AgentSentFileID
    /// Its id; `files.agent_snd_file_id` of the chat database.
    public let entityID: AgentFileEntityID
    /// The profile that sends it.
    public let userID: AgentUserID
    /// Its key and nonce.
    public let encryption: FileEncryption
    /// The digest of the encrypted file; nil until encrypted.
    public let digest: SecretBytes?
    /// The file to send.
    public let path: String
    /// The folder for this transfer, or nil.
    public let prefixPath: String?
    /// The number of recipients for whom replicas are made.
    public let recipients: Int
    /// Its state.
    public let status: AgentSentFileStatus
    /// The reason of a failure, or nil.
    public let error: String?
    /// Whether the agent is deleting its replicas at their servers.
    public let isDeleted: Bool

    package init(
        id: AgentSentFileID, entityID: AgentFileEntityID, userID: AgentUserID, encryption: FileEncryption,
        digest: SecretBytes?, path: String, prefixPath: String?, recipients: Int, status: AgentSentFileStatus,
        error: String?, isDeleted: Bool
    ) {
        self.id = id
        self.entityID = entityID
        self.userID = userID
        self.encryption = encryption
        self.digest = digest
        self.path = path
        self.prefixPath = prefixPath
        self.recipients = recipients
        self.status = status
        self.error = error
        self.isDeleted = isDeleted
    }
}

/// A part of an encrypted file to send.
public struct NewSentChunk: Sendable, Hashable {
    /// The offset in the encrypted file, in bytes.
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
    /// The offset of the chunk in the encrypted file, in bytes.
    public let offset: Int64
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

extension CatalogueTable {
    /// Files that are sent (XFTP): files, their chunks, the replicas, and who may receive them.
    static let agentSentFiles: [CatalogueTable] = [
        CatalogueTable(
            "snd_files", "A file that is sent, or was.",
            [
                .public("snd_file_id", "the file's number"),
                .personal("snd_file_entity_id", "the file's id; files.agent_snd_file_id of the chat database"),
                .public("user_id", "the profile that sends it"),
                .personal("path", "the file to send"),
                .personal("prefix_path", "folder for this transfer, or NULL"),
                .public("num_recipients", "for how many recipients replicas are made"),
                .secret("digest", "digest of the encrypted file; NULL until encrypted"),
                .secret("key", "key of the file"),
                .secret("nonce", "nonce of the file's encryption"),
                .state("status", "how far the transfer is", AgentSentFileStatus.self),
                .personal("error", "why the transfer failed, or NULL"),
                .public("deleted", "1 while its replicas are being deleted at their servers"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_file_chunks", "A part of a sent file.",
            [
                .public("snd_file_chunk_id", "the chunk's number"),
                .public("snd_file_id", "the file it is a part of"),
                .public("chunk_no", "its place in the file"),
                .public("chunk_offset", "where it begins in the encrypted file, in bytes"),
                .public("chunk_size", "its size, in bytes"),
                .secret("digest", "its digest"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_file_chunk_replicas", "A copy of a chunk on one server, uploaded or to be.",
            [
                .public("snd_file_chunk_replica_id", "the replica's number"),
                .public("snd_file_chunk_id", "the chunk it is a copy of"),
                .public("replica_number", "which of the chunk's replicas it is"),
                .public("xftp_server_id", "the server it is on"),
                .personal("replica_id", "its id at the server, for the sender"),
                .secret("replica_key", "the sender's key, which authorizes uploading and deleting it"),
                .state("replica_status", "how far it is", SentReplicaStatus.self),
                .public("delay", "how long to wait before the next attempt, in microseconds, or NULL"),
                .public("retries", "how often it was tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_file_chunk_replica_recipients", "One recipient's access to a replica.",
            [
                .public("snd_file_chunk_replica_recipient_id", "the row's number"),
                .public("snd_file_chunk_replica_id", "the replica"),
                .personal("rcv_replica_id", "the replica's id at the server, for this recipient"),
                .secret("rcv_replica_key", "the recipient's key, which authorizes receiving it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
