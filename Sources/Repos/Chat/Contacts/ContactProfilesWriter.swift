import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// Rows of the profiles that people send, with their names in the lists, for the operations on contacts and requests.
struct ContactProfilesWriter: Writer {
    typealias Failure = ContactsError
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Makes a row.
    func insert(
        _ content: ContactProfileContent, isIncognito: Bool = false, of user: UserID
    ) throws(ContactsError) -> ContactProfileID {
        let number = newNumber(in: .contactProfiles)
        return ContactProfileID(
            try insert(
                """
                INSERT INTO contact_profiles (
                    \(number.column)user_id, display_name, full_name, short_descr, description, image, contact_link,
                    preferences, chat_peer_type, incognito, created_at, updated_at)
                VALUES (
                    \(number.value)\(user), \(content.displayName), \(content.fullName), \(content.shortDescription),
                    \(content.description), \(content.image), \(content.contactLink), \(content.preferences),
                    \(content.peerType), \(isIncognito), \(now), \(now))
                """, returning: "contact_profile_id"))
    }

    /// Stores a new version and returns the name in the profile's lists, which is another one when the person changed
    /// their name. Release the old one after the rows with it have the new one.
    func update(
        _ old: ContactProfile, to content: ContactProfileContent, localName: String, of user: UserID
    ) throws(ContactsError) -> String {
        try run(
            """
            UPDATE contact_profiles
            SET display_name = \(content.displayName), full_name = \(content.fullName),
                short_descr = \(content.shortDescription), description = \(content.description),
                image = \(content.image), contact_link = \(content.contactLink),
                preferences = \(content.preferences), chat_peer_type = \(content.peerType), updated_at = \(now)
            WHERE contact_profile_id = \(old.id) AND user_id = \(user)
            """)
        if content.displayName.hasBytes(of: old.content.displayName) { return localName }
        let newName = try claim(content.displayName, of: user)
        // A member who is the same person has the same row and the same name.
        try run(
            """
            UPDATE group_members SET local_display_name = \(newName), updated_at = \(now)
            WHERE contact_profile_id = \(old.id) AND user_id = \(user) AND local_display_name = \(localName)
            """)
        return newName
    }

    /// Removes those of the given rows that are no longer in use.
    func deleteUnused(_ ids: [ContactProfileID], of user: UserID) throws(ContactsError) {
        for some in ids.map(\.rawValue).inParts {
            try run(
                """
                DELETE FROM contact_profiles
                WHERE contact_profile_id IN (\(list: some)) AND user_id = \(user)
                    AND NOT EXISTS (SELECT 1 FROM contacts
                        WHERE contacts.contact_profile_id = contact_profiles.contact_profile_id)
                    AND NOT EXISTS (SELECT 1 FROM contact_requests
                        WHERE contact_requests.contact_profile_id = contact_profiles.contact_profile_id)
                    AND NOT EXISTS (SELECT 1 FROM group_members
                        WHERE group_members.contact_profile_id = contact_profiles.contact_profile_id)
                    AND NOT EXISTS (SELECT 1 FROM group_members
                        WHERE group_members.member_profile_id = contact_profiles.contact_profile_id)
                    AND NOT EXISTS (SELECT 1 FROM connections
                        WHERE connections.custom_user_profile_id = contact_profiles.contact_profile_id)
                """)
        }
    }

    // MARK: - Names

    func claim(_ name: String, of user: UserID) throws(ContactsError) -> String {
        do throws(StoreError) {
            return try DisplayNamesWriter(tx: tx, clock: clock).claim(name, of: user)
        } catch {
            throw .store(error)
        }
    }

    func releaseUnused(_ names: [String], of user: UserID) throws(ContactsError) {
        do throws(StoreError) {
            try DisplayNamesWriter(tx: tx, clock: clock).releaseUnused(names, of: user)
        } catch {
            throw .store(error)
        }
    }

    /// The content with checked names. Throws `invalidContactName`.
    static func checked(_ given: ContactProfileContent) throws(ContactsError) -> ContactProfileContent {
        var content = given
        do throws(NameProblem) {
            content.displayName = try NameRule.checked(given.displayName)
            content.fullName = try optional(given.fullName)
        } catch {
            throw .invalidContactName(error)
        }
        return content
    }

    /// A name that may be empty.
    static func optional(_ given: String) throws(NameProblem) -> String {
        NameRule.trimmed(given).isEmpty ? "" : try NameRule.checked(given)
    }
}
