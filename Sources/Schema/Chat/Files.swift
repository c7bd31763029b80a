/// The number of a file that was sent or received: `files.file_id`.
public typealias FileID = RowID<ChatFile>

/// The number of a row of `xftp_file_descriptions`.
public typealias FileDescriptionID = RowID<FileDescription>

/// A file sent or received in a chat. Rule: docs/domain.md, "Files".
public struct ChatFile: Sendable, Hashable {
    /// The row's key, `files.file_id`.
    public let id: FileID
    /// The profile whose file it is.
    public let userID: UserID
    /// The chat it is in; nil for a file without a chat.
    public let chat: FileChat?
    /// The item that shows it; nil before the item exists and after it was deleted.
    public let itemID: ChatItemID?
    /// The name it is shown with.
    public let name: String
    /// The path on this device, or nil.
    public let path: String?
    /// Its size, in bytes.
    public let size: Int64
    /// The size of a chunk, in bytes.
    public let chunkSize: Int64
    /// The way in which it is transferred.
    public let fileProtocol: FileProtocol
    /// Whether the profile sends or receives it.
    public let direction: MessageDirection
    /// The status; nil only in old stores.
    public let status: FileTransferStatus?
    /// Whether either side cancelled the transfer.
    public let isCancelled: Bool
    /// The agent's id of the file, or nil before the agent has it.
    public let agentID: AgentFileEntityID?
    /// Whether the agent has removed it.
    public let isAgentFileDeleted: Bool
    /// The member who sent it, or nil.
    public let sender: GroupMemberID?

    package init(
        id: FileID, userID: UserID, chat: FileChat?, itemID: ChatItemID?, name: String, path: String?, size: Int64,
        chunkSize: Int64, fileProtocol: FileProtocol, direction: MessageDirection, status: FileTransferStatus?,
        isCancelled: Bool, agentID: AgentFileEntityID?, isAgentFileDeleted: Bool, sender: GroupMemberID?
    ) {
        self.id = id
        self.userID = userID
        self.chat = chat
        self.itemID = itemID
        self.name = name
        self.path = path
        self.size = size
        self.chunkSize = chunkSize
        self.fileProtocol = fileProtocol
        self.direction = direction
        self.status = status
        self.isCancelled = isCancelled
        self.agentID = agentID
        self.isAgentFileDeleted = isAgentFileDeleted
        self.sender = sender
    }
}

/// The reception of a file that another person offered. Rule: docs/domain.md, "Files", Steps.
public struct FileReception: Sendable, Hashable {
    /// The file.
    public let fileID: FileID
    /// How far it has come.
    public let status: FileStatus
    /// Whether the user accepted it, so that the app receives it as soon as its description is complete.
    public let isAccepted: Bool
    /// Whether the user agreed to servers that are not the profile's.
    public let allowsUnknownServers: Bool

    package init(fileID: FileID, status: FileStatus, isAccepted: Bool, allowsUnknownServers: Bool) {
        self.fileID = fileID
        self.status = status
        self.isAccepted = isAccepted
        self.allowsUnknownServers = allowsUnknownServers
    }
}

/// The chat a file is in.
public enum FileChat: Sendable, Hashable {
    /// That with a contact.
    case contact(ContactID)
    /// A group or channel.
    case group(GroupID)
    /// The profile's own notes.
    case notes(NoteFolderID)
}

/// A file on its way to one recipient.
public struct FileRecipient: Sendable, Hashable {
    /// The file.
    public let fileID: FileID
    /// The recipient's connection.
    public let connectionID: ConnectionID
    /// The member who receives it; nil for a contact.
    public let memberID: GroupMemberID?
    /// Its state.
    public let status: FileStatus
    /// The description sent to them, or nil.
    public let descriptionID: FileDescriptionID?

    package init(
        fileID: FileID, connectionID: ConnectionID, memberID: GroupMemberID?, status: FileStatus,
        descriptionID: FileDescriptionID?
    ) {
        self.fileID = fileID
        self.connectionID = connectionID
        self.memberID = memberID
        self.status = status
        self.descriptionID = descriptionID
    }
}

/// The description of a file: where its chunks are and how to decrypt them. It has keys: its own text hides them.
public struct FileDescription: Sendable, Hashable, CustomStringConvertible {
    /// The row's key, `xftp_file_descriptions.file_descr_id`.
    public let id: FileDescriptionID
    /// The text so far; secret.
    public let text: String
    /// The number of the last part that has come, from 0.
    public let lastPart: Int
    /// Whether all parts have come.
    public let isComplete: Bool

    package init(id: FileDescriptionID, text: String, lastPart: Int, isComplete: Bool) {
        self.id = id
        self.text = text
        self.lastPart = lastPart
        self.isComplete = isComplete
    }

    /// The number, and how far it has come.
    public var description: String {
        "file description \(id), part \(lastPart)\(isComplete ? ", complete" : "")"
    }
}

/// The encryption key of a file's copy on this device. Its description does not show the bytes.
public struct LocalFileKey: Sendable, Hashable, CustomStringConvertible {
    /// The key.
    public let key: [UInt8]
    /// The nonce.
    public let nonce: [UInt8]

    /// A key and a nonce.
    public init(key: [UInt8], nonce: [UInt8]) {
        self.key = key
        self.nonce = nonce
    }

    /// A constant text: the key stays hidden.
    public var description: String { "a local file key" }
}

extension CatalogueTable {
    /// Files sent and received in chats.
    static let chatFiles: [CatalogueTable] = [
        CatalogueTable(
            "files", "A file sent or received in a chat.",
            [
                .public("file_id", "the file's number"),
                .public("user_id", "the profile whose file it is"),
                .public("contact_id", "the contact in whose chat it is, or NULL"),
                .public("group_id", "the group it is in, or NULL"),
                .public("chat_item_id", "the item that shows it; NULL when the item was removed"),
                .personal("file_name", "the name it is shown with"),
                .personal("file_path", "where it is on this device, or NULL"),
                .personal("file_size", "size in bytes"),
                .public("chunk_size", "size of a chunk, in bytes"),
                .state("protocol", "xftp, smp or local", FileProtocol.self),
                .state("ci_file_status", "how far the transfer has come", FileTransferStatus.self),
                .public("cancelled", "1 when either side has given up"),
                .personal("agent_snd_file_id", "the agent's id of the file when it is sent"),
                .public("agent_snd_file_deleted", "1 when the agent has removed it"),
                .secret("private_snd_file_descr", "the description by which the sender can delete it; has keys"),
                .secret("file_crypto_key", "key of the copy on this device"),
                .secret("file_crypto_nonce", "nonce of the copy on this device"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("note_folder_id", "the notes it is in, or NULL"),
            ]),
        CatalogueTable(
            "snd_files", "A file on its way to one recipient.",
            [
                .public("file_id", "the file"),
                .public("connection_id", "the recipient's connection"),
                .state("file_status", "how far it has come", FileStatus.self),
                .public("group_member_id", "the member who receives it, or NULL"),
                .public("file_descr_id", "the description sent to them, or NULL"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_files", "A file on its way to the profile.",
            [
                .public("file_id", "the file"),
                .state("file_status", "how far it has come", FileStatus.self),
                .public("group_member_id", "the member who sent it, or NULL"),
                .public("file_descr_id", "the description that came with it, or NULL"),
                .personal("agent_rcv_file_id", "the agent's id of the file when it is received"),
                .public("agent_rcv_file_deleted", "1 when the agent has removed it"),
                .public("to_receive", "1 when it shall be received once its description is complete"),
                .public("user_approved_relays", "1 when the user agreed to servers that are not known"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "xftp_file_descriptions", "Where the chunks of a file are, and how to decrypt them.",
            [
                .public("file_descr_id", "the description's number"),
                .public("user_id", "the profile that has it"),
                .secret("file_descr_text", "the description so far; has keys"),
                .public("file_descr_part_no", "number of the last part that has come"),
                .public("file_descr_complete", "1 when all parts have come"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
