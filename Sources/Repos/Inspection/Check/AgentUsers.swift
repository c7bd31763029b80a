import ChatDBEngine
import ChatDBReposAgent
import ChatDBSchema

/// The agent's profiles, as the two databases know them.
enum AgentUsers {
    /// Whether the agent uses a profile.
    enum State {
        case used
        case deleted
        /// The column `deleted` cannot be read.
        case unreadable
    }

    /// The state of each, by number.
    static func all(in agent: any ReadTransaction) throws(StoreError) -> [Int64: State] {
        var users: [Int64: State] = [:]
        for row in try agent.rows("SELECT user_id, deleted FROM users") {
            guard let user = try? row.get("user_id") as Int64 else { continue }
            do throws(StoreError) {
                users[user] = try row.get("deleted") as Bool? ?? false ? .deleted : .used
            } catch {
                users[user] = .unreadable
            }
        }
        return users
    }

    /// The agent users to which the profiles of the chat database refer.
    struct References {
        var numbers: Set<Int64> = []
        /// The profiles whose agent user cannot be read, by number.
        var unreadable: [Int64] = []
    }

    /// The numbers to which the chat database refers.
    static func referredTo(in chat: any ReadTransaction) throws(StoreError) -> References {
        var references = References()
        for row in try chat.rows("SELECT user_id, agent_user_id FROM users") {
            if let number = try? row.get("agent_user_id") as Int64 {
                references.numbers.insert(number)
            } else {
                references.unreadable.append(try row.get("user_id"))
            }
        }
        return references
    }

    /// Those that the chat database does not refer to and that are not being deleted, in order. Throws if the agent
    /// user of a profile cannot be read, because it may be any of them.
    static func orphans(chat: any ReadTransaction, agent: any ReadTransaction) throws(StoreError) -> [Int64] {
        let known = try referredTo(in: chat)
        let orphans = try all(in: agent).filter { $0.value == .used && !known.numbers.contains($0.key) }.keys.sorted()
        if !orphans.isEmpty, !known.unreadable.isEmpty {
            throw StoreError(.unexpectedRow, "the column agent_user_id of a profile cannot be read")
        }
        return orphans
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
