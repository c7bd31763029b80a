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

    /// Makes a contact with the profile that the person sent. Its name in the lists is that of this profile, with a
    /// suffix when the name is taken. The contact is not in the list of chats yet.
    ///
    /// Throws `invalidContactName` and `profileNotFound`; nothing has changed then.
    public func create(_ given: ContactProfileContent, of user: UserID) throws(ContactsError) -> Contact {
        let content = try ContactProfilesWriter.checked(given)
        try requireProfile(user)
        let name = try profiles.claim(content.displayName, of: user)
        let profile = try profiles.insert(content, of: user)
        let number = newNumber(in: .contacts)
        let id = ContactID(
            try insert(
                """
                INSERT INTO contacts (
                    \(number.column)user_id, contact_profile_id, local_display_name, chat_ts, created_at, updated_at)
                VALUES (\(number.value)\(user), \(profile), \(name), \(now), \(now), \(now))
                """, returning: "contact_id"))
        return try ContactsRepo(tx).get(id, of: user)
    }

    /// Creates a random profile for one connection, which its other side sees instead of the user's. It takes no name
    /// in the profile's lists, and is removed with the connection.
    ///
    /// Throws `invalidContactName` and `profileNotFound`; nothing has changed then.
    public func createIncognitoProfile(
        _ given: ContactProfileContent, of user: UserID
    ) throws(ContactsError) -> ContactProfile {
        let content = try ContactProfilesWriter.checked(given)
        try requireProfile(user)
        let id = try profiles.insert(content, isIncognito: true, of: user)
        return ContactProfile(id: id, content: content, localAlias: "", isIncognito: true)
    }

    /// Stores the new profile that a contact sent. If the name differs, the contact gets the new name in the lists, and
    /// the old one is free. The alias stays.
    ///
    /// Throws `contactNotFound` and `invalidContactName`; nothing has changed then.
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

    /// Stores whether the other person still has the profile as a contact. Throws `contactNotFound`.
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

/// The result of deleting a contact, with what is left to do outside the chat database.
public struct DeletedContact: Sendable, Hashable {
    /// Whether the conversation is still there.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The contact is out of all lists; the conversation stays.
        case softDeleted
        /// The contact was removed with everything.
        case deleted
    }

    /// The kind of result.
    public let outcome: Outcome
    /// The contact as it was.
    public let contact: Contact
    /// The connections the agent may now delete, by number: those to the contact, and those that carry files of the
    /// chat.
    public let connections: [AgentConnectionID]
    /// The files whose rows were removed, by number: their contents on this device and at the agent can be removed.
    /// Empty when the conversation stays.
    public let files: [ChatFile]
}

extension ContactsWriter {
    /// Deletes a contact. The first time it is soft-deleted: it is in no list, its connections are marked as deleted,
    /// and the conversation stays. The second time everything is removed: conversation, connections, files, the random
    /// profile, and the name in the lists, which is free then. A person who is also a member of a group stays a member,
    /// with name and profile.
    ///
    /// Throws `contactNotFound`; nothing has changed then. Rule: docs/domain.md, "Soft delete".
    public func delete(_ id: ContactID, of user: UserID) throws(ContactsError) -> DeletedContact {
        let contact = try ContactsRepo(tx).get(id, of: user, includingDeleted: true)
        let connections: [ChatConnection] = try reading.all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE \(serves(id)) AND +connections.user_id = \(user)
            ORDER BY connection_id
            """)
        if !contact.isDeleted {
            try softDelete(contact)
            return DeletedContact(
                outcome: .softDeleted, contact: contact, connections: connections.map(\.agentID), files: [])
        }
        let files: [ChatFile] = try reading.all(
            """
            SELECT \(ChatFile.columns) FROM \(ChatFile.tables)
            WHERE files.contact_id = \(id) AND files.user_id = \(user)
            ORDER BY files.file_id
            """)
        try deleteRows(of: contact, incognito: connections.compactMap(\.incognitoProfileID))
        return DeletedContact(
            outcome: .deleted, contact: contact, connections: connections.map(\.agentID), files: files)
    }

    private func softDelete(_ contact: Contact) throws(ContactsError) {
        try set("deleted = 1", of: contact)
        try run(
            """
            UPDATE connections
            SET conn_status = \(ConnectionStatus.deleted), to_subscribe = 0, updated_at = \(now)
            WHERE \(serves(contact.id)) AND +connections.user_id = \(contact.userID)
            """)
    }

    /// The contact with the conversation, and the words of it.
    private func deleteRow(of contact: Contact) throws(ContactsError) {
        do throws(StoreError) {
            let hasItems = try SearchIndex.hasItems(in: .contact(contact.id), of: contact.userID, tx)
            try tx.run("DELETE FROM contacts WHERE contact_id = \(contact.id) AND user_id = \(contact.userID)")
            if hasItems { try SearchIndex(tx: tx).forget(.all) }
        } catch {
            throw .store(error)
        }
    }

    /// The condition that a connection is one to the contact, or carries a file of the chat with it.
    private func serves(_ id: ContactID) -> Query {
        """
        connections.connection_id IN (
            SELECT connection_id FROM connections WHERE contact_id = \(id)
            UNION ALL \(FilesRepo.connections(carrying: "SELECT file_id FROM files WHERE contact_id = \(id)")))
        """
    }

    private func deleteRows(of contact: Contact, incognito: [ContactProfileID]) throws(ContactsError) {
        // Rows that would only lose their reference are removed first. The others are removed with the contact.
        try run(
            """
            DELETE FROM xftp_file_descriptions
            WHERE user_id = \(contact.userID) AND file_descr_id IN (
                SELECT rcv_files.file_descr_id FROM files JOIN rcv_files ON rcv_files.file_id = files.file_id
                WHERE files.contact_id = \(contact.id)
                UNION ALL
                SELECT snd_files.file_descr_id FROM files JOIN snd_files ON snd_files.file_id = files.file_id
                WHERE files.contact_id = \(contact.id))
            """)
        try deleteDescriptions(
            forRecipientsAt: "SELECT connection_id FROM connections WHERE contact_id = \(contact.id)",
            of: contact.userID)
        try deleteRow(of: contact)
        try profiles.deleteUnused([contact.profile.id] + incognito, of: contact.userID)
        try profiles.releaseUnused([contact.localDisplayName], of: contact.userID)
    }

    private var reading: ContactsRepo { ContactsRepo(tx) }
}
