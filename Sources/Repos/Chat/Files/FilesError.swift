public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a file. Rule: docs/domain.md, "Files".
public enum FilesError: RuleViolation, Hashable {
    /// The profile has no such file.
    case fileNotFound(FileID)
    /// The profile has no such chat.
    case chatNotFound(FileChat)
    /// The profile has no such chat item.
    case chatItemNotFound(ChatItemID)
    /// The profile has no such member.
    case memberNotFound(GroupMemberID)
    /// The file has no recipient with this connection. When one is added: the profile has no such connection.
    case recipientNotFound(ConnectionID, file: FileID)
    /// The file is sent and the operation is for received files, or the reverse.
    case wrongDirection(FileID, MessageDirection)
    /// A file in its status cannot take this step.
    case invalidFileStep(FileID, from: FileTransferStatus?, to: FileTransferStatus)
    /// The transfer to a recipient cannot take this step in its status.
    case invalidRecipientStep(FileID, ConnectionID, from: FileStatus, to: FileStatus)
    /// The transfer of the file has ended.
    case fileAlreadyEnded(FileID, FileTransferStatus?)
    /// The file is already sent over this connection.
    case duplicateRecipient(ConnectionID, file: FileID)
    /// The part of a description is not the next one; nil when there is none to come.
    case invalidDescriptionPart(FileID, part: Int, expected: Int?)
    /// The name or the size is not valid.
    case invalidFile(String)
    /// No such profile exists.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        case .users(let error): error.storeError
        default: nil
        }
    }
}
