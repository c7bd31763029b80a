import ChatDBKit

/// Finds contacts of a profile by the profile's name for them, by their own name, by their alias, by id,
/// or by the beginning of a name.
enum ContactFinder {
    static func find(_ given: String, of user: User, in chat: any ReadTransaction) throws -> Contact {
        let named = NameOrID(given)
        let contacts = ContactsRepo(chat)
        if let name = named.name, let contact = try contacts.find(named: name, of: user.id) { return contact }
        // An id with its prefix is no name.
        if named.name == nil, let id = named.id, let contact = try contacts.find(ContactID(id), of: user.id) {
            return contact
        }
        // Reads further contacts only now: to compare their other names, and to suggest similar ones.
        let all = try contacts.page(of: user.id, limit: 10_000).contacts
        if let name = named.name.map(NameRule.key), !name.isEmpty {
            let ways: [(Contact) -> Bool] = [
                { name == NameRule.key($0.localDisplayName) }, { name == NameRule.key($0.profile.localAlias) },
                { name == NameRule.key($0.profile.content.displayName) },
            ]
            if let contact = try NameMatcher.one(all, by: ways, what: "contact", given) { return contact }
        }
        if let id = named.id, let contact = try contacts.find(ContactID(id), of: user.id) { return contact }
        let beginning = [{ (contact: Contact) in named.isBeginning(of: contact.names) }]
        if let contact = try NameMatcher.one(all, by: beginning, what: "contact", given) { return contact }
        throw NameError.notFound(
            code: "contactNotFound", message: "the profile \"\(user.name)\" has no contact \"\(named.text)\"",
            name: named.text, candidates: all.flatMap(\.names),
            list: HintedCommand(.contactList)
        ).suggesting(named, by: .beginning, among: all.flatMap(\.names))
    }
}

extension Contact: Candidate {
    fileprivate var names: [String] { [localDisplayName, profile.localAlias, profile.content.displayName] }

    var candidate: String { "id:\(id) (\(localDisplayName))" }
}
