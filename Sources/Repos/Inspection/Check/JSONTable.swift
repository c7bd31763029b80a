import ChatDBEngine
import ChatDBSchema

/// A table of the chat database with columns that the app decodes as JSON. A list in the app ends with an error at a
/// row with another text.
struct JSONTable: Sendable {
    let name: String
    let columns: [String]
    /// Whether a text may have another form than JSON. Only a text that begins like JSON is examined.
    var isMixed = false

    /// All of them. A version may lack columns and tables.
    static let all = [
        JSONTable(name: "chat_items", columns: ["item_content", "quoted_content"]),
        JSONTable(name: "chat_item_versions", columns: ["msg_content"]),
        JSONTable(name: "messages", columns: ["msg_body"], isMixed: true),
        JSONTable(name: "users", columns: ["ui_themes"]),
        JSONTable(name: "contacts", columns: ["user_preferences", "ui_themes", "custom_data"]),
        JSONTable(name: "contact_profiles", columns: ["preferences", "preferences_json"]),
        JSONTable(name: "groups", columns: ["ui_themes", "custom_data"]),
        JSONTable(name: "group_profiles", columns: ["preferences", "preferences_json", "member_admission"]),
        JSONTable(name: "user_contact_links", columns: ["auto_reply_msg_content"]),
    ]

    /// Adds the texts that are not JSON, as `contact_profiles 12 preferences`, and skips the values that are too long
    /// to be read. A hidden profile appears without its number.
    func check(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let names = try checked.structure(.chat).tables[name]?.columnNames ?? []
        let columns = columns.filter(names.contains)
        if columns.isEmpty { return }
        let chat = try checked.transaction(.chat)
        let hides = name == "users" && names.contains("view_pwd_hash")
        let label: (String) -> Query = { column in
            let number: Query = hides ? "CASE WHEN view_pwd_hash IS NULL THEN rowid || ' ' ELSE '' END" : "rowid || ' '"
            return "\(name + " ") || \(number) || \(column)"
        }
        try RowRanges(table: name, in: chat).forEach { rows in
            let parts = columns.map { column -> Query in
                "SELECT rowid AS number, \(label(column)) AS label FROM main.\(identifier: name) "
                    + "WHERE rowid BETWEEN \(rows.lowerBound) AND \(rows.upperBound) AND \(isWrong(column))"
            }
            return try chat.rows("\(Query.joined(parts, by: " UNION ALL ")) ORDER BY number").map { row in
                try row.get("label") as String
            }
        } found: {
            for label in $0 { found.add(label) }
        } tooLong: { row in
            for column in columns {
                let query: Query = """
                    SELECT length(CAST(\(identifier: column) AS BLOB)), \(label(column)) AS label
                    FROM main.\(identifier: name) WHERE rowid = \(row)
                    """
                do throws(StoreError) {
                    _ = try chat.rows(query)
                } catch {
                    guard error.kind == .beyondLimits else { throw error }
                    found.skip("\(name) \(hides ? "" : "\(row) ")\(column) (too long)")
                }
            }
        }
    }

    private func isWrong(_ column: String) -> Query {
        let text: Query = "CAST(\(identifier: column) AS TEXT)"
        return isMixed
            ? "substr(\(text), 1, 1) IN ('{', '[') AND NOT json_valid(\(text))"
            : "\(identifier: column) IS NOT NULL AND NOT json_valid(\(text))"
    }
}
