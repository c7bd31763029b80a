import ChatDBEngine
public import ChatDBSchema

/// Some members of a group, and whether there are more.
/// Rule: docs/domain.md, "Groups and channels", Members.
public struct GroupMemberPage: Sendable, Hashable {
    /// In the order of their numbers, which is that in which they came.
    public let members: [GroupMember]
    /// After whom the next page begins; nil on the last one.
    public let next: GroupMemberID?

    /// The rows of a page and the one after it, if there is one.
    init(_ rows: [GroupMember], limit: Int) {
        members = Array(rows.prefix(limit))
        next = rows.count > limit ? members.last?.id : nil
    }
}

/// Pages go by number and begin after a member, so that the last page costs what the first does, and nobody is missed
/// or told twice when members come and go meanwhile.
extension GroupMembersRepo {
    /// The members of a group with one of these roles and one of these statuses, by number; an empty list of either
    /// means any, those of the past only with `includingPast`. `limit` members at most, from 1. None is an empty page,
    /// also after a member that is not there any more. Throws `groupNotFound`.
    public func page(
        of group: GroupID, of user: UserID, roles: [GroupMemberRole] = [], statuses: [GroupMemberStatus] = [],
        includingPast: Bool = true, after: GroupMemberID? = nil, limit: Int = 100
    ) throws(GroupsError) -> GroupMemberPage {
        _ = try GroupsRepo(tx).get(group, of: user)
        let limit = PageSize.atLeastOne(limit)
        let conditions =
            Self.condition("member_role", roles.map(\.text)) + Self.condition("member_status", statuses.map(\.text))
            + (includingPast ? "" : " AND member_status NOT IN (\(list: Self.past))")
        // Found in an index that has all that is asked, so that rows are read of one page only.
        return GroupMemberPage(
            try all(
                """
                SELECT \(GroupMember.columns) FROM group_members
                WHERE group_member_id IN (
                    SELECT group_member_id FROM group_members
                    WHERE group_id = \(group) AND group_member_id > \(after ?? GroupMemberID(0))\(conditions)
                    ORDER BY group_member_id LIMIT \(limit + 1))
                ORDER BY group_member_id
                """), limit: limit)
    }

    /// The subscribers of a channel, by number: all who are in it now but its owners and relays. `limit` members at
    /// most, from 1. None is an empty page. A subscriber's store knows some of them only. Throws `groupNotFound`.
    public func subscribers(
        of group: GroupID, of user: UserID, after: GroupMemberID? = nil, limit: Int = 100
    ) throws(GroupsError) -> GroupMemberPage {
        _ = try GroupsRepo(tx).get(group, of: user)
        let limit = PageSize.atLeastOne(limit)
        return GroupMemberPage(
            try all(
                """
                SELECT \(GroupMember.columns) FROM group_members
                WHERE group_id = \(group) AND \(Self.isSubscriber) AND group_member_id > \(after ?? GroupMemberID(0))
                ORDER BY group_member_id LIMIT \(limit + 1)
                """), limit: limit)
    }

    /// How many subscribers the store knows of; in the store of an owner or admin these are all. Throws
    /// `groupNotFound`.
    public func subscriberCount(of group: GroupID, of user: UserID) throws(GroupsError) -> Int {
        _ = try GroupsRepo(tx).get(group, of: user)
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
