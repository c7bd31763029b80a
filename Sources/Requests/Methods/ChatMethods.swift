import ChatDBKit
import ChatDBReports

/// `chats`: the list of chats of a profile.
enum ChatMethods {
    static let kind = Parameter<ChatKind>.word("kind", "The kind of the chat.")
    static let id = Parameter.integer("id", "The number of the contact, the group or the note folder.")
    static let limit = Parameter.count("limit", "The most entries of the answer.").or(50)
    private static let after = Parameter.text("after", "The place where the last page ended: its `next`.").optional
    private static let onlyUnread = Parameter.flag("onlyUnread", "Whether only chats with unread items are listed.")
        .or(false)
    private static let onlyFavourites = Parameter.flag("onlyFavourites", "Whether only favourites are listed.").or(
        false)
    private static let tag = Parameter<ChatTagID>.id("chatTagId", "List chats with this tag only.").optional
    private static let text = Parameter.text("text", "List chats with this text in their names only.").or("")
    private static let isUnread = Parameter.flag("unread", "Whether the chat is marked unread.")
    private static let isFavourite = Parameter.flag("favourite", "Whether the chat is a favourite.")

    /// The kinds of chats.
    enum ChatKind: String, CaseIterable, Sendable {
        case contact
        case group
        case notes
    }

    private static let entry = Shape.members([
        "kind": .word(["contact", "group", "notes", "request", "connection"]), "id": .integer, "name": .text,
        "chatTs": .text, "favourite": .flag, "markedUnread": .flag, "unread": Shapes.unread,
        "lastItem": .nullable(Shapes.item),
    ])

    static let all: [RequestMethod] = [
        .ofProfile(
            "chats.page", "Lists chats, requests and connections, the newest first.",
            [after, limit, onlyUnread, onlyFavourites, tag, text],
            result: .members(["user": Shapes.profile, "chats": .array(entry), "next": .nullable(.text)])
        ) { call, user, chat in
            let start = try call[after]
            let place = try start.map { text throws -> ChatPreview.Position in
                if let place = ChatPreview.Position(text: text) { return place }
                throw RequestError(
                    code: .invalidParameters, message: "the parameter \"after\" is not the \"next\" of a page")
            }
            let filter = ChatListFilter(
                onlyUnread: try call[onlyUnread], onlyFavorites: try call[onlyFavourites], tag: try call[tag],
                text: try call[text])
            let limit = PageSize.atLeastOne(try call[limit])
            let page = try ChatListRepo(chat).page(of: user.id, filter: filter, after: place, limit: limit)
            let next = page.count < limit ? nil : page.last?.position.text
            return PlainAnswer([
                "user": user.reference, "chats": .array(page.map(json)), "next": JSONValue(next),
            ])
        },
        .changing("chats.setUnread", "Marks a chat read or unread.", [kind, id, isUnread], result: entry) {
            call, user, chat in
            let which = try call.chat
            try ChatListWriter(chat).setUnread(which, try call[isUnread], of: user.id)
            return json(try ChatListRepo(chat).preview(of: which, of: user.id))
        },
        .changing("chats.setFavourite", "Makes a chat a favourite, or none.", [kind, id, isFavourite], result: entry) {
            call, user, chat in
            let which = try call.chat
            try ChatListWriter(chat).setFavourite(which, try call[isFavourite], of: user.id)
            return json(try ChatListRepo(chat).preview(of: which, of: user.id))
        },
    ]

    private static func json(_ preview: ChatPreview) -> JSONValue {
        let (kind, id): (String, Int64) =
            switch preview.entry {
            case .chat(let chat): (chat.kind, chat.number)
            case .request(let id): ("request", id.rawValue)
            case .connection(let id): ("connection", id.rawValue)
            }
        return [
            "kind": .string(kind), "id": .integer(id), "name": .string(preview.name),
            "chatTs": .string(preview.time.iso8601), "favourite": .bool(preview.isFavorite),
            "markedUnread": .bool(preview.isMarkedUnread),
            "unread": ["items": JSONValue(preview.unread.items), "mentions": JSONValue(preview.unread.mentions)],
            "lastItem": preview.lastItem.map(ItemMethods.json) ?? .null,
        ]
    }
}

extension Call {
    /// The chat that the request names by kind and number.
    var chat: ChatID {
        get throws(RequestError) {
            let number = try self[ChatMethods.id]
            return switch try self[ChatMethods.kind] {
            case .contact: .contact(ContactID(number))
            case .group: .group(GroupID(number))
            case .notes: .notes(NoteFolderID(number))
            }
        }
    }
}
