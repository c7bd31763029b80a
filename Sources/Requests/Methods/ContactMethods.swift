import ChatDBKit
import ChatDBReports

/// `contacts`: the contacts of a profile.
enum ContactMethods {
    private static let contact = Parameter<ContactID>.id("contactId", "The contact.")
    private static let after = Parameter<ContactID>.id("after", "The last contact of the last page: its `next`.")
        .optional
    private static let text = Parameter.text("text", "Words of the name.")
    private static let alias = Parameter.text("alias", "The profile's own name for the contact; empty for none.")

    private static let row = Shape.members(["user": Shapes.profile, "contact": Shapes.contact])

    static let all: [RequestMethod] = [
        .ofProfile(
            "contacts.list", "Lists the contacts of a profile, the newest chat first.", [after, ChatMethods.limit],
            result: .members([
                "user": Shapes.profile, "contacts": .array(Shapes.contact), "next": .nullable(.integer),
            ])
        ) { call, user, chat in
            let contacts = ContactsRepo(chat)
            let cursor = try call[after].map { try contacts.cursor(after: $0, of: user.id) }
            return ContactListReport(
                user: user, page: try contacts.page(of: user.id, after: cursor, limit: try call[ChatMethods.limit]))
        },
        .ofProfile(
            "contacts.search", "Finds contacts by words of their names.", [text, ChatMethods.limit],
            result: .members(["user": Shapes.profile, "contacts": .array(Shapes.contact)])
        ) { call, user, chat in
            let found = try ContactsRepo(chat).search(
                try call[text], of: user.id, limit: try call[ChatMethods.limit])
            return PlainAnswer([
                "user": user.reference,
                "contacts": .array(found.map { ContactRow.fields.json(ContactRow(contact: $0)) }),
            ])
        },
        .ofProfile(
            "contacts.show", "Shows a contact: its profile, the settings of its chat, unread items.", [contact],
            result: .members([
                "user": Shapes.profile, "contact": Shapes.contact, "profile": Shapes.profileDetails,
                "incognitoProfile": .nullable(.members(["displayName": .text])), "settings": Shapes.chatSettings,
                "unread": .integer,
            ])
        ) { call, user, chat in
            let contacts = ContactsRepo(chat)
            let found = try contacts.get(try call[contact], of: user.id)
            return ContactShowReport(
                user: user, contact: found, incognito: try contacts.incognitoProfile(for: found.id, of: user.id),
                settings: try ChatListRepo(chat).settings(of: .contact(found.id), of: user.id),
                unread: try ChatItemsRepo(chat).unread(in: .contact(found.id), of: user.id).items)
        },
        .changing(
            "contacts.setAlias", "Sets the profile's own name for a contact.", [contact, alias], result: row
        ) { call, user, chat in
            let found = try ContactsWriter(chat).setAlias(try call[alias], of: try call[contact], of: user.id)
            return ["user": user.reference, "contact": ContactRow.fields.json(ContactRow(contact: found))]
        },
    ]
}
