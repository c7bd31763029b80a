import Engine
import Schema

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

    /// A profile that was never used goes. One that has connections or files is marked, as deleting it would have done,
    /// so that the servers are told before its rows go. Rule: docs/domain.md, "Soft delete, everywhere".
    static let removingOrphans = StoreCheck.Mending(act: "removes those without connections, and marks the others") {
        rows in
        let orphans = try orphans(chat: rows.chat, agent: rows.agent)
        let agent = rows.agent
        var changed = 0
        for some in orphans.inParts {
            changed += try agent.run(
                """
                DELETE FROM users WHERE user_id IN (\(list: some))
                    AND NOT EXISTS (SELECT 1 FROM connections WHERE connections.user_id = users.user_id)
                    AND NOT EXISTS (SELECT 1 FROM rcv_files WHERE rcv_files.user_id = users.user_id)
                    AND NOT EXISTS (SELECT 1 FROM snd_files WHERE snd_files.user_id = users.user_id)
                """)
            changed += try agent.run(
                "UPDATE users SET deleted = 1, updated_at = \(rows.now) WHERE user_id IN (\(list: some))")
            changed += try agent.run(
                """
                UPDATE connections SET deleted = 1, updated_at = \(rows.now)
                WHERE user_id IN (\(list: some)) AND deleted = 0
                """)
            changed += try agent.run(
                """
                UPDATE rcv_queues SET deleted = 1, updated_at = \(rows.now)
                WHERE deleted = 0 AND conn_id IN (SELECT conn_id FROM connections WHERE user_id IN (\(list: some)))
                """)
        }
        return changed
    }
}
