import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Chat database" (search), and "Agent database", Numbers of messages and Sending.
extension StoreCheck {
    private static let index = "chat_items_fts"

    static let ofMessages = [
        StoreCheck(
            id: "searchIndex", severity: .error,
            sentence: "search indexes that do not contain the words of their texts",
            databases: [.chat], isGeneral: false,
            question: .file { connection, found in
                let table = try connection.read { try $0.first($0.dialect.tableExists(index)) }
                guard table != nil else { return }
                if try !connection.isSearchIndexSound(index) { found.add(index) }
            },
            repair: Repair(act: "rebuilds it") { try remakeSearchIndex($0) }),
        StoreCheck(
            "messageBeyondCounter", .error, "connections of the agent whose next message number is already used",
            in: [.agent], isGeneral: true
        ) { checked, found in
            let dialect = try checked.transaction(.agent).dialect
            try found.addConnections(
                """
                SELECT \(dialect.bytes("conn_id")) AS key_bytes FROM \(dialect.ofFile("connections"))
                WHERE last_internal_msg_id < (
                    SELECT max(internal_id) FROM \(dialect.ofFile("messages"))
                    WHERE messages.conn_id = connections.conn_id)
                ORDER BY conn_id
                """, checked)
        },
        StoreCheck(
            "unusedMessageBody", .warning, "message bodies of the agent that no message refers to", in: .agent,
            rows: [
                """
                SELECT snd_message_body_id FROM snd_message_bodies WHERE \(isUnusedBody) ORDER BY snd_message_body_id
                """
            ],
            repair: .removing(isUnusedBody, from: "snd_message_bodies", in: .agent)),
    ]

    /// Rebuilds the search index, and returns 1. When one of its tables is missing, the engine cannot open the index.
    /// Then the result is 0, the other findings are repaired, and this one is reported again.
    static func remakeSearchIndex(_ rows: RepairContext) throws -> Int {
        let dialect = rows.chat.dialect
        for table in dialect.textSearch.tables(index) where try rows.chat.first(dialect.tableExists(table)) == nil {
            return 0
        }
        for statement in dialect.textSearch.rebuild("\(identifier: index)") { try rows.chat.run(statement) }
        return 1
    }

    private static let isUnusedBody: Query = """
        NOT EXISTS (
            SELECT 1 FROM snd_messages WHERE snd_messages.snd_message_body_id = snd_message_bodies.snd_message_body_id)
        """
}
