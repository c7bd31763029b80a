package import ChatDBKit

/// A page of the contacts of a profile.
package struct ContactListReport: Report {
    package let user: User
    package let page: ContactPage

    package init(user: User, page: ContactPage) {
        self.user = user
        self.page = page
    }

    private var rows: [ContactRow] { page.contacts.map(ContactRow.init) }

    /// The last contact of the page, if there are more.
    private var next: ContactID? { page.next == nil ? nil : page.contacts.last?.id }

    package var json: JSONValue {
        [
            "user": user.reference, "contacts": .array(rows.map { ContactRow.fields.json($0) }),
            "next": JSONValue(next?.rawValue),
        ]
    }

    package var document: Document {
        var blocks: [Block] = [.table(ContactRow.listed.table(rows, whenEmpty: "no contacts"))]
        if let next { blocks.append(.notes([.note("more contacts follow: --after \(next)")])) }
        return Document(blocks)
    }

    package var csvTable: Table { ContactRow.fields.csv(rows) }
}

/// All that a profile knows of a contact, without messages.
package struct ContactShowReport: Report {
    package let user: User
    package let contact: Contact
    /// The random profile by which the contact knows the profile.
    package let incognito: ContactProfile?
    package let settings: ChatSettings
    package let unread: Int

    package init(user: User, contact: Contact, incognito: ContactProfile?, settings: ChatSettings, unread: Int) {
        self.user = user
        self.contact = contact
        self.incognito = incognito
        self.settings = settings
        self.unread = unread
    }

    private var content: ContactProfileContent { contact.profile.content }

    package var json: JSONValue {
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

    package var document: Document {
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
    package var csvTable: Table { ContactRow.fields.csv([ContactRow(contact: contact)]) }
}
