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

/// The rows of a table by ranges of their row ids. A range in which a value is longer than SQLite may read is halved,
/// until only the row with that value is left.
private struct RowRanges {
    let table: String
    let transaction: any ReadTransaction

    /// The time after which a table is given up. A table with many values that are too long comes from an attacker.
    private static let timeLimit = Duration.seconds(60)

    init(table: String, in transaction: any ReadTransaction) {
        (self.table, self.transaction) = (table, transaction)
    }

    /// Calls `query` with ranges of rows, and `found` with each answer, in the order of the rows. Calls `tooLong` with
    /// each row that `query` cannot read.
    func forEach<Answer>(
        _ query: (ClosedRange<Int64>) throws -> Answer, found: (Answer) -> Void, tooLong: (Int64) throws -> Void
    ) throws {
        let ends = try transaction.first(
            "SELECT min(rowid) AS first, max(rowid) AS last FROM main.\(identifier: table)")
        guard let ends, let first: Int64 = try ends.get("first"), let last: Int64 = try ends.get("last") else { return }
        let end = ContinuousClock.now + Self.timeLimit
        var ranges = [first...last]
        while let range = ranges.popLast() {
            do {
                found(try query(range))
            } catch let error as StoreError where error.kind == .beyondLimits && ContinuousClock.now < end {
                if range.lowerBound == range.upperBound {
                    try tooLong(range.lowerBound)
                } else {
                    // Without an overflow: the two ends can be the least and the greatest number.
                    let half = Int64(UInt64(bitPattern: range.upperBound &- range.lowerBound) / 2)
                    let middle = range.lowerBound + half
                    ranges += [(middle + 1)...range.upperBound, range.lowerBound...middle]
                }
            }
        }
    }
}
