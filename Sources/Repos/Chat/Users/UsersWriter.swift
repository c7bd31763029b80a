public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the profiles of a store. Rule: docs/domain.md, "Profiles".
public struct UsersWriter: Writer {
    package typealias Failure = UsersError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Makes a profile the only active one, and the first of all lists. Throws `profileNotFound`.
    @discardableResult
    public func activate(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User {
        let users = UsersRepo(tx)
        _ = try users.get(id, hidden: hidden)
        try run("UPDATE users SET active_user = 0, updated_at = \(now) WHERE active_user = 1 AND user_id <> \(id)")
        try makeRoomInOrder()
        try run(
            """
            UPDATE users
            SET active_user = 1, updated_at = \(now),
                active_order = (SELECT coalesce(max(every.active_order), 0) + 1 FROM users every)
            WHERE user_id = \(id)
            """)
        return try users.get(id, hidden: hidden)
    }

    /// No number follows the highest: in a store that has it, profiles are renumbered in their order.
    private func makeRoomInOrder() throws(UsersError) {
        if try UsersRepo(tx).count("SELECT count(*) FROM users WHERE active_order = \(Int64.max)") == 0 { return }
        try run(
            """
            UPDATE users SET active_order = places.place, updated_at = \(now)
            FROM (SELECT user_id, row_number() OVER (ORDER BY active_order, user_id DESC) AS place FROM users) places
            WHERE places.user_id = users.user_id
            """)
    }
}

extension UsersWriter {
    /// Renames a profile: its user, own contact, contact profile, display name, and its memberships in groups. With the
    /// name that the profile has already, only its own contact and its memberships are renamed, if the contact has
    /// another name. Rule: docs/domain.md, "Profiles", Names.
    ///
    /// Throws `profileNotFound`, `invalidProfileName`, `duplicateProfileName` when another profile has it, and
    /// `nameTaken` when a contact, group or member of this one has it; then nothing has changed.
    @discardableResult
    public func rename(
        _ id: UserID, to given: String, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        try renaming(id, to: given, hidden: hidden).user
    }

    /// The same, and whether the own contact had another name than the profile, and has the name of the profile now.
    package func renaming(
        _ id: UserID, to given: String, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> (user: User, namedContact: Bool) {
        let users = UsersRepo(tx)
        let user = try users.get(id, hidden: hidden)
        let name = try checkedName(given)
        if !name.hasBytes(of: user.name) {
            if try users.find(named: name, hidden: .shown) != nil { throw .duplicateProfileName(name) }
            try takeName(name, for: user)
            try run("UPDATE users SET local_display_name = \(name), updated_at = \(now) WHERE user_id = \(id)")
        }
        let namedContact = try nameOwnContact(name, of: user)
        return (try users.get(id, hidden: hidden), namedContact)
    }

    /// Gives a profile's own contact and memberships the name of the profile, and frees the names that they had. Returns
    /// whether the contact had another name than the profile.
    private func nameOwnContact(_ name: String, of user: User) throws(UsersError) -> Bool {
        let old = try ownContactNames(of: user)
        let differs = old.contains { !$0.hasBytes(of: user.name) }
        // After a new name was taken, no other entry has it.
        if differs, name.hasBytes(of: user.name), try hasOther(name, than: user) { throw .nameTaken(name, of: user) }
        try run(
            """
            UPDATE contacts SET local_display_name = \(name), updated_at = \(now)
            WHERE contact_id = \(user.contactID) AND user_id = \(user.id) AND local_display_name <> \(name)
            """)
        let profiles = try run(
            """
            UPDATE contact_profiles SET display_name = \(name), updated_at = \(now)
            WHERE user_id = \(user.id) AND display_name <> \(name) AND contact_profile_id =
                (SELECT contact_profile_id FROM contacts WHERE contact_id = \(user.contactID))
            """)
        // The profile's memberships have its own name, or that of its own contact.
        let names = old + [user.name]
        try run(
            """
            UPDATE group_members SET local_display_name = \(name), updated_at = \(now)
            WHERE user_id = \(user.id) AND member_category = \(GroupMemberCategory.user)
                AND local_display_name IN (\(list: names)) AND local_display_name <> \(name)
            """)
        do throws(StoreError) {
            try DisplayNamesWriter(tx: tx, clock: clock).releaseUnused(names, of: user.id)
        } catch {
            throw .store(error)
        }
        return differs || name.hasBytes(of: user.name) && profiles > 0
    }

    /// The name of a profile's own contact; empty if the contact is missing.
    private func ownContactNames(of user: User) throws(UsersError) -> [String] {
        do throws(StoreError) {
            let row = try tx.first(
                """
                SELECT local_display_name FROM contacts
                WHERE contact_id = \(user.contactID) AND user_id = \(user.id)
                """)
            guard let row else { return [] }
            return [try row.get("local_display_name")]
        } catch {
            throw .store(error)
        }
    }

    /// Whether an entry of a profile that is not its own has a name.
    private func hasOther(_ name: String, than user: User) throws(UsersError) -> Bool {
        let others = try UsersRepo(tx).count(
            """
            SELECT count(*) FROM (
                SELECT local_display_name FROM contacts WHERE user_id = \(user.id) AND contact_id <> \(user.contactID)
                UNION ALL SELECT local_display_name FROM contact_requests WHERE user_id = \(user.id)
                UNION ALL SELECT local_display_name FROM groups WHERE user_id = \(user.id)
                UNION ALL SELECT local_display_name FROM group_members
                    WHERE user_id = \(user.id) AND member_category <> \(GroupMemberCategory.user)) AS others
            WHERE local_display_name = \(name)
            """)
        return others > 0
    }

    /// The name without blanks at both ends. Throws `invalidProfileName`.
    package func checkedName(_ given: String) throws(UsersError) -> String {
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            throw .invalidProfileName(error)
        }
    }

    /// A profile is identified by its name, so the name gets no suffix, unlike those of other entries.
    private func takeName(_ name: String, for user: User) throws(UsersError) {
        let taken = try UsersRepo(tx).count(
            """
            SELECT count(*) FROM display_names
            WHERE user_id = \(user.id) AND (local_display_name = \(name) OR ldn_base = \(name) AND ldn_suffix = 0)
            """)
        if taken > 0 { throw .nameTaken(name, of: user) }
        // An entry may have a name whose row of display_names is lost.
        if try hasOther(name, than: user) { throw .nameTaken(name, of: user) }
        try run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
            VALUES (\(user.id), \(name), \(name), 0, \(now), \(now))
            """)
    }
}

/// What a profile says of itself, and the colours of its chats. Rule: docs/domain.md, "Profiles", Details.
extension UsersWriter {
    /// Replaces what a profile says of itself besides its name, which `rename` changes. Blanks at both ends of the
    /// texts are dropped, and empty texts become nil. Returns the profile as it is stored.
    ///
    /// Throws `profileNotFound`, and `invalidProfileDetail` for a text or picture that is not valid or too large;
    /// nothing has changed then.
    @discardableResult
    public func setProfile(
        _ given: ProfileDetails, of id: UserID, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> ContactProfile {
        let profile = try UsersRepo(tx).profile(of: id, hidden: hidden)
        let details: ProfileDetails
        do throws(ProfileProblem) {
            details = try ProfileRule.checked(given, over: profile.details)
        } catch {
            throw .invalidProfileDetail(error)
        }
        try run(
            """
            UPDATE contact_profiles
            SET full_name = \(details.fullName), short_descr = \(details.shortDescription),
                description = \(details.description), image = \(details.image),
                contact_link = \(details.contactLink), preferences = \(details.preferences), updated_at = \(now)
            WHERE contact_profile_id = \(profile.id) AND user_id = \(id)
            """)
        return try UsersRepo(tx).profile(of: id, hidden: hidden)
    }

    /// Sets the colours of the chats of a profile, one JSON object that is kept unchanged; nil for those of the app.
    /// Throws `profileNotFound` and `invalidThemes`; nothing has changed then.
    public func setThemes(_ given: String?, of id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) {
        _ = try UsersRepo(tx).get(id, hidden: hidden)
        let themes: String?
        do throws(DocumentProblem) {
            themes = try DocumentRule.checked(given)
        } catch {
            throw .invalidThemes(error)
        }
        try run("UPDATE users SET ui_themes = \(themes), updated_at = \(now) WHERE user_id = \(id)")
    }
}

/// The switches of a profile. Rule: docs/domain.md, "Profiles", Receipts and notifications, Invitations.
extension UsersWriter {
    /// Sets whether messages of a profile may raise notifications. Throws `profileNotFound`, and `hiddenProfileIsMuted`
    /// when a hidden profile should raise them.
    @discardableResult
    public func setNotifications(
        _ isOn: Bool, of id: UserID, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        let user = try UsersRepo(tx).get(id, hidden: hidden)
        if isOn, user.isHidden { throw .hiddenProfileIsMuted(user) }
        try run("UPDATE users SET show_ntfs = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        return try UsersRepo(tx).get(id, hidden: hidden)
    }

    /// Sets whether contacts of a profile get delivery receipts. Settings of single contacts stay, unless
    /// `clearingOverrides` is true. Throws `profileNotFound`.
    @discardableResult
    public func setReceiptsToContacts(
        _ isOn: Bool, of id: UserID, clearingOverrides: Bool = false, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        _ = try UsersRepo(tx).get(id, hidden: hidden)
        try run("UPDATE users SET send_rcpts_contacts = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        if clearingOverrides {
            try run(
                """
                UPDATE contacts SET send_rcpts = NULL, updated_at = \(now)
                WHERE user_id = \(id) AND send_rcpts IS NOT NULL
                """)
        }
        return try UsersRepo(tx).get(id, hidden: hidden)
    }

    /// Sets whether members of small groups of a profile get delivery receipts. Settings of single groups stay, unless
    /// `clearingOverrides` is true. Throws `profileNotFound`.
    @discardableResult
    public func setReceiptsToSmallGroups(
        _ isOn: Bool, of id: UserID, clearingOverrides: Bool = false, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        _ = try UsersRepo(tx).get(id, hidden: hidden)
        try run("UPDATE users SET send_rcpts_small_groups = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        if clearingOverrides {
            try run(
                """
                UPDATE groups SET send_rcpts = NULL, updated_at = \(now)
                WHERE user_id = \(id) AND send_rcpts IS NOT NULL
                """)
        }
        return try UsersRepo(tx).get(id, hidden: hidden)
    }

    /// Sets whether a profile joins a group as soon as a contact invites it. The app reads the switch when an
    /// invitation comes; earlier invitations wait as before. Throws `profileNotFound`.
    @discardableResult
    public func setAcceptsGroupInvitations(
        _ isOn: Bool, of id: UserID, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        _ = try UsersRepo(tx).get(id, hidden: hidden)
        try run("UPDATE users SET auto_accept_group_invitations = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        return try UsersRepo(tx).get(id, hidden: hidden)
    }
}
