import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What came of deleting a contact, with what is left to do outside the chat database.
public struct DeletedContact: Sendable, Hashable {
    /// Whether the conversation is still there.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// The contact is out of all lists; the conversation stays.
        case softDeleted
        /// Everything of the contact is gone.
        case deleted
    }

    /// Which of the two.
    public let outcome: Outcome
    /// The contact as it was.
    public let contact: Contact
    /// The connections the agent may now delete, by number: those to the contact, and those that carry files of the chat.
    public let connections: [AgentConnectionID]
    /// The files whose rows went, by number: what they have on this device and at the agent can go. None when the
    /// conversation is still there.
    public let files: [ChatFile]
}

extension ContactsWriter {
    /// Deletes a contact. The first time it is soft-deleted: it leaves all lists, its connections are given up, and the
    /// conversation stays. The second time everything goes: conversation, connections, files, the random profile, and
    /// the name in the lists, which is free then. Somebody who is also a member of a group stays one, with name and
    /// profile.
    ///
    /// Throws `contactNotFound`, and then has changed nothing. Rule: docs/domain.md, "Soft delete".
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
        (connections.contact_id = \(id)
            OR \(FilesRepo.carries("SELECT file_id FROM files WHERE files.contact_id = \(id)")))
        """
    }

    private func deleteRows(of contact: Contact, incognito: [ContactProfileID]) throws(ContactsError) {
        // First what would only lose its reference; the rest goes with the contact.
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
