import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rows of members who are not in a group any longer, and to which nothing refers. Rule: docs/domain.md, "Groups and
/// channels", Clean-up of members.
extension GroupMembersRepo {
    /// The members of a group whose rows can be removed, by number; at most `limit`, from 1. The list is empty when
    /// there are none. Throws `groupNotFound`.
    public func toCleanUp(
        in group: GroupID, of user: UserID, limit: Int = 100
    ) throws(GroupsError) -> [GroupMember] {
        try GroupsRepo(tx).require(group, of: user)
        return try all(
            """
            SELECT \(GroupMember.columns) FROM group_members
            WHERE \(GroupMember.isForgotten(in: group, of: user))
            ORDER BY group_member_id LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }
}

extension GroupMembersWriter {
    /// Removes the rows of the members that `GroupMembersRepo.toCleanUp` lists, with their profiles and names where
    /// nothing else uses them, and returns these members. Call it again until it returns none. Throws `groupNotFound`.
    @discardableResult
    public func cleanUp(
        in group: GroupID, of user: UserID, limit: Int = 100
    ) throws(GroupsError) -> [GroupMember] {
        let members = try GroupMembersRepo(tx).toCleanUp(in: group, of: user, limit: limit)
        if members.isEmpty { return [] }
        let ids = tx.dialect.numbers(members.map(\.id.rawValue))
        let profiles: [ProfileOfMember] = try GroupMembersRepo(tx).all(
            """
            SELECT contact_profile_id FROM group_members WHERE group_member_id IN (\(ids))
            UNION
            SELECT member_profile_id FROM group_members
            WHERE group_member_id IN (\(ids)) AND member_profile_id IS NOT NULL
            """)
        try run("DELETE FROM group_members WHERE group_member_id IN (\(ids)) AND user_id = \(user)")
        do throws(StoreError) {
            try DisplayNamesWriter(tx: tx, clock: clock).releaseUnused(members.map(\.localDisplayName), of: user)
        } catch {
            throw .store(error)
        }
        do throws(ContactsError) {
            try ContactProfilesWriter(tx: tx, clock: clock).deleteUnused(profiles.map(\.id), of: user)
        } catch {
            throw .store(error.storeError ?? StoreError(.other, error.message))
        }
        return members
    }
}

private struct ProfileOfMember: RowRecord {
    let id: ContactProfileID

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("contact_profile_id")
    }
}

extension GroupMember {
    /// The condition that a row is a former member of a group, or one known from messages only, to which nothing refers.
    /// Relays stay, because the progress of a channel counts those that failed. Rejected members stay, so that the
    /// profile recognizes a person who asks again.
    fileprivate static func isForgotten(in group: GroupID, of user: UserID) -> Query {
        let gone: [GroupMemberStatus] = [.removed, .left, .deleted, .unknownMember]
        // Each of these columns has an index.
        let references: [Query] = [
            "chat_items WHERE chat_items.group_member_id",
            "chat_items WHERE chat_items.item_deleted_by_group_member_id",
            "chat_items WHERE chat_items.group_scope_group_member_id",
            "chat_item_reactions WHERE chat_item_reactions.group_member_id",
            "messages WHERE messages.author_group_member_id",
            "messages WHERE messages.forwarded_by_group_member_id",
            "connections WHERE connections.group_member_id",
            "group_members invited WHERE invited.invited_by_group_member_id",
            "group_relays WHERE group_relays.group_member_id",
            "rcv_files WHERE rcv_files.group_member_id",
            "contacts WHERE contacts.contact_group_member_id",
            "snd_files WHERE snd_files.group_member_id",
            "delivery_tasks WHERE delivery_tasks.sender_group_member_id",
            "delivery_tasks WHERE delivery_tasks.job_scope_support_gm_id",
            "delivery_jobs WHERE delivery_jobs.job_scope_support_gm_id",
        ]
        let unused = references.map { "NOT EXISTS (SELECT 1 FROM \($0) = group_members.group_member_id)" as Query }
        return """
            group_members.group_id = \(group) AND +group_members.user_id = \(user)
            AND member_category <> \(GroupMemberCategory.user) AND member_role <> \(GroupMemberRole.relay)
            AND member_status IN (\(list: gone.map(\.text)))
            AND \(Query.joined(unused, by: "\nAND "))
            """
    }
}
