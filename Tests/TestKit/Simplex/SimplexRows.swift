import ChatDBKit

/// The rows of a store as SimpleX Chat leaves it.
struct SimplexRows {
    /// A row by columns; values are SQL. Columns and tables that a version lacks are left out.
    struct Row {
        let table: String
        let values: KeyValuePairs<String, String>

        init(_ table: String, _ values: KeyValuePairs<String, String>) {
            self.table = table
            self.values = values
        }

        /// - Parameter writesNulls: false for tables that have a default in place of some NULLs.
        func sql(in tables: [String: SimplexSchema.Table], writesNulls: Bool = true) -> String? {
            guard let columns = tables[table]?.columns.map(\.name) else { return nil }
            let known = values.filter { columns.contains($0.key) && (writesNulls || $0.value != "NULL") }
            return "INSERT INTO \(table) (\(known.map(\.key).joined(separator: ", "))) "
                + "VALUES (\(known.map(\.value).joined(separator: ", ")))"
        }
    }

    let version: SimplexStore.Version

    static let time = "'2026-07-20 09:05:00.123456'"

    func rows(of database: DatabaseName) -> [Row] {
        switch database {
        case .chat: people + servers + relays + groups + connections + rest + badges
        case .agent: agent + services
        }
    }

    /// A text in a BLOB.
    static func bytes(_ text: String) -> String { "CAST('\(text)' AS BLOB)" }

    /// Text in a column of text, where it was bytes before tables were STRICT.
    func loose(_ text: String) -> String { version.isStrict ? "'\(text)'" : Self.bytes(text) }

    private var rest: [Row] {
        [
            Row("app_settings", ["app_settings": loose("{}")]),
            Row("settings", ["settings_id": "1", "chat_item_ttl": "86400", "user_id": "1"]),
            Row(
                "messages",
                [
                    "message_id": "1", "msg_sent": "1", "chat_msg_event": "'x.msg.new'", "msg_body": Self.bytes("{}"),
                    "connection_id": "1", "shared_msg_id": "x'0102'", "created_at": Self.time,
                ]),
            Row(
                "messages",
                [
                    "message_id": "2", "msg_sent": "1", "chat_msg_event": "'x.msg.new'", "msg_body": Self.bytes("{}"),
                    "group_id": "4", "created_at": Self.time,
                ]),
            Row(
                "chat_items",
                [
                    "chat_item_id": "1", "user_id": "1", "contact_id": "11", "created_by_msg_id": "1",
                    "item_sent": "1", "item_ts": Self.time, "item_content": "'{}'", "item_text": "'hello'",
                    "item_status": "'snd_sent'", "msg_content_tag": loose("text"), "created_at": Self.time,
                    "updated_at": Self.time,
                ]),
        ]
    }

    /// The agent has users 1 to 3 of the chat database but not 4, and has 7, which is no user there.
    private var agent: [Row] {
        var rows = ["1", "2", "3", "7"].map { Row("users", ["user_id": $0]) }
        rows.append(
            Row(
                "servers",
                [
                    "host": "'smp8.simplex.im'", "port": "'5223'",
                    "key_hash": Self.bytes("0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU="),
                ]))
        for (id, user) in [("Ym9i", "1"), ("bmVpdGhlcg==", "7")] {
            rows.append(
                Row(
                    "connections",
                    ["conn_id": Self.bytes(id), "conn_mode": "'INV'", "user_id": user, "enable_ntfs": "NULL"]))
        }
        return rows
    }
}
