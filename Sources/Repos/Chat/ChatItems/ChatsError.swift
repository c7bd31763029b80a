public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with the chats of a profile, their items and messages. Rule: docs/domain.md,
/// "Chat items".
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
    /// What is deleted is neither edited nor reacted to.
    case chatItemDeleted(ChatItemID)
    /// Somebody reacts who is not in a chat of that kind.
    case wrongReactor(ChatItemID)
    /// Notes have no settings of their own, and only groups tell of mentions.
    case noSuchChatSetting(ChatID)
    /// Messages cannot be removed after less than no time.
    case invalidTTL(Int64)
    /// The text to look for is too long to be one.
    case searchTextTooLong(longest: Int)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .chatNotFound: "chatNotFound"
        case .chatItemNotFound: "chatItemNotFound"
        case .memberNotFound: "memberNotFound"
        case .messageNotFound: "messageNotFound"
        case .deliveryNotFound: "deliveryNotFound"
        case .connectionNotFound: "connectionNotFound"
        case .tagNotFound: "tagNotFound"
        case .duplicateChatItem: "duplicateChatItem"
        case .chatItemDeleted: "chatItemDeleted"
        case .wrongReactor: "wrongReactor"
        case .noSuchChatSetting: "noSuchChatSetting"
        case .invalidTTL: "invalidTTL"
        case .searchTextTooLong: "searchTextTooLong"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .chatNotFound(let chat): "the profile has no \(chat)"
        case .chatItemNotFound(let id): "there is no item \(id) in the chats that were looked in"
        case .memberNotFound(let id): "the group has no member \(id)"
        case .messageNotFound(let id): "the profile has no message \(id)"
        case .deliveryNotFound(let id): "the profile has no delivery \(id) of a message"
        case .connectionNotFound(let id): "the profile has no connection \(id)"
        case .tagNotFound(let id): "the profile has no tag \(id)"
        case .duplicateChatItem(let id): "the message was received before; it made item \(id)"
        case .chatItemDeleted(let id): "item \(id) is deleted, and can be neither edited nor reacted to"
        case .wrongReactor(let id):
            "the reaction to item \(id) is of somebody who is not in its chat; "
                + "in a group name the member, with a contact the contact"
        case .noSuchChatSetting(let chat):
            "the \(chat) has no such setting: only groups tell of mentions, and notes have neither receipts nor a time to live"
        case .invalidTTL(let seconds):
            "messages cannot be removed after \(seconds) seconds; expected 1 or more, 0 to keep them, or nothing"
        case .searchTextTooLong(let longest): "the text to look for is too long; expected at most \(longest) bytes"
        case .store(let error): error.message
        }
    }

    /// A command that helps: there is none.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .chatNotFound(let chat), .noSuchChatSetting(let chat): ["chat": .string(chat.description)]
        case .chatItemNotFound(let id), .duplicateChatItem(let id), .chatItemDeleted(let id), .wrongReactor(let id):
            ["chatItem": .integer(id.rawValue)]
        case .memberNotFound(let id): ["member": .integer(id.rawValue)]
        case .messageNotFound(let id): ["message": .integer(id.rawValue)]
        case .deliveryNotFound(let id): ["delivery": .integer(id.rawValue)]
        case .connectionNotFound(let id): ["connection": .integer(id.rawValue)]
        case .tagNotFound(let id): ["tag": .integer(id.rawValue)]
        case .invalidTTL(let seconds): ["seconds": .integer(seconds)]
        case .searchTextTooLong(let longest): ["longest": .integer(Int64(longest))]
        case .store: [:]
        }
    }

    package var storeError: StoreError? {
        guard case .store(let error) = self else { return nil }
        return error
    }
}
