package import ChatDBEngine
import ChatDBSchema

/// Whether the two databases of a store fit together, found from the rows by which the chat database refers to the
/// agent's. For databases of SimpleX Chat, which have no id of their store.
package struct PairAgreement: Sendable {
    /// The number of profiles, and of those whose agent user is missing.
    package let profiles: (all: Int, missing: Int)
    /// The number of connections that are in use, and of those that the agent database does not have.
    package let connections: (all: Int, missing: Int)
    /// The number of connections that the agent database uses, and of those that the chat database does not have.
    package let agentConnections: (all: Int, missing: Int)
    /// The number of profiles of the agent database that no profile of the chat database refers to.
    package let agentProfilesMissing: Int

    /// Whether they can be of one store: the agent database has some of the profiles, and some of the connections. One
    /// that is missing is a matter of `check`.
    package var isOneStore: Bool {
        reasons.isEmpty && [profiles, connections].allSatisfy { $0.all == 0 || $0.missing < $0.all }
    }

    /// Orphans that a crash or a deletion leaves. This many say nothing about the pair.
    private static let mostOrphans = 2

    /// The reasons why they are not of one store, or not of one moment, a clause each; empty when they may be.
    package var reasons: [String] {
        var reasons: [String] = []
        if areConnectionsOfOthers {
            reasons.append(
                "connections: the agent database lacks \(connections.missing) of \(connections.all), and the chat "
                    + "database lacks \(agentConnections.missing) of \(agentConnections.all)")
        }
        // Numbers of profiles agree by chance: both databases of every store begin with 1.
        let isAnyMet = profiles.missing < profiles.all || connections.missing < connections.all
        if profiles.all > 0, agentProfilesMissing > 0, !isAnyMet {
            reasons.append("profiles: the agent database has none of the profiles, and others instead")
        }
        return reasons
    }

    /// Whether the greater part of the connections is missing on both sides, or all on one side.
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
        let users = try AgentUsers.referredTo(in: checked.transaction(.chat)).filter { $0 != 0 }
        let agentUsers = try AgentUsers.all(in: checked.transaction(.agent))
        profiles = (users.count, users.count { agentUsers[$0] == nil })
        agentProfilesMissing = agentUsers.count { !$0.value && !users.contains($0.key) }
        let inUse: Query = "conn_status NOT LIKE 'deleted%' AND conn_status NOT LIKE 'failed%'"
        // A connection that one side has deleted is known to both.
        let chat = try CrossReferences.connections.counts(checked, chat: inUse, agent: "true")
        connections = (chat.both + chat.onlyChat, chat.onlyChat)
        let agent = try CrossReferences.connections.counts(checked, chat: "true", agent: "coalesce(deleted, 0) = 0")
        agentConnections = (agent.both + agent.onlyAgent, agent.onlyAgent)
    }
}
