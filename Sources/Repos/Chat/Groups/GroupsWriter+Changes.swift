import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Groups and channels".
extension GroupsWriter {
    /// Replaces what a group says of itself. With another name the profile calls it by that name, with a suffix when
    /// it is taken. Throws `groupNotFound` and `invalidGroupName`; nothing changes then.
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

    /// Gives a group an alias, which is shown instead of its name; an empty one takes it away. Throws `groupNotFound` and
    /// `invalidGroupName`; nothing changes then.
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

    /// Sets the link that a group publishes, or takes it away with nil. Throws `groupNotFound` and `invalidGroupLink`;
    /// nothing changes then.
    @discardableResult
    public func setLink(_ id: GroupID, to given: String?, of user: UserID) throws(GroupsError) -> GroupSummary {
        _ = try GroupsRepo(tx).get(id, of: user)
        let link: GroupLink?
        do throws(GroupLinkError) {
            link = if let given { try GroupLink(given) } else { nil }
        } catch {
            throw .invalidGroupLink(error)
        }
        try run(
            """
            UPDATE group_profiles SET group_link = \(link?.text), updated_at = \(now)
            WHERE user_id = \(user) AND group_profile_id = (
                SELECT groups.group_profile_id FROM groups WHERE groups.group_id = \(id) AND groups.user_id = \(user))
            """)
        return try GroupsRepo(tx).get(id, of: user)
    }

    /// Leaves a group: the own membership is set to left, and everything stays, a link that the profile made for it too.
    /// Throws `groupNotFound`, `notInGroup`
    /// for one that the profile is not in, and `soleOwner` for its only owner; nothing changes then.
    @discardableResult
    public func leave(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let group = try GroupsRepo(tx).get(id, of: user).group
        if let reason = try GroupMembersRepo(tx).reasonToStay(in: group) { throw reason }
        try run(
            """
            UPDATE group_members SET member_status = \(GroupMemberStatus.left), updated_at = \(now)
            WHERE group_id = \(id) AND user_id = \(user) AND member_category = \(GroupMemberCategory.user)
            """)
        return try GroupsRepo(tx).get(id, of: user)
    }

    /// Gives a group the name its profile has now. The old one is free afterwards.
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
