import ChatDBKit
import ChatDBReports

/// `tags`: the tags that a profile puts on chats.
enum TagMethods {
    private static let tag = Parameter<ChatTagID>.id("chatTagId", "The tag.")
    private static let tags = Parameter<[ChatTagID]>.ids("chatTagIds", "The tags.")
    private static let text = Parameter.text("text", "The text of the tag.")
    private static let emoji = Parameter.text("emoji", "The picture of the tag; null for none.").optional
    private static let kind = Parameter<Kind>.word("kind", "The kind of the chat.")
    private static let id = Parameter.integer("id", "The number of the contact or group.")

    /// The kinds of chats that can have tags.
    enum Kind: String, CaseIterable, Sendable {
        case contact
        case group
    }

    private static let list = Shape.members(["user": Shapes.profile, "tags": .array(Shapes.tag)])

    static let all: [RequestMethod] = [
        .ofProfile("tags.list", "Lists the tags of a profile in their order.", result: list) { _, user, chat in
            PlainAnswer(try answer(user, in: chat))
        },
        .changing("tags.add", "Creates a tag.", [text, emoji], result: list) { call, user, chat in
            _ = try ChatTagsWriter(chat).create(try call[text], emoji: try call[emoji], of: user.id)
            return try answer(user, in: chat)
        },
        .changing("tags.edit", "Changes the text and the picture of a tag.", [tag, text, emoji], result: list) {
            call, user, chat in
            _ = try ChatTagsWriter(chat).update(
                try call[tag], text: try call[text], emoji: try call[emoji], of: user.id)
            return try answer(user, in: chat)
        },
        .changing("tags.delete", "Deletes a tag. The chats stay.", [tag], result: list) { call, user, chat in
            try ChatTagsWriter(chat).delete(try call[tag], of: user.id)
            return try answer(user, in: chat)
        },
        .changing("tags.reorder", "Puts these tags first, in this order.", [tags], result: list) { call, user, chat in
            try ChatTagsWriter(chat).reorder(try call[tags], of: user.id)
            return try answer(user, in: chat)
        },
        .changing("tags.set", "Sets the tags of a chat.", [kind, id, tags], result: list) { call, user, chat in
            let number = try call[id]
            let which: TaggedChat = try call[kind] == .contact ? .contact(ContactID(number)) : .group(GroupID(number))
            try ChatTagsWriter(chat).setTags(try call[tags], on: which, of: user.id)
            return try answer(user, in: chat)
        },
    ]

    private static func answer(_ user: User, in chat: any ReadTransaction) throws -> JSONValue {
        let tags = try ChatTagsRepo(chat).all(of: user.id)
        return [
            "user": user.reference,
            "tags": .array(
                tags.map { tag in
                    [
                        "chatTagId": .integer(tag.id.rawValue), "text": .string(tag.text),
                        "emoji": JSONValue(tag.emoji), "chats": JSONValue(tag.chats),
                    ]
                }),
        ]
    }
}
