public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the groups and channels of a profile. Rule: docs/domain.md, "Groups and channels".
///
/// ```swift
/// // One transaction: either the channel exists with its relays, or nothing changed.
/// let channel = try store.write { chat in
///     var generator = SystemRandomNumberGenerator()
///     let relays = try ChatRelaysRepo(chat).choosable(of: user.id).prefix(2).map(\.id)
///     return try GroupsWriter(chat).createChannel(named: "news", relays: relays, of: user.id, using: &generator)
/// }
/// ```
public struct GroupsWriter: Writer {
    package typealias Failure = GroupsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Creates a group whose owner is the profile. `generator` makes the member id of the profile. Throws
    /// `invalidGroupName` and `profileNotFound`; nothing is created then.
    public func createGroup(
        _ profile: GroupProfile, of userID: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> GroupSummary {
        let profile = try checked(profile)
        let user = try requireProfile(userID)
        let group = try insert(NewGroup(profile: profile, isChannel: false, isCreating: false), of: userID)
        try insertOwner(of: group, user, using: &generator)
        return try GroupsRepo(tx).get(group, of: userID)
    }

    /// Creates a channel that is not finished yet: the group with its profile, the own membership (owner, creator), and
    /// for each relay a member and a group relay with status new. A relay named twice counts once. `generator` makes
    /// the ids of the members in the channel.
    ///
    /// Throws `noEnabledRelays` when no relay was chosen, `relayNotFound`, `relayDisabled` and `relayAddressNotValid`
    /// for one that a channel cannot choose, `invalidGroupName` and `profileNotFound`; nothing is created then.
    public func createChannel(
        _ profile: GroupProfile, relays chosen: [ChatRelayID], of userID: UserID,
        using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> GroupSummary {
        let profile = try checked(profile)
        let user = try requireProfile(userID)
        let relays = try ChosenRelays.checked(chosen, of: userID, in: tx)
        let group = try insert(NewGroup(profile: profile, isChannel: true, isCreating: true), of: userID)
        try insertOwner(of: group, user, using: &generator)
        _ = try GroupRelaysWriter(tx, clock: clock).insert(relays, in: group, of: userID, using: &generator)
        return try GroupsRepo(tx).get(group, of: userID)
    }

    /// Creates a channel whose profile has only a name; see the method above.
    public func createChannel(
        named name: String, relays chosen: [ChatRelayID], of userID: UserID,
        using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> GroupSummary {
        try createChannel(GroupProfile(displayName: name), relays: chosen, of: userID, using: &generator)
    }

    private func insertOwner(
        of group: GroupID, _ user: User, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) {
        try GroupMembersWriter(tx, clock: clock).insertOwn(
            in: group, memberID: MemberIDText.make(using: &generator), role: .owner, status: .creator, user: user)
    }
}

extension GroupsError: ProfileScopedError {}

/// Rule: docs/domain.md, "Groups and channels".
extension GroupsWriter {
    /// Replaces the profile of a group. If the name differs, the group gets the new name in the lists, with a suffix
    /// when it is taken. Throws `groupNotFound` and `invalidGroupName`; nothing changes then.
    @discardableResult
    public func update(
        _ id: GroupID, profile given: GroupProfile, of user: UserID
    ) throws(GroupsError) -> GroupSummary {
        let group = try GroupsRepo(tx).get(id, of: user).group
        let profile = try checked(given)
        if !profile.displayName.hasBytes(of: group.displayName) { try rename(group, to: profile.displayName) }
        try run(
            """
            UPDATE group_profiles
            SET display_name = \(profile.displayName), full_name = \(profile.fullName),
                short_descr = \(profile.shortDescription), description = \(profile.welcome),
                image = \(profile.image), preferences = \(profile.preferences), updated_at = \(now)
            WHERE user_id = \(user) AND group_profile_id = (
                SELECT groups.group_profile_id FROM groups WHERE groups.group_id = \(id) AND groups.user_id = \(user))
            """)
        return try GroupsRepo(tx).get(id, of: user)
    }

    /// Sets the alias of a group, which lists show instead of its name. An empty alias removes it. Throws
    /// `groupNotFound` and `invalidGroupName`; nothing changes then.
    @discardableResult
    public func setAlias(_ given: String, of id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let alias = try asGroupsError({ .invalidGroupName($0) }) { () throws(NameProblem) in
            try ContactProfilesWriter.optional(given)
        }
        let changed = try run(
            "UPDATE groups SET local_alias = \(alias), updated_at = \(now) WHERE group_id = \(id) AND user_id = \(user)"
        )
        if changed == 0 { throw .groupNotFound(.id(id)) }
        return try GroupsRepo(tx).get(id, of: user)
    }

    /// Sets the link that a group publishes; nil removes it. Throws `groupNotFound` and `invalidGroupLink`;
    /// nothing changes then.
    @discardableResult
    public func setLink(_ id: GroupID, to given: String?, of user: UserID) throws(GroupsError) -> GroupSummary {
        try GroupsRepo(tx).require(id, of: user)
        let link: GroupLink?
        do throws(GroupLinkError) {
            link = if let given { try GroupLink(given) } else { nil }
        } catch {
            throw .invalidGroupLink(error)
        }
        try run(
            """
            UPDATE group_profiles
            SET group_link = \(link?.text), group_link_key = \(link.flatMap { LinkKey.of($0.text) }), updated_at = \(now)
            WHERE user_id = \(user) AND group_profile_id = (
                SELECT groups.group_profile_id FROM groups WHERE groups.group_id = \(id) AND groups.user_id = \(user))
            """)
        return try GroupsRepo(tx).get(id, of: user)
    }

    /// Sets the number of subscribers that a channel publishes, which a subscriber sees; nil for an unknown one. Throws
    /// `groupNotFound` and `notAChannel`; nothing changes then.
    public func setPublicMemberCount(_ count: UInt32?, of id: GroupID, of user: UserID) throws(GroupsError) {
        let group = try GroupsRepo(tx).get(id, of: user).group
        if !group.isChannel { throw .notAChannel(group) }
        try run(
            """
            UPDATE groups SET public_member_count = \(count.map { Int64($0) }), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user)
            """)
    }

    /// Leaves a group: sets the profile's own membership to left. All rows stay, and so does a link that the profile
    /// made for the group. A relay of the group refuses it from then on. Throws `groupNotFound`, `notInGroup` for a group that the profile is not in, and `soleOwner`
    /// for its only owner; nothing changes then.
    @discardableResult
    public func leave(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let group = try GroupsRepo(tx).get(id, of: user).group
        if let reason = try GroupMembersRepo(tx).reasonToStay(in: group) { throw reason }
        try run(
            """
            UPDATE group_members SET member_status = \(GroupMemberStatus.left), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user) AND member_category = \(GroupMemberCategory.user)
            """)
        try endRelaying(id, of: user, as: .left)
        return try GroupsRepo(tx).get(id, of: user)
    }

    /// Records that the profile does not relay a group any longer: it refuses a group that it left, and is inactive in
    /// one that it was removed from. Nothing changes in a group that it does not relay, or refuses already. Rule:
    /// docs/domain.md, "Relay operators".
    func endRelaying(_ id: GroupID, of user: UserID, as status: GroupMemberStatus) throws(GroupsError) {
        let next: RelayStatus = status == .left ? .rejected : .inactive
        let since: Query = next == .inactive ? "coalesce(relay_inactive_at, \(now))" : "NULL"
        try run(
            """
            UPDATE groups SET relay_own_status = \(next), relay_inactive_at = \(since), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user) AND relay_own_status <> \(RelayStatus.rejected)
            """)
    }

    /// Gives a group the name that its profile has now. The old name becomes free.
    private func rename(_ group: Group, to name: String) throws(GroupsError) {
        let localName = try claimName(name, of: group.userID)
        try run(
            """
            UPDATE groups SET local_display_name = \(localName), updated_at = \(now)
            WHERE group_id = \(group.id) AND user_id = \(group.userID)
            """)
        do throws(StoreError) {
            try DisplayNamesWriter(tx: tx, clock: clock).releaseUnused([group.localDisplayName], of: group.userID)
        } catch {
            throw .store(error)
        }
    }
}

/// A group whose row is to be made; its profile was checked.
struct NewGroup {
    let profile: GroupProfile
    let isChannel: Bool
    let isCreating: Bool
    var link: GroupLink?
    var welcomeMessage: String?
}

extension GroupsWriter {
    /// Makes the rows of a group and its profile, with a name of its own in the profile.
    func insert(_ group: NewGroup, of user: UserID) throws(GroupsError) -> GroupID {
        let profile = group.profile
        let localName = try claimName(profile.displayName, of: user)
        let (row, number) = (newNumber(in: .groupProfiles), newNumber(in: .groups))
        let profileID = GroupProfileID(
            try insert(
                """
                INSERT INTO group_profiles (
                    \(row.column)user_id, display_name, full_name, short_descr, description, image, preferences,
                    created_at, updated_at)
                VALUES (
                    \(row.value)\(user), \(profile.displayName), \(profile.fullName), \(profile.shortDescription),
                    \(profile.welcome), \(profile.image), \(profile.preferences), \(now), \(now))
                """, returning: "group_profile_id"))
        return GroupID(
            try insert(
                """
                INSERT INTO groups (
                    \(number.column)user_id, group_profile_id, local_display_name, use_relays, creating_in_progress,
                    conn_full_link_to_connect, conn_full_link_to_connect_key,
                    conn_short_link_to_connect, conn_short_link_to_connect_key, welcome_shared_msg_id,
                    chat_ts, created_at, updated_at)
                VALUES (
                    \(number.value)\(user), \(profileID), \(localName), \(group.isChannel), \(group.isCreating),
                    \(group.link?.full), \(group.link?.full.flatMap(LinkKey.of)),
                    \(group.link?.short), \(group.link?.short.flatMap(LinkKey.of)), \(group.welcomeMessage),
                    \(now), \(now), \(now))
                """, returning: "group_id"))
    }

    func checked(_ profile: GroupProfile) throws(GroupsError) -> GroupProfile {
        var profile = profile
        profile.displayName = try asGroupsError(GroupsError.invalidGroupName) { () throws(NameProblem) in
            try NameRule.checked(profile.displayName)
        }
        return profile
    }
}

extension Writer where Failure == GroupsError {
    /// Takes a name in the profile's lists for a new group or member; see `DisplayNamesWriter.claim`.
    func claimName(_ base: String, of user: UserID) throws(GroupsError) -> String {
        do throws(StoreError) {
            return try DisplayNamesWriter(tx: tx, clock: clock).claim(base, of: user)
        } catch {
            throw .store(error)
        }
    }
}
