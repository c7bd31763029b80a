package import ChatDBKit

/// A contact in the answers of commands.
package struct ContactRow {
    package let contact: Contact

    package init(contact: Contact) {
        self.contact = contact
    }

    private var status: String { contact.status.text }

    /// The columns for programs and spreadsheets.
    package static var fields: [FieldSpec<ContactRow>] {
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
    package static var listed: [FieldSpec<ContactRow>] {
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
    package var shown: String {
        switch self {
        case .active: "active"
        case .deleted: "deleted the profile"
        case .deletedByUser: "deleted"
        case .unknown(let text): text
        }
    }
}
