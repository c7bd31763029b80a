import ArgumentParser
import ChatDBKit

struct ContactShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a contact: its profile, the settings of its chat, unread messages.",
        discussion: """
            Shows no messages and no picture; chatdb query --show personal reads them.

            Examples:
              chatdb contact show bob
              chatdb contact show id:3 --user work --format json
            """)

    @Argument(help: "The contact, by name, alias or id.")
    var contact: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            let found = try ContactFinder.find(contact, of: user, in: chat)
            return ContactShowReport(
                user: user, contact: found,
                incognito: try ContactsRepo(chat).incognitoProfile(for: found.id, of: user.id),
                settings: try ChatListRepo(chat).settings(of: .contact(found.id), of: user.id),
                unread: try ChatItemsRepo(chat).unread(in: .contact(found.id), of: user.id).items)
        }
        try output.write(report)
    }
}

/// All that a profile knows of a contact, without messages.
struct ContactShowReport: Report {
    let user: User
    let contact: Contact
    /// The random profile by which the contact knows the profile.
    let incognito: ContactProfile?
    let settings: ChatSettings
    let unread: Int

    private var content: ContactProfileContent { contact.profile.content }

    var json: JSONValue {
        [
            "user": user.reference, "contact": ContactRow.fields.json(ContactRow(contact: contact)),
            "profile": [
                "displayName": .string(content.displayName), "fullName": .string(content.fullName),
                "shortDescr": JSONValue(content.shortDescription), "description": JSONValue(content.description),
                "contactLink": JSONValue(content.contactLink),
                "hasImage": .bool(content.image != nil), "preferences": JSONValue(content.preferences),
            ],
            "incognitoProfile": incognito.map { ["displayName": .string($0.content.displayName)] } ?? .null,
            "settings": [
                "notifications": .string("\(settings.notifications)"), "sendRcpts": JSONValue(settings.sendsReceipts),
                "chatItemTtl": JSONValue(settings.timeToLive),
            ],
            "unread": JSONValue(unread),
        ]
    }

    var document: Document {
        var about = [
            Field("Id", key: "contactId", .number(contact.id.rawValue)), Field("Name", .text(content.displayName)),
        ]
        if !content.fullName.isEmpty { about.append(Field("Full name", .text(content.fullName))) }
        about += [
            Field("About", key: "shortDescr", .text(content.shortDescription)),
            Field("Description", .text(content.description)),
            Field("Address", key: "contactLink", .text(content.contactLink)),
            Field("Picture", key: "hasImage", .yesNo(content.image != nil)),
            Field("Status", key: "contactStatus", .text(contact.status.shown)),
        ]
        let alias = contact.profile.localAlias
        return [
            .heading(contact.shownName), .fields(about), .heading("For \(user.name)"),
            .fields([
                Field("Listed as", key: "localDisplayName", .text(contact.localDisplayName)),
                Field("Alias", .text(alias.isEmpty ? nil : alias)),
                Field(
                    "Known to it as", key: "incognito", .text(incognito.map { "\($0.content.displayName) (incognito)" })
                ),
                Field("Favourite", .yesNo(contact.isFavourite)),
                Field("Notifications", .text("\(settings.notifications)")),
                Field(
                    "Receipts", key: "sendRcpts",
                    .text(settings.sendsReceipts.map { $0 ? "yes" : "no" } ?? "as the profile")),
                Field(
                    "Messages are kept", key: "chatItemTtl",
                    .text(
                        settings.timeToLive.map { $0 == 0 ? "always" : "\(CellText.grouped($0)) seconds" }
                            ?? "as the profile")),
                Field("Unread", .count(unread)), Field("Last chat", key: "chatTs", .time(contact.chatTime.date)),
            ]),
        ]
    }

    /// The contact as `contact list` has it.
    var csvTable: Table { ContactRow.fields.csv([ContactRow(contact: contact)]) }
}
