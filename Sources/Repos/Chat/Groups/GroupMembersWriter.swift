public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A member that is to be added to a group.
/// Rule: docs/domain.md, "Groups and channels", Members.
public struct NewMember: Sendable, Hashable {
    /// The name it gives itself.
    public let name: String
    /// The id by which the group knows it.
    public let memberID: String
    /// The role.
    public let role: GroupMemberRole
    /// The category of the membership; not `user`.
    public let category: GroupMemberCategory
    /// The status of the membership.
    public let status: GroupMemberStatus
    /// The person who invited the member; nil when that is not known.
    public let invitedBy: MemberInviter?

    /// A member; nothing is checked before it is added.
    public init(
        name: String, memberID: String, role: GroupMemberRole, category: GroupMemberCategory,
        status: GroupMemberStatus, invitedBy: MemberInviter? = nil
    ) {
        self.name = name
        self.memberID = memberID
        self.role = role
        self.category = category
        self.status = status
        self.invitedBy = invitedBy
    }
}

/// The id by which a group knows a member: 12 random bytes as 16 characters of base64url.
enum MemberIDText {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    static func make(using generator: inout some RandomNumberGenerator) -> String {
        String((0..<16).map { _ in letters[Int(generator.next(upperBound: UInt64(letters.count)))] })
    }
}

/// Changes to the members of the groups of a profile. Rule: docs/domain.md, "Groups and channels".
public struct GroupMembersWriter: Writer {
    package typealias Failure = GroupsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds a member to a group, with a profile and a name of its own; a name that is taken gets a suffix.
    ///
    /// Throws `groupNotFound`, `invalidMemberName`, `invalidMemberID`, `duplicateMember` when the group has another
    /// member by that id, past or present, `ownMembership` for the category `user`, and `memberNotFound` or
    /// `contactNotFound` for another person who invited the member; nothing is created then.
    @discardableResult
    public func add(_ new: NewMember, to group: GroupID, of user: UserID) throws(GroupsError) -> GroupMember {
        let summary = try GroupsRepo(tx).get(group, of: user)
        let name = try asGroupsError(GroupsError.invalidMemberName) { () throws(NameProblem) in
            try NameRule.checked(new.name)
        }
        let memberID = try asGroupsError(GroupsError.invalidMemberID) { () throws(NameProblem) in
            try NameRule.checked(new.memberID)
        }
        if new.category == .user { throw .ownMembership(summary.group) }
        let members = GroupMembersRepo(tx)
        if let existing = try members.find(memberID: memberID, in: group, of: user) {
            throw .duplicateMember(existing)
        }
        try check(new.invitedBy, in: group, of: user)
        let checked = NewMember(
            name: name, memberID: memberID, role: new.role, category: new.category, status: new.status,
            invitedBy: new.invitedBy)
        return try members.get(try insert(checked, in: group, of: user), of: user)
    }

    /// Sets the role of a member or of the profile itself. Throws `soleOwner` for the only owner, who stays owner,
    /// `relayRole` for a change from or to the role relay, and `memberNotFound`; nothing changes then.
    @discardableResult
    public func setRole(
        _ role: GroupMemberRole, of id: GroupMemberID, of user: UserID
    ) throws(GroupsError) -> GroupMember {
        let member = try GroupMembersRepo(tx).get(id, of: user)
        if member.role == role { return member }
        if member.role == .relay || role == .relay { throw .relayRole(member, to: role) }
        if member.isOwn { try keepSoleOwner(member, of: user) }
        return try set("member_role = \(role)", of: id, of: user)
    }

    /// Sets the status of a member, from any to any, because it records actions of other members. A relay whose
    /// membership ends becomes inactive in its channel; so does the profile itself as a relay, which refuses a channel
    /// that it left. Throws `memberNotFound`, and `soleOwner` for the end of the
    /// only owner's membership.
    @discardableResult
    public func setStatus(
        _ status: GroupMemberStatus, of id: GroupMemberID, of user: UserID
    ) throws(GroupsError) -> GroupMember {
        let member = try GroupMembersRepo(tx).get(id, of: user)
        if member.isOwn, !status.isCurrent { try keepSoleOwner(member, of: user) }
        let changed = try set("member_status = \(status)", of: id, of: user)
        if status.isHistory {
            try GroupRelaysWriter(tx, clock: clock).deactivate(member: id)
            if member.isOwn { try GroupsWriter(tx, clock: clock).endRelaying(member.groupID, of: user, as: status) }
        }
        return changed
    }

    /// Removes a member: its row stays, with the status removed. A relay becomes inactive in its channel.
    ///
    /// Throws `memberNotFound`, `ownMembership` for the profile itself, which leaves instead, and `memberGone` for one
    /// that is no longer in the group; nothing changes then.
    @discardableResult
    public func remove(_ id: GroupMemberID, of user: UserID) throws(GroupsError) -> GroupMember {
        let member = try GroupMembersRepo(tx).get(id, of: user)
        if member.isOwn { throw .ownMembership(try GroupsRepo(tx).get(member.groupID, of: user).group) }
        if member.status.isHistory { throw .memberGone(member) }
        return try setStatus(.removed, of: id, of: user)
    }

    private func keepSoleOwner(_ member: GroupMember, of user: UserID) throws(GroupsError) {
        let group = try GroupsRepo(tx).get(member.groupID, of: user).group
        if try GroupMembersRepo(tx).isSoleOwner(group) { throw .soleOwner(group) }
    }

    /// Checks that the person who invited a member is another member of the group, or a contact of the profile.
    private func check(_ inviter: MemberInviter?, in group: GroupID, of user: UserID) throws(GroupsError) {
        switch inviter {
        case .member(let id):
            guard try GroupMembersRepo(tx).find(id, of: user)?.groupID == group else {
                throw .memberNotFound(.id(id))
            }
        case .contact(let id):
            let found = try GroupMembersRepo(tx).count(
                "SELECT count(*) FROM contacts WHERE contact_id = \(id) AND user_id = \(user) AND is_user = 0")
            if found == 0 { throw .contactNotFound(id) }
        case .user, nil: break
        }
    }

    func set(
        _ assignment: Query, of id: GroupMemberID, of user: UserID
    ) throws(GroupsError) -> GroupMember {
        try run(
            """
            UPDATE group_members SET \(assignment), updated_at = \(now)
            WHERE group_member_id = \(id) AND user_id = \(user)
            """)
        return try GroupMembersRepo(tx).get(id, of: user)
    }
}

/// Rows of members, for the operations that make them.
extension GroupMembersWriter {
    /// Makes the profile's own membership, with its own name and profile.
    func insertOwn(
        in group: GroupID, memberID: String, role: GroupMemberRole, status: GroupMemberStatus, user: User
    ) throws(GroupsError) {
        let number = newNumber(in: .groupMembers)
        try run(
            """
            INSERT INTO group_members (
                \(number.column)user_id, group_id, member_id, member_role, member_category, member_status,
                local_display_name, contact_profile_id, contact_id, created_at, updated_at)
            SELECT \(number.value)user_id, \(group), \(memberID), \(role), \(GroupMemberCategory.user), \(status),
                local_display_name, contact_profile_id, contact_id, \(now), \(now)
            FROM contacts
            WHERE contact_id = \(user.contactID) AND user_id = \(user.id)
            """)
    }

    /// Makes a member whose values were checked, with its own name and profile.
    func insert(_ member: NewMember, in group: GroupID, of user: UserID) throws(GroupsError) -> GroupMemberID {
        let localName = try claimName(member.name, of: user)
        let (row, number) = (newNumber(in: .contactProfiles), newNumber(in: .groupMembers))
        let profile = ContactProfileID(
            try insert(
                """
                INSERT INTO contact_profiles (\(row.column)user_id, display_name, created_at, updated_at)
                VALUES (\(row.value)\(user), \(member.name), \(now), \(now))
                """, returning: "contact_profile_id"))
        let inviter: Query =
            switch member.invitedBy {
            case .contact(let id): "\(id)"
            case .user: "(SELECT contact_id FROM users WHERE user_id = \(user))"
            case .member, nil: "NULL"
            }
        return GroupMemberID(
            try insert(
                """
                INSERT INTO group_members (
                    \(number.column)user_id, group_id, member_id, member_role, member_category, member_status,
                    local_display_name, contact_profile_id, invited_by_group_member_id, invited_by, created_at,
                    updated_at)
                VALUES (
                    \(number.value)\(user), \(group), \(member.memberID), \(member.role), \(member.category),
                    \(member.status), \(localName), \(profile), \(member.invitedBy.member), \(inviter), \(now), \(now))
                """, returning: "group_member_id"))
    }
}

extension MemberInviter? {
    fileprivate var member: GroupMemberID? { if case .member(let id) = self { id } else { nil } }
}
