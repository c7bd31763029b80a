public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The contacts of a profile. Rule: docs/domain.md, "Contacts".
///
/// The contact that stands for the profile itself is none of them. Soft-deleted contacts are in an answer only where it
/// says so. An id of another profile is not found.
public struct ContactsRepo: Repository {
    package typealias Failure = ContactsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The contact of a profile with a number, or nil.
    public func find(
        _ id: ContactID, of user: UserID, includingDeleted: Bool = false
    ) throws(ContactsError) -> Contact? {
        try first(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.contact_id = \(id) AND contacts.user_id = \(user) AND contacts.is_user = 0
                AND contacts.deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The contact of a profile with a number. Throws `contactNotFound`.
    public func get(
        _ id: ContactID, of user: UserID, includingDeleted: Bool = false
    ) throws(ContactsError) -> Contact {
        guard let contact = try find(id, of: user, includingDeleted: includingDeleted) else {
            throw .contactNotFound(.id(id))
        }
        return contact
    }

    /// The contact the profile lists as exactly this name, or nil: at most one has it.
    public func find(
        named name: String, of user: UserID, includingDeleted: Bool = false
    ) throws(ContactsError) -> Contact? {
        try first(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contacts.user_id = \(user) AND contacts.local_display_name = \(name) AND contacts.is_user = 0
                AND contacts.deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The contacts who say that they can be reached at an address, newest chat first. None is an empty list. Anybody
    /// can say it, so that several may.
    public func all(link: String, of user: UserID) throws(ContactsError) -> [Contact] {
        try all(
            """
            SELECT \(Contact.columns) FROM \(Contact.tables)
            WHERE contact_profiles.user_id = \(user) AND contact_profiles.contact_link = \(link)
                AND contacts.user_id = \(user) AND contacts.is_user = 0 AND contacts.deleted = 0
            ORDER BY contacts.chat_ts DESC, contacts.contact_id DESC
            """)
    }

    /// The random profile by which a contact knows the profile, or nil when it knows the real one. Of a soft-deleted
    /// contact too. Throws `contactNotFound`.
    public func incognitoProfile(for id: ContactID, of user: UserID) throws(ContactsError) -> ContactProfile? {
        guard let profile = try get(id, of: user, includingDeleted: true).incognitoProfileID else { return nil }
        return try first(
            """
            SELECT \(ContactProfile.columns) FROM contact_profiles
            WHERE contact_profile_id = \(profile) AND user_id = \(user)
            """)
    }
}
