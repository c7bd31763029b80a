import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension UsersWriter {
    /// Gives a profile another name: that of its user, its own contact, contact profile and display name, and of its
    /// memberships in groups. The name it has already is no change. Rule: docs/domain.md, "Profiles", Names.
    ///
    /// Throws `profileNotFound`, `invalidProfileName`, `duplicateProfileName` when another profile has it, and
    /// `nameTaken` when a contact, group or member of this one has it; then nothing has changed.
    @discardableResult
    public func rename(
        _ id: UserID, to given: String, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        let users = UsersRepo(tx)
        let user = try users.get(id, hidden: hidden)
        let name = try checkedName(given)
        if name.hasBytes(of: user.name) { return user }
        if try users.find(named: name, hidden: .shown) != nil { throw .duplicateProfileName(name) }
        try takeName(name, for: user)
        try run("UPDATE users SET local_display_name = \(name), updated_at = \(now) WHERE user_id = \(id)")
        try run(
            """
            UPDATE contacts SET local_display_name = \(name), updated_at = \(now)
            WHERE contact_id = \(user.contactID) AND user_id = \(id)
            """)
        try run(
            """
            UPDATE contact_profiles SET display_name = \(name), updated_at = \(now)
            WHERE user_id = \(id) AND contact_profile_id =
                (SELECT contact_profile_id FROM contacts WHERE contact_id = \(user.contactID))
            """)
        // Own memberships have the profile's own name, which nothing else of the profile has.
        try run(
            """
            UPDATE group_members SET local_display_name = \(name), updated_at = \(now)
            WHERE user_id = \(id) AND local_display_name = \(user.name)
            """)
        try run("DELETE FROM display_names WHERE user_id = \(id) AND local_display_name = \(user.name)")
        return try users.get(id, hidden: hidden)
    }

    /// The name without blanks at both ends. Throws `invalidProfileName`.
    package func checkedName(_ given: String) throws(UsersError) -> String {
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            throw .invalidProfileName(error)
        }
    }

    /// A profile is known by its very name, so it gets no suffix where others do.
    private func takeName(_ name: String, for user: User) throws(UsersError) {
        let taken = try UsersRepo(tx).count(
            """
            SELECT count(*) FROM display_names
            WHERE user_id = \(user.id) AND (local_display_name = \(name) OR ldn_base = \(name) AND ldn_suffix = 0)
            """)
        if taken > 0 { throw .nameTaken(name, of: user) }
        try run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
            VALUES (\(user.id), \(name), \(name), 0, \(now), \(now))
            """)
    }
}
