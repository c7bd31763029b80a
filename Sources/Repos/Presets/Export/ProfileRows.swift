import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// The servers and relays of one profile as they are read, one at a time, in the order of their keys, which indexes
/// give.
struct ProfileRows {
    let chat: any ReadTransaction
    let user: UserID

    /// Calls `body` with the servers of one protocol, of which the condition holds.
    func forEachServer(
        _ serverProtocol: ServerProtocol, _ condition: Query = "", _ body: (ProtocolServer) throws -> Void
    ) throws {
        let query: Query = """
            SELECT \(ProtocolServer.columns) FROM protocol_servers
            WHERE user_id = \(user) AND protocol = \(serverProtocol.text)\(condition)
            ORDER BY host, port
            """
        try chat.forEach(query) { try body(ProtocolServer(row: $0)) }
    }

    /// Calls `body` with the relays that are not deleted.
    func forEachRelay(_ body: (ChatRelay) throws -> Void) throws {
        let query: Query = """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND deleted = 0
            ORDER BY address_key
            """
        try chat.forEach(query) { try body(ChatRelay(row: $0)) }
    }
}
