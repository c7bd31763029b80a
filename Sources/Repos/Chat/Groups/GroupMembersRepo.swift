public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The members of the groups of a profile. Rule: docs/domain.md, "Groups and channels".
///
/// ```swift
/// let page = try store.read { try GroupMembersRepo($0).subscribers(of: channel.id, of: user.id, limit: 100) }
/// for member in page.members { print(member.localDisplayName) }
/// ```
public struct GroupMembersRepo: Repository {
    package typealias Failure = GroupsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The members of a group with a role, of those past and present, by number. The list is empty when there are none,
    /// also for a group of another profile.
    public func all(
        with role: GroupMemberRole, in group: GroupID, of user: UserID
    ) throws(GroupsError) -> [GroupMember] {
        try all(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_id = \(group) AND member_role = \(role) AND user_id = \(user)
            ORDER BY group_member_id
            """)
    }

    /// The member with a number, past or present, or nil; that of another profile is nil.
    public func find(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> GroupMember? {
        try first(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_member_id = \(id) AND user_id = \(user)
            """)
    }

    /// The member with a number, past or present. Throws `memberNotFound`.
    public func get(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> GroupMember {
        guard let member = try find(id, of: user) else { throw .memberNotFound(.id(id)) }
        return member
    }

    /// The member, past or present, whom a group knows by an id, or nil; in a group of another profile nil.
    public func find(
        memberID: String, in group: GroupID, of user: UserID
    ) throws(GroupsError) -> GroupMember? {
        try first(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_id = \(group) AND member_id = \(memberID) AND user_id = \(user)
            """)
    }

    /// The owners who are in a group now, the profile itself among them, by number. The list is empty when there are
    /// none: an owner may not be known yet. Throws `groupNotFound`.
    public func owners(of group: GroupID, of user: UserID) throws(GroupsError) -> [GroupMember] {
        try GroupsRepo(tx).require(group, of: user)
        return try all(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_id = \(group) AND member_role = \(GroupMemberRole.owner)
                AND member_status IN (\(list: GroupMemberStatus.currentTexts)) AND user_id = \(user)
            ORDER BY group_member_id
            """)
    }

    /// Whether the profile may leave a group: it is in it or is joining it, and is not its only owner. Throws
    /// `groupNotFound`.
    public func mayLeave(_ group: GroupID, of user: UserID) throws(GroupsError) -> Bool {
        let group = try GroupsRepo(tx).get(group, of: user).group
        return try reasonToStay(in: group) == nil
    }

    /// The reason why the profile cannot leave a group, `notInGroup` or `soleOwner`; nil when it can.
    package func reasonToStay(in group: Group) throws(GroupsError) -> GroupsError? {
        guard let own = group.membership, !own.status.isHistory, own.status != .unknownMember else {
            return .notInGroup(group)
        }
        return try isSoleOwner(group) ? .soleOwner(group) : nil
    }

    /// Whether the profile is the only owner of a group.
    func isSoleOwner(_ group: Group) throws(GroupsError) -> Bool {
        guard group.isCurrent, group.membership?.role == .owner else { return false }
        return try owners(of: group.id, of: group.userID).allSatisfy(\.isOwn)
    }
}

/// Some members of a group, and whether there are more.
/// Rule: docs/domain.md, "Groups and channels", Members.
public struct GroupMemberPage: Sendable, Hashable {
    /// The members in the order of their numbers, which is that in which they came.
    public let members: [GroupMember]
    /// The member after which the next page begins; nil on the last page.
    public let next: GroupMemberID?

    /// The rows of a page and the one after it, if there is one.
    init(_ rows: [GroupMember], limit: Int) {
        members = Array(rows.prefix(limit))
        next = rows.count > limit ? members.last?.id : nil
    }
}

/// Pages are sorted by number and begin after a member. So the last page costs as much as the first, and no member is
/// missed or listed twice when members join and leave meanwhile.
extension GroupMembersRepo {
    /// The members of a group with one of these roles and one of these statuses, by number. An empty list means any
    /// role or status. Former members are included only with `includingPast`. `limit` members at most, from 1. The page
    /// is empty when there are none, also after a member that is not there any more. Throws `groupNotFound`.
    public func page(
        of group: GroupID, of user: UserID, roles: [GroupMemberRole] = [], statuses: [GroupMemberStatus] = [],
        includingPast: Bool = true, after: GroupMemberID? = nil, limit: Int = 100
    ) throws(GroupsError) -> GroupMemberPage {
        let limit = PageSize.atLeastOne(limit)
        let conditions =
            Self.condition("member_role", roles.map(\.text)) + Self.condition("member_status", statuses.map(\.text))
            + (includingPast ? "" : " AND member_status NOT IN (\(list: Self.past))")
        let ofPage = { (rows: Int) -> Query in
            """
            \(Self.isMember(of: group, user)) AND group_member_id > \(after ?? GroupMemberID(0))\(conditions)
            ORDER BY group_member_id LIMIT \(number: rows)
            """
        }
        // With conditions, the inner query uses an index that has all their columns, and the outer one reads the rows of
        // one page only.
        let isAny = roles.isEmpty && statuses.isEmpty && includingPast
        return try page(of: group, of: user, limit: limit) { rows in
            isAny
                ? "SELECT \(GroupMember.columns) FROM group_members WHERE \(ofPage(rows))"
                : """
                SELECT \(GroupMember.columns) FROM group_members
                WHERE group_member_id IN (SELECT group_member_id FROM group_members WHERE \(ofPage(rows)))
                ORDER BY group_member_id
                """
        }
    }

    /// The subscribers of a channel, by number: all who are in it now but its owners and relays. `limit` members at
    /// most, from 1. The page is empty when there are none. A subscriber's store knows some of them only. Throws
    /// `groupNotFound`.
    public func subscribers(
        of group: GroupID, of user: UserID, after: GroupMemberID? = nil, limit: Int = 100
    ) throws(GroupsError) -> GroupMemberPage {
        try page(of: group, of: user, limit: PageSize.atLeastOne(limit)) { rows in
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE \(Self.isMember(of: group, user)) AND \(Self.isSubscriber)
                AND group_member_id > \(after ?? GroupMemberID(0))
            ORDER BY group_member_id LIMIT \(number: rows)
            """
        }
    }

    /// The page of a query whose rows are members of a group of the profile. Only an empty page needs another statement,
    /// to find whether there is such a group.
    private func page(
        of group: GroupID, of user: UserID, limit: Int, _ query: (_ limit: Int) -> Query
    ) throws(GroupsError) -> GroupMemberPage {
        let members: [GroupMember] = try first(limit + 1, query)
        if members.isEmpty { try GroupsRepo(tx).require(group, of: user) }
        return GroupMemberPage(members, limit: limit)
    }

    /// The condition for rows of `group_members` in a group of a profile. The group is looked up once for all of them.
    private static func isMember(of group: GroupID, _ user: UserID) -> Query {
        """
        group_id = \(group)
            AND EXISTS (SELECT 1 FROM groups WHERE groups.group_id = \(group) AND groups.user_id = \(user))
        """
    }

    /// The number of subscribers that the store knows; in the store of an owner or admin these are all. Throws
    /// `groupNotFound`.
    public func subscriberCount(of group: GroupID, of user: UserID) throws(GroupsError) -> Int {
        try GroupsRepo(tx).require(group, of: user)
        return try count("SELECT count(*) FROM group_members WHERE group_id = \(group) AND \(Self.isSubscriber)")
    }

    private static let isSubscriber: Query = """
        member_role NOT IN (\(GroupMemberRole.owner), \(GroupMemberRole.relay))
        AND member_status IN (\(list: GroupMemberStatus.currentTexts))
        """

    private static var past: [String] { GroupMemberStatus.known.filter(\.isHistory).map(\.text) }

    private static func condition(_ column: String, _ texts: [String]) -> Query {
        texts.isEmpty ? "" : " AND \(identifier: column) IN (\(list: texts))"
    }
}
