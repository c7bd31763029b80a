import ChatDBEngine
package import ChatDBReposKit

/// How many connections of a store can work: those of the chat database to contacts and members that are ready, and of
/// which the agent database has the connection, a receiving and a sending queue, and the ratchet. A salvage reports
/// them, because the loss of one row of these ends a connection.
package struct CompleteConnections: Sendable, Hashable {
    /// The ready connections of the chat database to contacts and members.
    package let all: Int
    /// Those of which the agent database has everything.
    package let complete: Int

    /// Reads both databases, each in one transaction. Throws if one of them is missing or lacks a table.
    package init(of store: Store) throws {
        var (all, complete) = (0, 0)
        try store.readBoth { chat, agent in
            let context = CheckContext(chat: chat, agent: agent)
            let file = agent.dialect.ofFile
            // A table without any row says nothing about single connections.
            let ratchet: Query = """
                (NOT EXISTS (SELECT 1 FROM \(file("ratchets")))
                    OR EXISTS (SELECT 1 FROM \(file("ratchets")) AS r WHERE r.conn_id = connections.conn_id))
                """
            let state: Query = """
                EXISTS (SELECT 1 FROM \(file("rcv_queues")) AS q WHERE q.conn_id = connections.conn_id)
                AND EXISTS (SELECT 1 FROM \(file("snd_queues")) AS q WHERE q.conn_id = connections.conn_id)
                AND \(ratchet)
                """
            let isReady: Query =
                "conn_type IN ('contact', 'member') AND conn_status IN ('ready', 'snd-ready')"
            try CrossReferences.connections.walk(
                context, chat: .init(condition: isReady), agent: .init(state: state)
            ) { pairing in
                switch pairing {
                case .onlyChat: all += 1
                case .both(_, let row):
                    all += 1
                    if row.state == 1 { complete += 1 }
                case .onlyAgent: break
                }
            }
        }
        (self.all, self.complete) = (all, complete)
    }
}
