import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Groups in which a business talks to one customer. Rule: docs/domain.md, "Business chats".
extension GroupsRepo {
    /// The business chat that was made for a request, by the random id of the request, or nil.
    public func find(businessRequest id: String, of user: UserID) throws(GroupsError) -> GroupSummary? {
        try first(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user) AND groups.business_xcontact_id = \(id)
            ORDER BY groups.group_id DESC LIMIT 1
            """)
    }
}

extension GroupsWriter {
    /// Makes the chat of a business with a customer who asked at its address: a group with the name of the customer,
    /// whose owner is the profile, and the customer as a member who was accepted. `request` is the random id of the
    /// request; the same id again returns the chat that there is. Old apps send none. `generator` makes the ids of both
    /// in the group.
    ///
    /// Throws `invalidGroupName` and `profileNotFound`; nothing is created then.
    public func createBusinessChat(
        with customer: ContactProfileContent, request: String? = nil, of userID: UserID,
        using generator: inout some RandomNumberGenerator
    ) throws(GroupsError) -> GroupSummary {
        let profile = try checked(
            GroupProfile(
                displayName: customer.displayName, fullName: customer.fullName,
                shortDescription: customer.shortDescription, image: customer.image))
        let user = try requireProfile(userID)
        if let request, let existing = try GroupsRepo(tx).find(businessRequest: request, of: userID) {
            return existing
        }
        let group = try insert(NewGroup(profile: profile, isChannel: false, isCreating: false), of: userID)
        let members = GroupMembersWriter(tx, clock: clock)
        let ids = (0..<2).map { _ in MemberIDText.make(using: &generator) }
        try members.insertOwn(in: group, memberID: ids[0], role: .owner, status: .creator, user: user)
        let member = try members.insert(
            NewMember(
                name: profile.displayName, memberID: ids[1], role: .member, category: .invitee, status: .accepted,
                invitedBy: .user),
            in: group, of: userID)
        try members.setProfile(customer, of: member, of: userID)
        try run(
            """
            UPDATE groups
            SET business_chat = \(BusinessChatKind.customer), business_member_id = \(ids[0]),
                customer_member_id = \(ids[1]), business_xcontact_id = \(request)
            WHERE group_id = \(group) AND user_id = \(userID)
            """)
        return try GroupsRepo(tx).get(group, of: userID)
    }

    /// Stores that a group is a business chat, as its invitation or its link says; nil for another group. Throws
    /// `groupNotFound`, `channelIsNoBusinessChat`, and `invalidMemberID` for an id that no member can have; nothing has
    /// changed then.
    @discardableResult
    public func setBusinessChat(
        _ chat: BusinessChat?, of id: GroupID, of user: UserID
    ) throws(GroupsError) -> GroupSummary {
        let group = try GroupsRepo(tx).get(id, of: user).group
        if group.isChannel, chat != nil { throw .channelIsNoBusinessChat(group) }
        let (business, customer) = try (checked(chat?.businessMemberID), checked(chat?.customerMemberID))
        try run(
            """
            UPDATE groups
            SET business_chat = \(chat?.kind), business_member_id = \(business), customer_member_id = \(customer),
                updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user)
            """)
        return try GroupsRepo(tx).get(id, of: user)
    }

    private func checked(_ memberID: String?) throws(GroupsError) -> String? {
        guard let memberID else { return nil }
        return try asGroupsError(GroupsError.invalidMemberID) { () throws(NameProblem) in
            try NameRule.checked(memberID)
        }
    }
}

/// Groups that everyone knows by an id. Rule: docs/domain.md, "Groups and channels", Public groups.
extension GroupsRepo {
    /// The id by which everyone knows a group, with its kind; nil for a group that is not public. Throws
    /// `groupNotFound`.
    public func publicGroup(of id: GroupID, of user: UserID) throws(GroupsError) -> PublicGroup? {
        let row: PublicGroupRow? = try first(
            """
            SELECT group_profiles.public_group_id, group_profiles.group_type
            FROM groups JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
            WHERE groups.group_id = \(id) AND groups.user_id = \(user)
            """)
        guard let row else { throw .groupNotFound(.id(id)) }
        return row.group
    }

    /// The groups of a profile that everyone knows by an id, newest chat first. The list is empty when there are none. A
    /// profile that left a group and joined it again has two.
    public func all(publicID id: String, of user: UserID) throws(GroupsError) -> [GroupSummary] {
        try all(
            """
            SELECT \(GroupSummary.columns) FROM \(Group.tables)
            WHERE groups.user_id = \(user) AND groups.group_profile_id IN (
                SELECT p.group_profile_id FROM group_profiles p
                WHERE p.user_id = \(user) AND p.public_group_id = \(id))
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }
}

extension GroupsWriter {
    /// Stores the id by which everyone knows a group, with its kind; nil for a group that is not public. Throws
    /// `groupNotFound` and `invalidPublicGroupID`; nothing has changed then.
    public func setPublicGroup(_ group: PublicGroup?, of id: GroupID, of user: UserID) throws(GroupsError) {
        try GroupsRepo(tx).require(id, of: user)
        var publicID: String?
        if let text = group?.id {
            publicID = try asGroupsError(GroupsError.invalidPublicGroupID) { () throws(NameProblem) in
                try NameRule.checked(text)
            }
        }
        try run(
            """
            UPDATE group_profiles
            SET public_group_id = \(publicID), group_type = \(group?.kind), updated_at = \(now)
            WHERE user_id = \(user) AND group_profile_id = (
                SELECT groups.group_profile_id FROM groups WHERE groups.group_id = \(id) AND groups.user_id = \(user))
            """)
    }
}

private struct PublicGroupRow: RowRecord {
    let group: PublicGroup?

    init(row: ResultRow) throws(StoreError) {
        guard let id: String = try row.get("public_group_id") else {
            group = nil
            return
        }
        group = PublicGroup(id: id, kind: try row.get("group_type"))
    }
}
