package import ChatDBEngine
import ChatDBSchema

/// Whether the two databases of a store belong together, judged by the rows by which the chat database refers to the
/// agent's. It is for databases of SimpleX Chat, which have no id of their store.
package struct PairAgreement: Sendable {
    /// The number of profiles, and of those whose agent user is missing.
    package let profiles: (all: Int, missing: Int)
    /// The number of connections that are in use, and of those that the agent database does not have.
    package let connections: (all: Int, missing: Int)
    /// The number of connections that the agent database uses, and of those that the chat database does not have.
    package let agentConnections: (all: Int, missing: Int)
    /// The number of profiles of the agent database that no profile of the chat database refers to.
    package let agentProfilesMissing: Int

    /// Whether the databases can be of one store: the agent database has some of the profiles, and some of the
    /// connections. `check` reports each profile and connection that is missing.
    package var isOneStore: Bool {
        reasons.isEmpty && [profiles, connections].allSatisfy { $0.all == 0 || $0.missing < $0.all }
    }

    /// The number of rows without a counterpart that a crash or a deletion may leave. So few are no reason.
    private static let mostOrphans = 2

    /// The reasons why the databases are not of one store, or not of one moment, a clause each. Empty if they may
    /// belong together.
    package var reasons: [String] {
        var reasons: [String] = []
        if areConnectionsOfOthers {
            reasons.append(
                "connections: the agent database lacks \(connections.missing) of \(connections.all), and the chat "
                    + "database lacks \(agentConnections.missing) of \(agentConnections.all)")
        }
        // Numbers of profiles can agree by chance, because they begin with 1 in every store.
        let isAnyMet = profiles.missing < profiles.all || connections.missing < connections.all
        if profiles.all > 0, agentProfilesMissing > 0, !isAnyMet {
            reasons.append("profiles: the agent database has none of the profiles, and others instead")
        }
        return reasons
    }

    /// Whether each database lacks most of the connections that the other one uses, or the agent database has none of
    /// the chat database's connections.
    private var areConnectionsOfOthers: Bool {
        let met = connections.all - connections.missing
        if met == 0 {
            return connections.all > 0 && connections.missing + agentConnections.missing > Self.mostOrphans
        }
        return [connections, agentConnections].allSatisfy {
            $0.missing > Self.mostOrphans && $0.missing * 2 > $0.all
        }
    }

    /// Reads both databases, in the transactions of the caller.
    package init(chat: any ReadTransaction, agent: any ReadTransaction) throws {
        try self.init(CheckContext(chat: chat, agent: agent))
    }

    init(_ checked: CheckContext) throws {
        for database in checked.structures.keys {
            for table in ["users", "connections"] { try checked.require(table, in: database) }
        }
        let references = try AgentUsers.referredTo(in: checked.transaction(.chat))
        let users = references.numbers.filter { $0 != 0 }
        let agentUsers = try AgentUsers.all(in: checked.transaction(.agent))
        profiles = (users.count, users.count { agentUsers[$0] == nil })
        // A profile whose agent user cannot be read may have any of them.
        agentProfilesMissing =
            references.unreadable.isEmpty
            ? agentUsers.count { $0.value == .used && !users.contains($0.key) } : 0
        // A connection that one database has deleted is still in both.
        var (chat, agent) = ((all: 0, missing: 0), (all: 0, missing: 0))
        try CrossReferences.connections.walk(
            checked,
            chat: .init(
                state: """
                    CASE WHEN conn_status NOT LIKE 'deleted%' AND conn_status NOT LIKE 'failed%' THEN 1 ELSE 0 END
                    """),
            agent: .init(state: "CASE WHEN coalesce(deleted, 0) = 0 THEN 1 ELSE 0 END")
        ) { pairing in
            switch pairing {
            case .both(let row, let other):
                if row.state == 1 { chat.all += 1 }
                if other.state == 1 { agent.all += 1 }
            case .onlyChat(let row) where row.state == 1:
                chat.all += 1
                chat.missing += 1
            case .onlyAgent(let row) where row.state == 1:
                agent.all += 1
                agent.missing += 1
            case .onlyChat, .onlyAgent: break
            }
        }
        (connections, agentConnections) = (chat, agent)
    }
}
