package import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

/// A row of `group_relays` that lacks its relay or its member, so that it does not count. Another app, a crash or a
/// salvage leaves such rows. Rule: docs/domain.md, "Group relays", Incomplete rows.
package struct IncompleteGroupRelay: Sendable, Hashable {
    /// What a row may lack.
    package enum Part: String, Sendable, Hashable, CaseIterable {
        /// The profile does not have the relay: its row is missing, or belongs to another profile.
        case relay
        /// The channel does not have the member: its row is missing, is of another group, or is not a relay.
        case member
    }

    /// The row, with the status that it has.
    package let groupRelay: GroupRelay
    /// The profile of the channel.
    package let userID: UserID
    /// The relay; nil if the row lacks it.
    package let relay: ChatRelay?
    /// The status of its membership; nil if the row lacks its member.
    package let memberStatus: GroupMemberStatus?
    /// The name by which the member was invited: that of the relay. Its name in the channel may have a number at its
    /// end, so one relay would have another name in each channel. It is nil if the row lacks its member.
    package let memberName: String?
    /// What the row lacks, at least one part.
    package let missing: [Part]
    /// Whether the channel has the member, with a role that this build does not know. A newer app may have stored it, so
    /// nothing is lost.
    package let hasUnknownRole: Bool
    /// Whether the deletion of the row ends the membership of its member: the profile owns the channel, and the member
    /// is in it as a relay.
    package let endsMembership: Bool

    /// The name in lists: that of the relay. A lost relay has the name of its member and its id, so that its rows in
    /// several channels can be seen to be about one relay: `mine (id:7, lost)`.
    package var calledName: String { name + (lostWords.map { " (\($0))" } ?? "") }

    /// The same within brackets: `mine, id:7, lost`.
    package var nameInBrackets: String { name + (lostWords.map { ", \($0)" } ?? "") }

    /// The name without these words.
    package var name: String { relay?.calledName ?? memberName ?? "relay" }

    /// The id of a lost relay, and the word for its state; nil if the row has its relay.
    package var lostWords: String? { relay == nil ? "id:\(groupRelay.chatRelayID), lost" : nil }
}

extension GroupRelaysRepo {
    /// The incomplete rows of a channel, by number. The list is empty when there are none, and for a group of another
    /// profile.
    package func incomplete(of group: GroupID, of user: UserID) throws(GroupsError) -> [IncompleteGroupRelay] {
        try incomplete(where: "groups.group_id = \(group) AND groups.user_id = \(user)")
    }

    /// The incomplete rows of the channels of several profiles, by profile, channel and number.
    package func incomplete(ofEach users: [UserID]) throws(GroupsError) -> [IncompleteGroupRelay] {
        try incomplete(where: "groups.user_id IN (\(list: users.map(\.rawValue)))")
    }

    /// The members that are this relay in a channel by their name, and whose rows are lost. By number; the list is empty
    /// when there are none.
    package func lostMembers(of relay: ChatRelay, in group: GroupID) throws(GroupsError) -> [GroupMember] {
        try lostMembers(
            in: group, of: relay.userID,
            """
            AND EXISTS (
                SELECT 1 FROM contact_profiles
                WHERE contact_profiles.contact_profile_id = group_members.contact_profile_id
                    AND contact_profiles.display_name = \(relay.memberName))
            """)
    }

    /// The members that are relays of a channel, and whose rows are lost: the profile invited them, and they have neither
    /// left nor been removed. By number; the list is empty when there are none. `condition` begins with AND, and
    /// narrows the members further. Rule: docs/domain.md, "Group relays", Lost rows.
    package func lostMembers(
        in group: GroupID, of user: UserID, _ condition: Query = ""
    ) throws(GroupsError) -> [GroupMember] {
        try all(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE group_id = \(group) AND user_id = \(user) AND \(GroupMember.isRelayWithoutRow)
                \(condition)
            ORDER BY group_member_id
            """)
    }

    private func incomplete(where condition: Query) throws(GroupsError) -> [IncompleteGroupRelay] {
        try all(
            """
            SELECT \(IncompleteGroupRelay.columns)
            FROM groups
            JOIN group_relays ON group_relays.group_id = groups.group_id
            LEFT JOIN chat_relays ON chat_relays.chat_relay_id = group_relays.chat_relay_id
                AND chat_relays.user_id = groups.user_id
            LEFT JOIN group_members ON \(GroupRelay.isMember("group_members", of: "group_relays"))
            LEFT JOIN contact_profiles ON contact_profiles.contact_profile_id = group_members.contact_profile_id
            WHERE \(condition)
                AND (chat_relays.chat_relay_id IS NULL OR group_members.group_member_id IS NULL)
            ORDER BY groups.user_id, groups.group_id, group_relays.group_relay_id
            """)
    }
}

extension GroupRelaysWriter {
    /// Deletes an incomplete row, and the soft-deleted relays of the profile to which no row refers any longer. Returns
    /// the row as it was, and the number of these relays. If the row lacks only its relay, the membership of its member
    /// ends: without a row, nothing would say how far the member is as a relay.
    ///
    /// Throws `groupRelayNotFound`, also for a row that lacks nothing: `GroupMembersWriter.remove` takes such a relay
    /// out of its channel. Nothing changes then. Rule: docs/domain.md, "Group relays", Incomplete rows.
    @discardableResult
    package func deleteIncomplete(
        _ id: GroupRelayID, in group: GroupID, of user: UserID
    ) throws(GroupsError) -> (row: IncompleteGroupRelay, purgedRelays: Int) {
        let rows = try GroupRelaysRepo(tx).incomplete(of: group, of: user)
        guard let row = rows.first(where: { $0.groupRelay.id == id }) else { throw .groupRelayNotFound(.id(id)) }
        if row.endsMembership { try GroupMembersWriter(tx, clock: clock).remove(row.groupRelay.memberID, of: user) }
        try run("DELETE FROM group_relays WHERE group_relay_id = \(id) AND group_id = \(group)")
        let purged = try asGroupsError { () throws(ChatRelaysError) in
            try ChatRelaysWriter(tx, clock: clock).purgeUnreferenced(of: user)
        }
        return (row, purged)
    }
}

extension IncompleteGroupRelay: RowRecord {
    static let columns: Query = """
        \(GroupRelay.columns), groups.user_id AS own_user_id, group_members.member_status,
        coalesce(contact_profiles.display_name, group_members.local_display_name) AS member_name,
        chat_relays.user_id, chat_relays.address, chat_relays.address_key, chat_relays.display_name,
        chat_relays.domains, chat_relays.preset, chat_relays.tested, chat_relays.tested_at,
        chat_relays.enabled, chat_relays.deleted,
        CASE WHEN chat_relays.chat_relay_id IS NULL THEN 0 ELSE 1 END AS has_relay,
        CASE WHEN group_members.group_member_id IS NULL THEN 0 ELSE 1 END AS has_member,
        CASE WHEN \(GroupRelay.hasUnknownRole) THEN 1 ELSE 0 END AS has_unknown_role,
        CASE WHEN group_members.user_id = groups.user_id
            AND group_members.member_category <> \(GroupMemberCategory.user)
            AND group_members.member_status NOT IN (\(list: GroupMemberStatus.known.filter(\.isHistory).map(\.text)))
            AND EXISTS (
                SELECT 1 FROM group_members own
                WHERE own.group_id = groups.group_id AND own.member_role = \(GroupMemberRole.owner)
                    AND \(GroupMember.ownIsCurrent))
            THEN 1 ELSE 0 END AS ends_membership
        """

    package init(row: ResultRow) throws(StoreError) {
        let (hasRelay, hasMember): (Bool, Bool) = (try row.get("has_relay"), try row.get("has_member"))
        try self.init(
            groupRelay: GroupRelay(row: row), userID: row.get("own_user_id"),
            relay: hasRelay ? ChatRelay(row: row) : nil, memberStatus: row.get("member_status"),
            memberName: row.get("member_name"),
            missing: (hasRelay ? [] : [.relay]) + (hasMember ? [] : [.member]),
            hasUnknownRole: row.get("has_unknown_role"), endsMembership: row.get("ends_membership"))
    }
}
