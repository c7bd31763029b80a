/// A file that is received, or was. Rule: docs/domain.md, "Agent database", Files.
public struct AgentReceivedFile: Sendable, Hashable {
    /// Its number.
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
    /// The folder of the chunks; nil once they are put together.
    public let temporaryPath: String?
    /// Where the decrypted file goes.
    public let savePath: String
    /// How far it is.
    public let status: AgentReceivedFileStatus
    /// Why it failed, or nil.
    public let error: String?
    /// Whether it is given up, until its files are removed.
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

/// A file that is sent, or was. Rule: docs/domain.md, "Agent database", Files.
public struct AgentSentFile: Sendable, Hashable {
    /// Its number.
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
    /// For how many recipients replicas are made.
    public let recipients: Int
    /// How far it is.
    public let status: AgentSentFileStatus
    /// Why it failed, or nil.
    public let error: String?
    /// Whether its replicas are being deleted at their servers.
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

/// What a file is encrypted with.
public struct FileEncryption: Sendable, Hashable {
    /// The key.
    public let key: SecretBytes
    /// The nonce.
    public let nonce: SecretBytes

    /// A key and a nonce.
    public init(key: SecretBytes, nonce: SecretBytes) {
        self.key = key
        self.nonce = nonce
    }
}
