public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the contacts of a profile. Rule: docs/domain.md, "Contacts".
public struct ContactsWriter: Writer {
    package typealias Failure = ContactsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Makes a contact with what they say of themselves; the profile lists them as the name they gave, with a suffix
    /// when that is taken. Not used: there is no conversation yet.
    ///
    /// Throws `invalidContactName` and `profileNotFound`, and then has changed nothing.
    public func create(_ given: ContactProfileContent, of user: UserID) throws(ContactsError) -> Contact {
        let content = try ContactProfilesWriter.checked(given)
        try requireProfile(user)
        let name = try profiles.claim(content.displayName, of: user)
        let profile = try profiles.insert(content, of: user)
        let id = ContactID(
            try insert(
                """
                INSERT INTO contacts (
                    user_id, contact_profile_id, local_display_name, chat_ts, created_at, updated_at)
                VALUES (\(user), \(profile), \(name), \(now), \(now), \(now))
                """, returning: "contact_id"))
        return try ContactsRepo(tx).get(id, of: user)
    }

    /// Makes a random profile for one connection, by which its other side will know the profile. It takes no name in
    /// the profile's lists, and goes with the connection.
    ///
    /// Throws `invalidContactName` and `profileNotFound`, and then has changed nothing.
    public func createIncognitoProfile(
        _ given: ContactProfileContent, of user: UserID
    ) throws(ContactsError) -> ContactProfile {
        let content = try ContactProfilesWriter.checked(given)
        try requireProfile(user)
        let id = try profiles.insert(content, isIncognito: true, of: user)
        return ContactProfile(id: id, content: content, localAlias: "", isIncognito: true)
    }

    /// Stores what a contact now says of themselves. When they call themselves something else, the profile lists them
    /// by that, and the old name is free. The alias stays.
    ///
    /// Throws `contactNotFound` and `invalidContactName`, and then has changed nothing.
    @discardableResult
    public func update(
        _ id: ContactID, profile given: ContactProfileContent, of user: UserID
    ) throws(ContactsError) -> Contact {
        let contact = try ContactsRepo(tx).get(id, of: user, includingDeleted: true)
        let content = try ContactProfilesWriter.checked(given)
        let name = try profiles.update(contact.profile, to: content, localName: contact.localDisplayName, of: user)
        try set("local_display_name = \(name)", of: contact)
        if name != contact.localDisplayName {
            // A request of the same person has the same name.
            try run(
                """
                UPDATE contact_requests SET local_display_name = \(name), updated_at = \(now)
                WHERE contact_profile_id = \(contact.profile.id) AND user_id = \(user)
                """)
            try profiles.releaseUnused([contact.localDisplayName], of: user)
        }
        return try ContactsRepo(tx).get(id, of: user, includingDeleted: true)
    }

    /// Gives a contact an alias, which is shown instead of their name; an empty one takes it away.
    /// Throws `contactNotFound` and `invalidContactName`.
    @discardableResult
    public func setAlias(_ given: String, of id: ContactID, of user: UserID) throws(ContactsError) -> Contact {
        let contact = try ContactsRepo(tx).get(id, of: user, includingDeleted: true)
        let alias: String
        do throws(NameProblem) {
            alias = try ContactProfilesWriter.optional(given)
        } catch {
            throw .invalidContactName(error)
        }
        try run(
            """
            UPDATE contact_profiles SET local_alias = \(alias), updated_at = \(now)
            WHERE contact_profile_id = \(contact.profile.id) AND user_id = \(user)
            """)
        return try ContactsRepo(tx).get(id, of: user, includingDeleted: true)
    }

    /// Marks a contact as a favourite, or no longer. Throws `contactNotFound`.
    @discardableResult
    public func setFavourite(
        _ isFavourite: Bool, _ id: ContactID, of user: UserID
    ) throws(ContactsError) -> Contact {
        try set("favorite = \(isFavourite)", of: ContactsRepo(tx).get(id, of: user))
        return try ContactsRepo(tx).get(id, of: user)
    }

    /// Notes whether somebody still is a contact. Throws `contactNotFound`.
    @discardableResult
    public func setStatus(
        _ status: ContactStatus, of id: ContactID, of user: UserID
    ) throws(ContactsError) -> Contact {
        try set("contact_status = \(status)", of: ContactsRepo(tx).get(id, of: user))
        return try ContactsRepo(tx).get(id, of: user)
    }

    // MARK: - Parts

    var profiles: ContactProfilesWriter { ContactProfilesWriter(tx: tx, clock: clock) }

    func set(_ columns: Query, of contact: Contact) throws(ContactsError) {
        try run(
            """
            UPDATE contacts SET \(columns), updated_at = \(now)
            WHERE contact_id = \(contact.id) AND user_id = \(contact.userID)
            """)
    }
}

extension ContactsError: ProfileScopedError {}
