public import Engine
public import Schema

/// Changes to the groups and channels of a profile. Rule: docs/domain.md, "Groups and channels".
public struct GroupsWriter: Writer {
    typealias Failure = GroupsError
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Makes a channel that is not finished yet: the group with its profile, the own membership (owner, creator), and
    /// for each relay a member and a group relay with status new. A relay named twice counts once. `generator` makes
    /// the ids by which the members are known in the channel.
    ///
    /// Throws `noEnabledRelays` when no relay was chosen, `relayNotFound` and `relayDisabled` for one that a channel
    /// cannot choose, `invalidGroupName` and `profileNotFound`; nothing is made then.
    public func createChannel(
        named given: String, relays chosen: [ChatRelayID], of userID: UserID,
        using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> GroupSummary {
        let name = try checkedName(given)
        let user = try profile(userID)
        let relays = try checkedRelays(chosen, of: userID)

        let localName = try DisplayNamesWriter(tx: tx, clock: clock).claim(name, of: userID)
        let group = try insertGroup(name: name, localName: localName, of: userID)
        let members = GroupMembersWriter(tx: tx, clock: clock)
        try members.insertOwner(of: group, memberID: MemberIDText.make(using: &generator), user: user)
        for relay in relays {
            let member = try members.insertRelay(
                in: group, memberID: MemberIDText.make(using: &generator), name: relay.memberName, user: user)
            try run(
                """
                INSERT INTO group_relays (
                    group_id, group_member_id, chat_relay_id, relay_status, created_at, updated_at)
                VALUES (\(group), \(member), \(relay.id), \(RelayStatus.new), \(now), \(now))
                """)
        }
        return try GroupsRepo(tx).get(group, of: userID)
    }

    private func insertGroup(name: String, localName: String, of user: UserID) throws(GroupsError) -> GroupID {
        let profile = GroupProfileID(
            try insert(
                """
                INSERT INTO group_profiles (user_id, display_name, created_at, updated_at)
                VALUES (\(user), \(name), \(now), \(now))
                """, returning: "group_profile_id"))
        return GroupID(
            try insert(
                """
                INSERT INTO groups (
                    user_id, group_profile_id, local_display_name, use_relays, creating_in_progress,
                    chat_ts, created_at, updated_at)
                VALUES (\(user), \(profile), \(localName), 1, 1, \(now), \(now), \(now))
                """, returning: "group_id"))
    }

    private func checkedName(_ given: String) throws(GroupsError) -> String {
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            throw .invalidGroupName(error)
        }
    }

    /// Whoever names a hidden profile by its id has found it already.
    private func profile(_ id: UserID) throws(GroupsError) -> User {
        do throws(UsersError) {
            return try UsersRepo(tx).get(id, hidden: .shown)
        } catch {
            throw .users(error)
        }
    }

    private func checkedRelays(_ chosen: [ChatRelayID], of user: UserID) throws(GroupsError) -> [ChatRelay] {
        if chosen.isEmpty { throw .relays(.noEnabledRelays) }
        let (all, choosable) = try candidates(of: user)
        var relays: [ChatRelay] = []
        for id in chosen where !relays.contains(where: { $0.id == id }) {
            guard let relay = all.first(where: { $0.id == id }) else { throw .relays(.relayNotFound(.id(id))) }
            guard choosable.contains(id) else { throw .relayDisabled(relay) }
            relays.append(relay)
        }
        return relays
    }

    private func candidates(of user: UserID) throws(GroupsError) -> ([ChatRelay], choosable: Set<ChatRelayID>) {
        do throws(ChatRelaysError) {
            let relays = ChatRelaysRepo(tx)
            return (try relays.all(of: user), Set(try relays.choosable(of: user).map(\.id)))
        } catch {
            throw .relays(error)
        }
    }
}

extension ChatRelay {
    /// What the member that the relay becomes is called: its name, or else its first domain or its host.
    fileprivate var memberName: String { name.isEmpty ? domains.first ?? host : name }
}

/// The id by which a channel knows a member: 12 random bytes as 16 characters of base64url.
private enum MemberIDText {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    static func make(using generator: inout some RandomNumberGenerator) -> String {
        String((0..<16).map { _ in letters[Int(generator.next(upperBound: UInt64(letters.count)))] })
    }
}
