package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The meaning of the link of a group for a profile. Rule: docs/domain.md, "Prepared groups".
public enum GroupLinkPlan: Sendable, Hashable {
    /// The profile made the link, for this group.
    case ownLink(GroupSummary)
    /// The profile is in this group.
    case known(GroupSummary)
    /// Joining this group was started and is not done.
    case connecting(GroupSummary)
    /// This group is there, and its next step is to connect.
    case prepared(GroupSummary)
    /// The link is the profile's own address, which leads to no group.
    case ownAddress
    /// None of these: the link may be opened.
    case ok
}

/// How far a group that was opened by its link is. Rule: docs/domain.md, "Prepared groups".
public struct GroupPreparation: Sendable, Hashable {
    /// Whether the connection by the link is prepared.
    public let isConnectionPrepared: Bool
    /// Whether joining has started.
    public let isStarted: Bool
    /// The shared id of the welcome message, if it is shown.
    public let welcomeMessage: String?
    /// The shared id of the message that goes with the request to join, if there is one.
    public let requestMessage: String?
}

extension GroupsRepo {
    /// The groups of a profile with a link, newest chat first. The link is the one that was opened, the one that the
    /// group publishes, or one that the profile made for the group. Either form of the link is enough, in any spelling.
    /// In one statement. The list is empty when there are none.
    public func all(link: GroupLink, of user: UserID) throws(GroupsError) -> [GroupSummary] {
        try linked(to: link, of: user).map(\.summary)
    }

    /// The meaning of a link, from the stored data. A group that the profile left, or from which it was removed, does
    /// not count, even if the profile made the link. Of several groups, the answer is the first in the order of the
    /// cases of ``GroupLinkPlan``.
    public func plan(for link: GroupLink, of user: UserID) throws(GroupsError) -> GroupLinkPlan {
        let groups = try linked(to: link, of: user).filter { $0.summary.group.membership?.status.isHistory != true }
        if let own = groups.first(where: \.isOwnLink) { return .ownLink(own.summary) }
        if let known = groups.first(where: { $0.summary.group.isCurrent }) { return .known(known.summary) }
        let opened = groups.filter(\.isLinkToConnect)
        if let started = opened.first(where: { $0.summary.group.isStarted }) { return .connecting(started.summary) }
        if let prepared = opened.first { return .prepared(prepared.summary) }
        return try isAddress(link, of: user) ? .ownAddress : .ok
    }

    /// Throws if a group may not publish the link that the user gave: `invalidGroupLink`, also for the short link of a
    /// group when the other is a channel, `duplicateGroupLink` and `ownAddress`.
    package func requirePublishable(_ given: String, for group: Group) throws(GroupsError) {
        let link: GroupLink
        do throws(GroupLinkError) {
            link = try GroupLink(given)
            if group.isChannel, link.isOfGroup { throw GroupLinkError(text: link.text, problem: .ofGroup) }
        } catch {
            throw .invalidGroupLink(error)
        }
        try requirePublishable(link, for: group)
    }

    /// Throws `duplicateGroupLink` when another group of the profile has the link in any spelling, and `ownAddress`. A
    /// group that the profile left does not count.
    func requirePublishable(_ link: GroupLink, for group: Group) throws(GroupsError) {
        let others = try linked(to: link, of: group.userID).map(\.summary.group)
            .filter { $0.id != group.id && $0.membership?.status.isHistory != true }
        if let other = others.first { throw .duplicateGroupLink(other) }
        if try isAddress(link, of: group.userID) { throw .ownAddress(link) }
    }

    /// A full link may lead to a person.
    private func isAddress(_ link: GroupLink, of user: UserID) throws(GroupsError) -> Bool {
        guard let full = link.full else { return false }
        return try count(
            """
            SELECT count(*) FROM user_contact_links
            WHERE user_contact_link_id IN (
                SELECT user_contact_link_id FROM user_contact_links
                WHERE user_id = \(user) AND conn_req_contact = \(full)
                UNION SELECT user_contact_link_id FROM user_contact_links
                WHERE user_id = \(user) AND conn_req_contact_key = \(LinkKey.of(full)))
                AND group_id IS NULL
            """) > 0
    }

    private func linked(to link: GroupLink, of user: UserID) throws(GroupsError) -> [LinkedGroup] {
        let ids = GroupsOfLink(link, of: user)
        return try all(
            """
            SELECT \(GroupSummary.columns),
                CASE WHEN groups.group_id IN (\(ids.made)) OR own.member_status = \(GroupMemberStatus.creator)
                    AND groups.group_id IN (\(ids.published)) THEN 1 ELSE 0 END AS is_own_link,
                CASE WHEN groups.group_id IN (\(ids.opened)) THEN 1 ELSE 0 END AS is_link_to_connect
            FROM \(Group.tables)
            WHERE groups.user_id = \(user)
                AND groups.group_id IN (\(ids.opened) UNION \(ids.published) UNION \(ids.made))
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }
}

/// The groups of a profile that have a link, by key or by text, as queries of their ids. Each part of a union has an
/// index. A link is compared by its text too, because the key of a stored link may be NULL.
private struct GroupsOfLink {
    /// The groups that were opened by the link.
    let opened: Query
    /// The groups that publish the link.
    let published: Query
    /// The groups for which the profile made the link. NULL for the profile's address, which leads to no group.
    let made: Query

    init(_ link: GroupLink, of user: UserID) {
        func union(_ rows: Query, _ columns: String...) -> Query {
            let parts: [Query] = columns.flatMap { column -> [Query] in
                [
                    "\(rows) AND \(identifier: column) IN (\(list: link.texts))",
                    "\(rows) AND \(identifier: column + "_key") IN (\(list: link.keys))",
                ]
            }
            return Query.joined(parts, by: " UNION ")
        }
        opened = union(
            "SELECT g.group_id FROM groups g WHERE g.user_id = \(user)", "conn_full_link_to_connect",
            "conn_short_link_to_connect")
        published = union(
            """
            SELECT g.group_id FROM group_profiles p JOIN groups g ON g.group_profile_id = p.group_profile_id
            WHERE p.user_id = \(user)
            """, "group_link")
        made = union(
            "SELECT l.group_id FROM user_contact_links l WHERE l.user_id = \(user)", "conn_req_contact",
            "short_link_contact")
    }
}

private struct LinkedGroup: RowRecord {
    let summary: GroupSummary
    let isOwnLink: Bool
    let isLinkToConnect: Bool

    init(row: ResultRow) throws(StoreError) {
        summary = try GroupSummary(row: row)
        isOwnLink = try row.get("is_own_link")
        isLinkToConnect = try row.get("is_link_to_connect")
    }
}

/// The result of opening a link.
public struct PreparedGroup: Sendable, Hashable {
    /// Whether a group was made.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A new group.
        case prepared
        /// The profile had it already.
        case existing
    }

    /// The kind of result.
    public let outcome: Outcome
    /// The group.
    public let group: GroupSummary
    /// The hosts of the relays that the link advertises, as they were given; for the screen before joining. They are
    /// not stored: the app asks for the relays anew when it joins.
    public let relayHosts: [String]
}

extension GroupsWriter {
    /// Makes a group from its link and the data of the link, before the profile joins it: the profile is not a current
    /// member yet. `throughRelays` makes it a channel, and so do `groupRelays`, the links of the relays that the link
    /// advertises; they are not stored. `welcomeMessage` is the id of the welcome message, if it is shown.
    ///
    /// If the profile has a group with this link already, in any spelling, returns that group and changes nothing. This
    /// may be a group of its own, one that it is in or is joining, or a prepared one. Throws `ownAddress` for the
    /// profile's own address, `invalidGroupName`, `invalidRelayLink` and `profileNotFound`; nothing is created then.
    /// Rule: docs/domain.md, "Prepared groups".
    public func prepare(
        _ link: GroupLink, profile given: GroupProfile, throughRelays: Bool, groupRelays: [String] = [],
        welcomeMessage: String? = nil, of userID: UserID, using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> PreparedGroup {
        for link in groupRelays { try GroupsError.requireLinkOfRelay(link) }
        let user = try requireProfile(userID)
        let (isChannel, hosts) = (throughRelays || !groupRelays.isEmpty, groupRelays.map(linkHost))
        switch try GroupsRepo(tx).plan(for: link, of: userID) {
        case .ownLink(let group), .known(let group), .connecting(let group), .prepared(let group):
            return PreparedGroup(outcome: .existing, group: group, relayHosts: hosts)
        case .ownAddress: throw .ownAddress(link)
        case .ok: break
        }
        let profile = try checked(given)
        let group = try insert(
            NewGroup(
                profile: profile, isChannel: isChannel, isCreating: false, link: link,
                welcomeMessage: welcomeMessage), of: userID)
        try GroupMembersWriter(tx, clock: clock).insertOwn(
            in: group, memberID: MemberIDText.make(using: &generator), role: isChannel ? .observer : .member,
            status: .unknownMember, user: user)
        return PreparedGroup(
            outcome: .prepared, group: try GroupsRepo(tx).get(group, of: userID), relayHosts: hosts)
    }

    /// Starts joining a prepared group, once: the connection is prepared by then. `requestMessage` is the id of the
    /// message that accompanies the request to join. With `incognito`, the group sees this random profile instead of the
    /// profile's own; without it, the one that `setIncognitoProfile` chose, if any.
    ///
    /// Throws `groupNotFound`, `notPrepared`, `alreadyStarted`, and `invalidMemberName` for the random profile; nothing
    /// changes then. Rule: docs/domain.md, "Prepared groups".
    @discardableResult
    public func start(
        _ id: GroupID, requestMessage: String? = nil, incognito: ContactProfileContent? = nil, of user: UserID
    ) throws(GroupsError) -> GroupSummary {
        if let incognito {
            let group = try GroupsRepo(tx).get(id, of: user).group
            if group.nextConnectPrepared { try setIncognitoProfile(incognito, of: group) }
        }
        let changed = try run(
            """
            UPDATE groups
            SET conn_link_prepared_connection = 1, conn_link_started_connection = 1,
                request_shared_msg_id = coalesce(\(requestMessage), request_shared_msg_id), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user) AND \(Group.isNextConnectPrepared)
            """)
        let group = try GroupsRepo(tx).get(id, of: user)
        if changed == 0 { throw group.group.isPrepared ? .alreadyStarted(group.group) : .notPrepared(group.group) }
        return group
    }

    /// Removes a prepared group that was not started, or a channel whose creation is not finished, with all its rows,
    /// as ``delete(_:of:)`` does. Throws `groupNotFound`, `notPrepared` for any other group, and `alreadyStarted`;
    /// nothing changes then. Rule: docs/domain.md, "Prepared groups" and "Groups and channels".
    @discardableResult
    public func cancel(_ id: GroupID, of user: UserID) throws(GroupsError) -> DeletedGroup {
        try remove(try GroupsRepo(tx).cancellable(id, of: user))
    }
}

extension GroupsRepo {
    /// The group, which may be cancelled. Throws `groupNotFound`, `notPrepared` and `alreadyStarted`.
    package func cancellable(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let summary = try get(id, of: user)
        // A channel of its own that others cannot join yet.
        if summary.group.isCreating, summary.group.mayDelete { return summary }
        if !summary.group.isPrepared { throw .notPrepared(summary.group) }
        if summary.group.isStarted { throw .alreadyStarted(summary.group) }
        return summary
    }

    /// How far a group that was opened by its link is; nil for a group that the profile made or was invited to. Throws
    /// `groupNotFound`.
    public func preparation(of id: GroupID, of user: UserID) throws(GroupsError) -> GroupPreparation? {
        if try !get(id, of: user).group.isPrepared { return nil }
        return try first(
            """
            SELECT conn_link_prepared_connection, conn_link_started_connection, welcome_shared_msg_id,
                request_shared_msg_id
            FROM groups WHERE group_id = \(id) AND user_id = \(user)
            """)
    }
}

extension GroupPreparation: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        isConnectionPrepared = try row.get("conn_link_prepared_connection")
        isStarted = try row.get("conn_link_started_connection")
        welcomeMessage = try row.get("welcome_shared_msg_id")
        requestMessage = try row.get("request_shared_msg_id")
    }
}
