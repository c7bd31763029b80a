public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on the chats of a profile, their items and messages. Rule: docs/domain.md, "Chat items".
public enum ChatsError: RuleViolation, Hashable {
    /// The profile has no such chat.
    case chatNotFound(ChatID)
    /// The profile, or the chat it was looked for in, has no such item.
    case chatItemNotFound(ChatItemID)
    /// The group has no such member.
    case memberNotFound(GroupMemberID)
    /// The profile has no such message.
    case messageNotFound(MessageID)
    /// The profile has no such delivery of a message.
    case deliveryNotFound(MessageDeliveryID)
    /// The profile has no such connection.
    case connectionNotFound(ConnectionID)
    /// The profile has no such tag.
    case tagNotFound(ChatTagID)
    /// The same message has made an item already.
    case duplicateChatItem(existing: ChatItemID)
    /// A deleted item takes no edits and no reactions.
    case chatItemDeleted(ChatItemID)
    /// The author of a reaction does not fit the kind of chat.
    case wrongReactor(ChatItemID)
    /// Notes have no settings of their own, and only groups have notifications for mentions.
    case noSuchChatSetting(ChatID)
    /// The time after which messages are removed is negative.
    case invalidTTL(Int64)
    /// The text is no document of colours.
    case invalidThemes(DocumentProblem)
    /// The search text is too long.
    case searchTextTooLong(longest: Int)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .chatNotFound(let chat):
            .refused("chatNotFound", "the profile has no \(chat)", ["chat": .string(chat.description)])
        case .chatItemNotFound(let id):
            .refused(
                "chatItemNotFound", "there is no item \(id) in the chats that were searched",
                ["chatItem": .integer(id.rawValue)])
        case .memberNotFound(let id):
            .refused("memberNotFound", "the group has no member \(id)", ["member": .integer(id.rawValue)])
        case .messageNotFound(let id):
            .refused("messageNotFound", "the profile has no message \(id)", ["message": .integer(id.rawValue)])
        case .deliveryNotFound(let id):
            .refused(
                "deliveryNotFound", "the profile has no delivery \(id) of a message",
                ["delivery": .integer(id.rawValue)])
        case .connectionNotFound(let id):
            .refused("connectionNotFound", "the profile has no connection \(id)", ["connection": .integer(id.rawValue)])
        case .tagNotFound(let id):
            .refused("tagNotFound", "the profile has no tag \(id)", ["tag": .integer(id.rawValue)])
        case .duplicateChatItem(let id):
            .refused(
                "duplicateChatItem", "the message was received before, as item \(id)",
                ["chatItem": .integer(id.rawValue)])
        case .chatItemDeleted(let id):
            .refused(
                "chatItemDeleted", "item \(id) is deleted, and can be neither edited nor reacted to",
                ["chatItem": .integer(id.rawValue)])
        case .wrongReactor(let id):
            .refused(
                "wrongReactor",
                "the author of the reaction to item \(id) is not in its chat; "
                    + "name the member in a group, or the contact", ["chatItem": .integer(id.rawValue)])
        case .noSuchChatSetting(let chat):
            .refused(
                "noSuchChatSetting",
                "the \(chat) has no such setting: only groups notify of mentions, and notes have no receipts, no time "
                    + "to live and no themes",
                ["chat": .string(chat.description)])
        case .invalidTTL(let seconds):
            .invalid(
                "invalidTTL",
                "messages cannot be removed after \(seconds) seconds; expected 1 or more, 0 to keep them, or no value",
                ["seconds": .integer(seconds)])
        case .invalidThemes(let problem): .invalid("invalidThemes", "the themes of the chat \(problem.message)")
        case .searchTextTooLong(let longest):
            .refused(
                "searchTextTooLong", "the search text is too long; expected at most \(longest) bytes",
                ["longest": .integer(Int64(longest))])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        guard case .store(let error) = self else { return nil }
        return error
    }
}
