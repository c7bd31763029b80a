package import ChatDBEngine
import ChatDBSchema

/// Whether the two databases of a store fit together, found from the rows by which the chat database refers to the
/// agent's. For databases of SimpleX Chat, which have no id of their store.
package struct PairAgreement: Sendable {
    /// The number of profiles whose agent user is missing.
    package let profilesWithoutAgent: Int
    /// The number of connections that are in use, and of those that the agent database does not have.
    package let connections: (all: Int, missing: Int)

    /// Whether they can be of one store. The agent may lack a few connections: those that are being deleted.
    package var isOneStore: Bool {
        profilesWithoutAgent == 0 && (connections.all == 0 || connections.missing < connections.all)
    }

    /// Reads both databases, in the transactions of the caller.
    package init(chat: any ReadTransaction, agent: any ReadTransaction) throws {
        let agentUsers = try AgentUsers.all(in: agent)
        profilesWithoutAgent = try AgentUsers.referredTo(in: chat).count { agentUsers[$0] == nil }
        let inUse: Query = "conn_status NOT LIKE 'deleted%' AND conn_status NOT LIKE 'failed%'"
        var missing = 0
        try CrossReferences.connections.missingInAgent(
            CheckContext(chat: chat, agent: agent), number: "connection_id", where: inUse
        ) { _ in missing += 1 }
        let all = try chat.count("SELECT count(*) FROM connections WHERE agent_conn_id IS NOT NULL AND (\(inUse))")
        connections = (all, missing)
    }
}
