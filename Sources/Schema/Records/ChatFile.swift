/// A file sent or received in a chat. Rule: docs/domain.md, "Files".
public struct ChatFile: Sendable, Hashable {
    /// Its number.
    public let id: FileID
    /// The profile whose file it is.
    public let userID: UserID
    /// Where it is; nil for a file that is in no chat.
    public let chat: FileChat?
    /// The item that shows it; nil before there is one, and when it is gone.
    public let itemID: ChatItemID?
    /// The name it is shown with.
    public let name: String
    /// Where it is on this device, or nil.
    public let path: String?
    /// Its size, in bytes.
    public let size: Int64
    /// The size of a chunk, in bytes.
    public let chunkSize: Int64
    /// How it travels.
    public let fileProtocol: FileProtocol
    /// Whether the profile sends or receives it.
    public let direction: MessageDirection
    /// How far it is; nil only in old stores.
    public let status: FileTransferStatus?
    /// Whether either side has given up.
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
    /// How far it is.
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
