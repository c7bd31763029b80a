import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What is stored about one contact besides the row of lists. Rule: docs/domain.md, "Contacts", Preferences, Members who
/// become contacts.
extension ContactsRepo {
    /// What a contact says of themselves. Of a soft-deleted contact too. Throws `contactNotFound`.
    public func profile(of id: ContactID, of user: UserID) throws(ContactsError) -> ContactProfile {
        try get(id, of: user, includingDeleted: true).profile
    }

    /// What the profile allows a contact in their chat, a JSON document; nil when nothing is set, so that the
    /// preferences of the profile count. Throws `contactNotFound`.
    public func preferences(for id: ContactID, of user: UserID) throws(ContactsError) -> String? {
        let row: UserPreferences? = try first(
            """
            SELECT user_preferences FROM contacts WHERE contact_id = \(id) AND user_id = \(user) AND is_user = 0
            """)
        guard let row else { throw .contactNotFound(.id(id)) }
        return row.text
    }
}

extension ContactsWriter {
    /// Sets what the profile allows a contact in their chat, one JSON object that is kept unchanged; nil removes it, so
    /// that the preferences of the profile count. Throws `contactNotFound` and `invalidPreferences`; nothing has changed
    /// then.
    public func setPreferences(_ given: String?, for id: ContactID, of user: UserID) throws(ContactsError) {
        let contact = try ContactsRepo(tx).get(id, of: user, includingDeleted: true)
        let preferences: String?
        do throws(DocumentProblem) {
            preferences = try DocumentRule.checked(given)
        } catch {
            throw .invalidPreferences(error)
        }
        try set("user_preferences = \(preferences)", of: contact)
    }
}

/// Rule: docs/domain.md, "Contacts", Members who become contacts.
extension ContactsWriter {
    /// Makes a contact of a member of a group, with the profile and the name of the member. The contact keeps the member
    /// until both are in contact; see ``connected(_:of:)``.
    ///
    /// Throws `memberNotFound`, also for the profile's own membership, and `memberHasContact`; nothing has changed then.
    public func create(fromMember id: GroupMemberID, of user: UserID) throws(ContactsError) -> Contact {
        let found: PersonOfMember? = try ContactsRepo(tx).first(
            """
            SELECT contact_id, contact_profile_id, local_display_name FROM group_members
            WHERE group_member_id = \(id) AND user_id = \(user) AND member_category <> \(GroupMemberCategory.user)
            """)
        guard let member = found else { throw .memberNotFound(id) }
        if let contact = member.contactID { throw .memberHasContact(id, contact) }
        // Another member with the same profile may be a contact.
        let same: ContactOfProfile? = try ContactsRepo(tx).first(
            "SELECT contact_id FROM contacts WHERE contact_profile_id = \(member.profileID) AND user_id = \(user)")
        if let same { throw .memberHasContact(id, same.id) }
        let number = newNumber(in: .contacts)
        let contact = ContactID(
            try insert(
                """
                INSERT INTO contacts (
                    \(number.column)user_id, contact_profile_id, local_display_name, contact_group_member_id,
                    chat_ts, created_at, updated_at)
                VALUES (
                    \(number.value)\(user), \(member.profileID), \(member.localDisplayName), \(id), \(now), \(now),
                    \(now))
                """, returning: "contact_id"))
        try run(
            """
            UPDATE group_members SET contact_id = \(contact), updated_at = \(now)
            WHERE group_member_id = \(id) AND user_id = \(user)
            """)
        return try ContactsRepo(tx).get(contact, of: user)
    }

    /// Stores that the invitation to the member from whom a contact was made was sent. Throws `contactNotFound`, and
    /// `notFromMember` for another contact.
    @discardableResult
    public func invitationSent(to id: ContactID, of user: UserID) throws(ContactsError) -> Contact {
        let contact = try ContactsRepo(tx).get(id, of: user)
        if contact.memberID == nil { throw .notFromMember(contact) }
        try set("contact_grp_inv_sent = 1", of: contact)
        return try ContactsRepo(tx).get(id, of: user)
    }

    /// Ends the relation of a contact to the member from whom it was made: both are in contact. Nothing happens to
    /// another contact. Throws `contactNotFound`.
    @discardableResult
    public func connected(_ id: ContactID, of user: UserID) throws(ContactsError) -> Contact {
        try set("contact_group_member_id = NULL, contact_grp_inv_sent = 0", of: ContactsRepo(tx).get(id, of: user))
        return try ContactsRepo(tx).get(id, of: user)
    }
}

private struct ContactOfProfile: RowRecord {
    let id: ContactID

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("contact_id")
    }
}

private struct UserPreferences: RowRecord {
    let text: String?

    init(row: ResultRow) throws(StoreError) {
        text = try row.get("user_preferences")
    }
}

private struct PersonOfMember: RowRecord {
    let contactID: ContactID?
    let profileID: ContactProfileID
    let localDisplayName: String

    init(row: ResultRow) throws(StoreError) {
        contactID = try row.get("contact_id")
        profileID = try row.get("contact_profile_id")
        localDisplayName = try row.get("local_display_name")
    }
}
