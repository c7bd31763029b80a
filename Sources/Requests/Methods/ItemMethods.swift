import ChatDBKit
import ChatDBReports
import Foundation

/// `items`: what stands in a chat.
enum ItemMethods {
    private static let item = Parameter<ChatItemID>.id("chatItemId", "The item.")
    private static let place = Parameter<Place>.word("place", "The items that are wanted, seen from `chatItemId`.").or(
        .last)
    private static let from = Parameter<ChatItemID>.id("chatItemId", "The item that `place` is about.").optional
    private static let includingDeleted = Parameter.flag(
        "includingDeleted", "Whether items that are marked deleted are in the answer."
    ).or(false)
    private static let words = Parameter.text("words", "The words, with blanks between them.")
    private static let contact = Parameter<ContactID>.id("contactId", "Search the chat with this contact.").optional
    private static let group = Parameter<GroupID>.id("groupId", "Search this group.").optional
    private static let offset = Parameter.count("offset", "How many better matches are left out.").or(0)
    private static let showsTexts = Parameter.flag("texts", "Whether the answer has names of chats and texts.").or(
        false)
    private static let content = Parameter.any("content", "The content: a JSON document of the app.")
    private static let text = Parameter.text("text", "The text of the content, by which it is found.")
    private static let messageTag = Parameter.text("msgContentTag", "What kind of message it is.").or("text")
    private static let direction = Parameter<MessageDirection>.word("direction", "Who sent it.").or(.sent)
    private static let member = Parameter<GroupMemberID>.id("groupMemberId", "The member who sent it.").optional
    private static let sharedID = Parameter.text("sharedMsgId", "The id by which all sides know it.").optional

    /// Where a page of items is.
    enum Place: String, CaseIterable, Sendable {
        case last
        case before
        case after
        case around
    }

    private static let page = Shape.members([
        "user": Shapes.profile, "items": .array(Shapes.item), "unread": Shapes.unread,
    ])

    static let all: [RequestMethod] = [
        .ofProfile(
            "items.page", "Lists items of a chat, the earliest first.",
            [ChatMethods.kind, ChatMethods.id, place, from, ChatMethods.limit, includingDeleted], result: page, read),
        .ofProfile("items.show", "Shows an item.", [item], result: Shapes.item) { call, user, chat in
            PlainAnswer(json(try ChatItemsRepo(chat).get(try call[item], of: user.id)))
        },
        .ofProfile(
            "items.search", "Finds items by their words, the best matches first.",
            [words, contact, group, ChatMethods.limit, offset, showsTexts],
            result: .members([
                "user": Shapes.profile,
                "items": .array(
                    .members([
                        "chatItemId": .integer, "chat": .nullable(.text), "chatId": .nullable(.integer),
                        "direction": .text, "itemTs": .nullable(.text), "chatName?": .nullable(.text),
                        "text?": .array(.members(["text": .text, "match": .flag])),
                    ])), "next": .nullable(.integer),
            ]), search),
        .changing(
            "items.add", "Adds an item to a chat, as an app does when it sends or receives a message.",
            [ChatMethods.kind, ChatMethods.id, content, text, messageTag, direction, member, sharedID],
            result: Shapes.item
        ) { call, user, chat in
            var new = NewChatItem(
                try call[direction], at: StoredTime(Date()),
                ChatItemContent(
                    try call[content].text(.compact), text: try call[text], messageTag: try call[messageTag]))
            new.memberID = try call[member]
            new.sharedMessageID = try call[sharedID]
            return json(try ChatItemsWriter(chat).add(new, to: try call.chat, of: user.id))
        },
        .changing(
            "items.markRead", "Marks all items of a chat read.", [ChatMethods.kind, ChatMethods.id],
            result: .members(["read": .integer, "unread": Shapes.unread])
        ) { call, user, chat in
            let which = try call.chat
            let read = try ChatItemsWriter(chat).markRead(in: which, of: user.id)
            let unread = try ChatItemsRepo(chat).unread(in: which, of: user.id)
            return ["read": JSONValue(read), "unread": json(unread)]
        },
        .changing(
            "items.markDeleted", "Marks an item deleted. Its content stays until the app deletes it.", [item],
            result: Shapes.item
        ) { call, user, chat in
            json(try ChatItemsWriter(chat).markDeleted(try call[item], at: StoredTime(Date()), of: user.id))
        },
    ]

    private static func read(_ call: Call, _ user: User, _ chat: any ReadTransaction) throws -> PlainAnswer {
        let (which, items, id) = (try call.chat, ChatItemsRepo(chat), user.id)
        let (limit, deleted) = (try call[ChatMethods.limit], try call[includingDeleted])
        func start() throws -> ChatItemID {
            if let item = try call[from] { return item }
            throw RequestError(
                code: .invalidParameters, message: "the parameter \"chatItemId\" is missing: \"place\" is seen from it")
        }
        let found: [ChatItem]
        switch try call[place] {
        // A page of a chat that does not exist is an error, not an empty page.
        case .last:
            _ = try ChatListRepo(chat).preview(of: which, of: id)
            found = try items.last(limit, in: which, of: id, includingDeleted: deleted)
        case .before:
            found = try items.before(try start(), limit: limit, in: which, of: id, includingDeleted: deleted)
        case .after:
            found = try items.after(try start(), limit: limit, in: which, of: id, includingDeleted: deleted)
        case .around:
            found = try items.around(try start(), limit: limit, in: which, of: id, includingDeleted: deleted)
        }
        return PlainAnswer([
            "user": user.reference, "items": .array(found.map(json)),
            "unread": json(try items.unread(in: which, of: id)),
        ])
    }

    private static func search(_ call: Call, _ user: User, _ chat: any ReadTransaction) throws -> SearchReport {
        let (limit, offset) = (max(1, min(try call[ChatMethods.limit], PageSize.largest - 1)), max(0, try call[offset]))
        var scope = SearchScope.profile
        if let contact = try call[contact] { scope = .chat(.contact(contact)) }
        if let group = try call[group] { scope = .chat(.group(group)) }
        // One more than is shown, to know whether more follow.
        let found = try matches(try call[words], in: scope, of: user, limit + 1, offset, chat)
        let shown = Array(found.prefix(limit))
        let names = try call[showsTexts] ? try SearchReport.names(of: shown, of: user, in: chat) : nil
        return SearchReport(user: user, found: shown, next: found.count > limit ? offset + limit : nil, names: names)
    }

    private static func matches(
        _ words: String, in scope: SearchScope, of user: User, _ limit: Int, _ offset: Int,
        _ chat: any ReadTransaction
    ) throws -> [FoundItem] {
        do throws(ChatsError) {
            return try ChatItemsRepo(chat).search(words, in: scope, of: user.id, limit: limit, offset: offset)
        } catch .store(let error) where error.kind == .sql {
            // A view stands for the table of the index, and cannot be searched.
            throw ServiceError.noSearchIndex
        }
    }

    private static func json(_ unread: UnreadCount) -> JSONValue {
        ["items": JSONValue(unread.items), "mentions": JSONValue(unread.mentions)]
    }

    /// An item with its text.
    static func json(_ item: ChatItem) -> JSONValue {
        [
            "chatItemId": .integer(item.id.rawValue),
            "chat": item.chat.map { ["kind": .string($0.kind), "id": .integer($0.number)] } ?? .null,
            "direction": .string(item.direction.rawValue), "itemTs": .string(item.time.iso8601),
            "itemStatus": .string(item.status.text), "contentTag": JSONValue(item.contentTag),
            "msgContentTag": JSONValue(item.messageContentTag), "text": .string(item.text),
            "content": (try? JSONValue(parsing: item.content)) ?? .string(item.content),
            "edited": .bool(item.isEdited), "deleted": .bool(item.isDeleted), "live": .bool(item.isLive),
            "groupMemberId": JSONValue(item.memberID?.rawValue), "sharedMsgId": JSONValue(item.sharedMessageID),
            "mentionsUser": .bool(item.mentionsUser), "chatItemTtl": JSONValue(item.timeToLive),
            "deleteAt": JSONValue(item.deleteAt?.iso8601),
        ]
    }
}
