import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// A group that was deleted, and what is left to do elsewhere.
/// Rule: docs/domain.md, "Groups and channels", Deleting.
public struct DeletedGroup: Sendable, Hashable {
    /// The group as it was.
    public let group: GroupSummary
    /// The contents that were removed with it.
    public let contents: GroupContents
    /// The connections of the agent that served it, which the agent is to delete, in the order of their ids.
    public let agentConnections: [AgentConnectionID]
    /// The number of soft-deleted relays that were removed too, because no other channel referred to them.
    public let purgedRelays: Int
}

extension GroupsWriter {
    /// Deletes a group with everything in it: members, messages, files, links, relays, and the names and profiles that
    /// only it used. Soft-deleted relays to which nothing refers any longer are removed too. Nothing of another group
    /// changes.
    ///
    /// Throws `groupNotFound`, `notOwner` for a group that the profile is in without owning it: leave it first, and
    /// `relayRefusal` for a channel that the profile refuses to relay: allow it first.
    public func delete(_ id: GroupID, of user: UserID) throws(GroupsError) -> DeletedGroup {
        try remove(try GroupsRepo(tx).deletable(id, of: user))
    }

    /// Removes a group, with any role of the profile in it.
    func remove(_ summary: GroupSummary) throws(GroupsError) -> DeletedGroup {
        let (id, user) = (summary.group.id, summary.group.userID)
        let contents = try GroupsRepo(tx).contents(of: id, of: user)
        let leftovers = try GroupLeftovers(of: summary.group, in: tx)
        // Requests to join are removed here, because their foreign key is the only one that sets NULL instead.
        try run(
            """
            DELETE FROM contact_requests
            WHERE user_id = \(user) AND user_contact_link_id IN (
                SELECT user_contact_link_id FROM user_contact_links WHERE group_id = \(id))
            """)
        try run("DELETE FROM groups WHERE group_id = \(id) AND user_id = \(user)")
        try leftovers.remove(with: self, of: user)
        let purged = try asGroupsError { () throws(ChatRelaysError) in
            try ChatRelaysWriter(tx, clock: clock).purgeUnreferenced(of: user)
        }
        return DeletedGroup(
            group: summary, contents: contents, agentConnections: leftovers.agentConnections, purgedRelays: purged)
    }
}

extension GroupsRepo {
    /// The group, which may be deleted. Throws `groupNotFound`, `notOwner`, and `relayRefusal` for a channel that the
    /// profile refuses to relay: the row is what the refusal is known by.
    package func deletable(_ id: GroupID, of user: UserID) throws(GroupsError) -> GroupSummary {
        let summary = try get(id, of: user)
        guard summary.group.mayDelete else { throw .notOwner(summary.group) }
        let refusals = try count(
            "SELECT count(*) FROM groups WHERE group_id = \(id) AND relay_own_status = \(RelayStatus.rejected)")
        if refusals > 0 { throw .relayRefusal(summary.group) }
        return summary
    }
}

extension Group {
    /// Whether the profile may delete it: it owns it, or is not in it.
    public var mayDelete: Bool { membership?.role == .owner || !isCurrent }
}

/// The rows to which a group refers and which no foreign key removes with it: names, profiles, descriptions of files.
/// They are read before the group is removed. Afterwards those that nothing else uses are removed.
struct GroupLeftovers {
    /// The connections that go with the members, the link and the files.
    let agentConnections: [AgentConnectionID]
    /// A list, because a `Set` would take two texts as equal that Unicode treats as equal.
    private var names: [String] = []
    private var hasItems = false
    private var contactProfiles: Set<Int64> = []
    private var groupProfiles: Set<Int64> = []
    private var fileDescriptions: Set<Int64> = []

    init(of group: Group, in tx: any ReadTransaction) throws(GroupsError) {
        do throws(StoreError) {
            let links: Query = "SELECT user_contact_link_id FROM user_contact_links WHERE group_id = \(group.id)"
            let members: Query = "SELECT group_member_id FROM group_members WHERE group_id = \(group.id)"
            let files: Query = "SELECT file_id FROM files WHERE group_id = \(group.id)"
            agentConnections = try tx.rows(
                """
                SELECT agent_conn_id FROM connections WHERE group_member_id IN (\(members))
                UNION SELECT agent_conn_id FROM connections WHERE user_contact_link_id IN (\(links))
                UNION SELECT agent_conn_id FROM connections
                WHERE connection_id IN (\(FilesRepo.connections(carrying: files)))
                ORDER BY agent_conn_id
                """
            ).map { row throws(StoreError) in AgentConnectionID(text: try row.get("agent_conn_id")) }
            hasItems = try SearchIndex.hasItems(in: .group(group.id), of: group.userID, tx)
            try read(
                """
                SELECT local_display_name, contact_profile_id, member_profile_id,
                    CAST(NULL AS BIGINT) AS group_profile_id
                FROM group_members WHERE group_id = \(group.id) AND member_category <> \(GroupMemberCategory.user)
                UNION ALL SELECT NULL, NULL, member_profile_id, NULL
                FROM group_members WHERE group_id = \(group.id) AND member_category = \(GroupMemberCategory.user)
                UNION ALL SELECT local_display_name, contact_profile_id, NULL, NULL
                FROM contact_requests WHERE user_contact_link_id IN (\(links))
                UNION ALL SELECT local_display_name, NULL, NULL, group_profile_id
                FROM groups WHERE group_id = \(group.id)
                """, in: tx)
            fileDescriptions = Set(
                try tx.rows(
                    """
                    SELECT rcv_files.file_descr_id FROM files JOIN rcv_files ON rcv_files.file_id = files.file_id
                    WHERE files.group_id = \(group.id) AND rcv_files.file_descr_id IS NOT NULL
                    UNION SELECT snd_files.file_descr_id FROM files JOIN snd_files ON snd_files.file_id = files.file_id
                    WHERE files.group_id = \(group.id) AND snd_files.file_descr_id IS NOT NULL
                    UNION SELECT snd_files.file_descr_id FROM connections
                    JOIN snd_files ON snd_files.connection_id = connections.connection_id
                    WHERE connections.group_member_id IN (\(members)) AND snd_files.file_descr_id IS NOT NULL
                    """
                ).map { row throws(StoreError) in try row.get("file_descr_id") })
        } catch {
            throw .store(error)
        }
    }

    private mutating func read(_ query: Query, in tx: any ReadTransaction) throws(StoreError) {
        for row in try tx.rows(query) {
            if let name: String = try row.get("local_display_name") { names.append(name) }
            for column in ["contact_profile_id", "member_profile_id"] {
                if let profile: Int64 = try row.get(column) { contactProfiles.insert(profile) }
            }
            if let profile: Int64 = try row.get("group_profile_id") { groupProfiles.insert(profile) }
        }
    }

    /// Removes the rows that nothing uses after the group was removed.
    func remove(with writer: GroupsWriter, of user: UserID) throws(GroupsError) {
        do throws(StoreError) {
            try DisplayNamesWriter(tx: writer.tx, clock: writer.clock).releaseUnused(names, of: user)
            if hasItems { try SearchIndex(tx: writer.tx).forget(.all) }
        } catch {
            throw .store(error)
        }
        do throws(ContactsError) {
            try ContactProfilesWriter(tx: writer.tx, clock: writer.clock).deleteUnused(
                contactProfiles.sorted().map { ContactProfileID($0) }, of: user)
        } catch {
            throw .store(error.storeError ?? StoreError(.other, error.message))
        }
        for some in groupProfiles.sorted().inParts {
            try writer.run(
                """
                DELETE FROM group_profiles WHERE group_profile_id IN (\(list: some)) AND user_id = \(user)
                """)
        }
        for some in fileDescriptions.sorted().inParts {
            try writer.run(
                """
                DELETE FROM xftp_file_descriptions
                WHERE file_descr_id IN (\(list: some)) AND user_id = \(user)
                    AND NOT EXISTS (SELECT 1 FROM rcv_files
                        WHERE rcv_files.file_descr_id = xftp_file_descriptions.file_descr_id)
                    AND NOT EXISTS (SELECT 1 FROM snd_files
                        WHERE snd_files.file_descr_id = xftp_file_descriptions.file_descr_id)
                """)
        }
    }
}
