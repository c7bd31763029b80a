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

    /// A profile of the chat database.
    struct Profile {
        /// The number. It is nil for a hidden profile, whose number is not reported.
        let shownNumber: Int64?
        let agentUser: Int64
    }

    /// Calls `body` with each profile of the chat database, in order, and with the state of its agent user, which is
    /// nil if the agent database does not have the user. Skips profiles whose state cannot be read.
    static func forEachProfile(
        _ checked: CheckContext, _ found: inout FoundRows, _ body: (Profile, State?, inout FoundRows) throws -> Void
    ) throws {
        try checked.require("users", in: .agent)
        let states = try all(in: checked.transaction(.agent))
        let users: Query = "SELECT agent_user_id, user_id, view_pwd_hash IS NOT NULL AS hidden FROM users"
        try checked.forEach(users + " ORDER BY user_id", &found) { row, found in
            let agentUser: Int64 = try row.get("agent_user_id")
            let state = states[agentUser]
            if state == .unreadable { return found.skip("agent: users \(agentUser) deleted") }
            let number: Int64? = try row.get("hidden") as Bool ? nil : row.get("user_id")
            try body(Profile(shownNumber: number, agentUser: agentUser), state, &found)
        }
    }

    /// The numbers of connections that are not marked as deleted, by agent user.
    static func connections(in agent: any ReadTransaction) throws(StoreError) -> [Int64: Int64] {
        var counts: [Int64: Int64] = [:]
        let rows = try agent.rows(
            """
            SELECT user_id, count(*) AS count FROM \(agent.dialect.ofFile("connections"))
            WHERE coalesce(deleted, 0) = 0 GROUP BY user_id
            """)
        for row in rows {
            // Only a number is a user.
            guard let user = try? row.get("user_id") as Int64 else { continue }
            counts[user] = try row.get("count")
        }
        return counts
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

    /// Removes a profile that was never used. Marks one whose connections are deleted, as deleting it would have done,
    /// so that the app deletes the queues at the servers before the rows are removed. A profile with other connections
    /// is kept: an older or damaged chat database may lack a profile that is in use. Rule: docs/domain.md, "Agent
    /// database", Profiles.
    static let removingOrphans = StoreCheck.Repair(
        act: "removes them, or marks those with deleted connections as deleted", removesRows: true
    ) { try removeOrphans($0) }

    private static func removeOrphans(_ rows: RepairContext) throws -> Int {
        let used = try connections(in: rows.agent)
        let unused = try orphans(chat: rows.chat, agent: rows.agent).filter { used[$0] == nil }
        let agent = AgentUsersWriter(rows.agent, clock: rows.clock)
        var changed = unused.count
        for id in unused {
            changed += try rows.agent.count(
                """
                SELECT count(*) FROM rcv_queues
                WHERE deleted = 0 AND conn_id IN (SELECT conn_id FROM connections WHERE user_id = \(id))
                """)
            try agent.markDeleted(AgentUserID(id))
            do throws(AgentUsersError) {
                try agent.remove(AgentUserID(id))
            } catch {
                guard case .connectionsLeft = error else { throw error }
            }
        }
        return changed
    }
}

extension FoundRows {
    /// Notes which agent users without a profile have connections that are not deleted. A crash leaves them after the
    /// deletion of a profile, but so does a chat database that is older or lost rows. Nothing tells the two apart.
    ///
    /// - Parameter connections: the numbers of connections that are not deleted, by agent user.
    mutating func noteConnections(of orphans: [Int64], _ connections: [Int64: Int64]) {
        let used = orphans.compactMap { id in connections[id].map { (id: id, count: $0) } }
        guard let first = used.first else { return }
        let count = used.reduce(0) { $0 + $1.count }
        let counted = count == 1 ? "1 connection that is" : "\(count) connections that are"
        detail =
            used.count == 1
            ? "agent user \(first.id) has \(counted) not deleted"
            : "\(used.count) of them have \(counted) not deleted"
        severity = .error
        isRepairable = used.count < orphans.count
    }
}
