import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// A group that was deleted, and what is left to do elsewhere.
/// Rule: docs/domain.md, "Groups and channels", Deleting.
public struct DeletedGroup: Sendable, Hashable {
    /// The group as it was.
    public let group: GroupSummary
    /// How much went with it.
    public let contents: GroupContents
    /// The connections of the agent that served it, which the agent is to delete, in the order of their ids.
    public let agentConnections: [AgentConnectionID]
    /// How many soft-deleted relays went with it, because it was the last that referred to them.
    public let purgedRelays: Int
}

extension GroupsWriter {
    /// Deletes a group with everything in it: members, messages, files, links, relays, and the names and profiles that
    /// only it used. Soft-deleted relays that nothing refers to any more go too. Nothing of another group changes.
    ///
    /// Throws `groupNotFound`, and `notOwner` for a group that the profile is in without owning it: leave it first.
    public func delete(_ id: GroupID, of user: UserID) throws(GroupsError) -> DeletedGroup {
        let summary = try GroupsRepo(tx).get(id, of: user)
        guard summary.group.mayDelete else { throw .notOwner(summary.group) }
        return try remove(summary)
    }

    /// Removes a group, whatever the profile is in it.
    func remove(_ summary: GroupSummary) throws(GroupsError) -> DeletedGroup {
        let (id, user) = (summary.group.id, summary.group.userID)
        let contents = try GroupsRepo(tx).contents(of: id, of: user)
        let leftovers = try GroupLeftovers(of: summary.group, in: tx)
        // Requests to join outlive the link otherwise: theirs is the only reference that is set to NULL.
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

extension Group {
    /// Whether the profile may delete it: it owns it, or is not in it.
    public var mayDelete: Bool { membership?.role == .owner || !isCurrent }
}
