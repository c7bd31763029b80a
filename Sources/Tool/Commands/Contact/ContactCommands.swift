import ArgumentParser
import ChatDBKit

/// Contacts.
struct ContactCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact", abstract: "Show the contacts of a profile.",
        discussion: """
            Name a contact by the profile's name for it, by its alias, by its own name, or by its id. A name takes \
            precedence over an id; id:3 and name:3 are explicit.

            Examples:
              chatdb contact list
              chatdb contact show bob
              chatdb contact show id:3 --user work --format json
            """,
        subcommands: [ContactList.self, ContactShow.self])
}

/// A contact in the answers of commands.
struct ContactRow {
    let contact: Contact

    private var status: String { contact.status.text }

    /// The columns for programs and spreadsheets.
    static var fields: [FieldSpec<ContactRow>] {
        [
            id, .text("name") { $0.contact.profile.content.displayName },
            .text("localDisplayName") { $0.contact.localDisplayName },
            .text("alias") { $0.contact.profile.localAlias.isEmpty ? nil : $0.contact.profile.localAlias },
            .text("contactStatus") { $0.status }, .flag("used") { $0.contact.isUsed },
            .flag("favourite") { $0.contact.isFavourite },
            .flag("incognito") { $0.contact.incognitoProfileID != nil }, lastChat,
        ]
    }

    /// The contacts of a profile, for people.
    static var listed: [FieldSpec<ContactRow>] {
        [
            id,
            .shown("Name", shrinking: .end) { .text($0.contact.localDisplayName) },
            .shown("Alias", shrinking: .end) {
                .text($0.contact.profile.localAlias.isEmpty ? nil : $0.contact.profile.localAlias)
            },
            .shown("Status") { .text($0.contact.status.shown, $0.contact.status == .active ? nil : .dim) },
            .shown("Favourite") { .yesNo($0.contact.isFavourite) },
            .shown("Incognito") { .yesNo($0.contact.incognitoProfileID != nil) }, lastChat,
        ]
    }

    private static var id: FieldSpec<ContactRow> { .number("contactId", "Id") { $0.contact.id.rawValue } }
    private static var lastChat: FieldSpec<ContactRow> { .time("chatTs", "Last chat") { $0.contact.chatTime } }
}

extension ContactStatus {
    /// For people.
    var shown: String {
        switch self {
        case .active: "active"
        case .deleted: "deleted the profile"
        case .deletedByUser: "deleted"
        case .unknown(let text): text
        }
    }
}
