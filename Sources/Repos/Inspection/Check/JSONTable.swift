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
        let structure = try checked.structure(.chat).tables[name]
        let names = structure?.columnNames ?? []
        let columns = columns.filter(names.contains)
        guard let structure, !columns.isEmpty else { return }
        let hides = name == "users" && names.contains("view_pwd_hash")
        let chat = try checked.transaction(.chat)
        guard let isJSON = chat.dialect.isJSON, let number = chat.dialect.rowNumber(structure) else {
            return try readAll(columns, hides, checked, &found)
        }
        let label: (String) -> Query = { column in
            let number: Query =
                hides ? "CASE WHEN view_pwd_hash IS NULL THEN \(number) || ' ' ELSE '' END" : "\(number) || ' '"
            return "\(name + " ") || \(number) || \(column)"
        }
        let table = chat.dialect.ofFile(name)
        try RowRanges(table: name, number: number, in: chat).forEach { rows in
            let parts = columns.map { column -> Query in
                let isWrong: Query = "\(isExamined(column)) AND NOT \(isJSON(text(column)))"
                return "SELECT \(number) AS number, \(label(column)) AS label FROM \(table) "
                    + "WHERE \(number) BETWEEN \(rows.lowerBound) AND \(rows.upperBound) AND \(isWrong)"
            }
            return try chat.rows("\(Query.joined(parts, by: " UNION ALL ")) ORDER BY number").map { row in
                try row.get("label") as String
            }
        } found: {
            for label in $0 { found.add(label) }
        } tooLong: { row in
            for column in columns {
                let query: Query = """
                    SELECT length(\(chat.dialect.utf8("\(identifier: column)"))), \(label(column)) AS label
                    FROM \(table) WHERE \(number) = \(row)
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

    /// The same for an engine that cannot say whether a text is JSON: reads all texts.
    private func readAll(
        _ columns: [String], _ hides: Bool, _ checked: CheckContext, _ found: inout FoundRows
    ) throws {
        let texts = columns.map { column -> Query in
            "CASE WHEN \(isExamined(column)) THEN \(text(column)) END AS \(identifier: column)"
        }
        let hasExamined = Query.joined(columns.map(isExamined), by: " OR ")
        let isHidden: Query = hides ? "CASE WHEN view_pwd_hash IS NULL THEN 0 ELSE 1 END" : "0"
        try checked.transaction(.chat).forEach(
            """
            SELECT place, \(isHidden) AS is_hidden, \(Query.joined(texts, by: ", "))
            FROM \(checked.numbered(name)) WHERE \(hasExamined) ORDER BY place
            """
        ) { row in
            let number: Int64? = try row.get("is_hidden") as Bool ? nil : row.get("place")
            for column in columns {
                guard let text: String = try row.get(column), !JSONText.isValid(text) else { continue }
                found.add([name, number.map(String.init), column].compactMap(\.self).joined(separator: " "))
            }
        }
    }

    private func text(_ column: String) -> Query { "CAST(\(identifier: column) AS TEXT)" }

    private func isExamined(_ column: String) -> Query {
        isMixed ? "substr(\(text(column)), 1, 1) IN ('{', '[')" : "\(identifier: column) IS NOT NULL"
    }
}
