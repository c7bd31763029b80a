import ChatDBEngine
import ChatDBReposAgent
import ChatDBSchema

/// The agent's profiles, as the two databases know them.
enum AgentUsers {
    /// Whether each is being deleted, by number.
    static func all(in agent: any ReadTransaction) throws(StoreError) -> [Int64: Bool] {
        var users: [Int64: Bool] = [:]
        for row in try agent.rows("SELECT user_id, deleted FROM users") {
            users[try row.get("user_id")] = try row.get("deleted")
        }
        return users
    }

    /// The numbers the chat database refers to.
    static func referredTo(in chat: any ReadTransaction) throws(StoreError) -> Set<Int64> {
        var numbers: Set<Int64> = []
        for row in try chat.rows("SELECT agent_user_id FROM users") { numbers.insert(try row.get("agent_user_id")) }
        return numbers
    }

    /// Those that the chat database does not refer to and that are not being deleted, in order.
    static func orphans(chat: any ReadTransaction, agent: any ReadTransaction) throws(StoreError) -> [Int64] {
        let known = try referredTo(in: chat)
        return try all(in: agent).filter { !$0.value && !known.contains($0.key) }.keys.sorted()
    }

    /// Removes a profile that was never used. Marks one that has connections, as deleting it would have done, so that
    /// the app deletes the queues at the servers before the rows are removed. Rule: docs/domain.md, "Agent database",
    /// Profiles.
    static let removingOrphans = StoreCheck.Repair(
        act: "removes those without connections, and marks the others as deleted", removesRows: true
    ) { rows in
        let orphans = try orphans(chat: rows.chat, agent: rows.agent)
        let agent = AgentUsersWriter(rows.agent, clock: rows.clock)
        for id in orphans {
            try agent.markDeleted(AgentUserID(id))
            do throws(AgentUsersError) {
                try agent.remove(AgentUserID(id))
            } catch .connectionsLeft {}
        }
        return orphans.count
    }
}
