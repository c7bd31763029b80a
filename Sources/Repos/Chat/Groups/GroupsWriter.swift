public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the groups and channels of a profile. Rule: docs/domain.md, "Groups and channels".
public struct GroupsWriter: Writer {
    package typealias Failure = GroupsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Makes a group of the profile's own, which is its owner. `generator` makes the id by which the group knows the
    /// profile. Throws `invalidGroupName` and `profileNotFound`; nothing is made then.
    public func createGroup(
        _ profile: GroupProfile, of userID: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> GroupSummary {
        let profile = try checked(profile)
        let user = try requireProfile(userID)
        let group = try insert(NewGroup(profile: profile, isChannel: false, isCreating: false), of: userID)
        try insertOwner(of: group, user, using: &generator)
        return try GroupsRepo(tx).get(group, of: userID)
    }

    /// Makes a channel that is not finished yet: the group with its profile, the own membership (owner, creator), and
    /// for each relay a member and a group relay with status new. A relay named twice counts once. `generator` makes
    /// the ids by which the members are known in the channel.
    ///
    /// Throws `noEnabledRelays` when no relay was chosen, `relayNotFound` and `relayDisabled` for one that a channel
    /// cannot choose, `invalidGroupName` and `profileNotFound`; nothing is made then.
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

    /// The same for a channel that has a name only.
    public func createChannel(
        named name: String, relays chosen: [ChatRelayID], of userID: UserID,
        using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> GroupSummary {
        try createChannel(GroupProfile(displayName: name), relays: chosen, of: userID, using: &generator)
    }

    /// Finishes the creation of a channel, once. Throws `groupNotFound`, and `creationFinished` for one that is
    /// finished already, as groups are from the start.
    @discardableResult
    public func finishCreation(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let changed = try run(
            """
            UPDATE groups SET creating_in_progress = 0, updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user) AND creating_in_progress = 1
            """)
        let group = try GroupsRepo(tx).get(id, of: user)
        if changed == 0 { throw .creationFinished(group.group) }
        return group
    }

    private func insertOwner(
        of group: GroupID, _ user: User, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) {
        try GroupMembersWriter(tx, clock: clock).insertOwn(
            in: group, memberID: MemberIDText.make(using: &generator), role: .owner, status: .creator, user: user)
    }
}

extension GroupsError: ProfileScopedError {}
