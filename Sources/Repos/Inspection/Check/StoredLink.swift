import ChatDBEngine
import ChatDBSchema

/// A stored link whose stored key is not that of its text.
struct StoredLink {
    let column: Column
    let row: Int64
    /// The key in the store, or nil.
    let stored: String?
    /// The key of the text; nil for a text that is no link, and without a text.
    let key: String?
    /// Whether there is no text.
    let isBlank: Bool

    /// The fault of a link.
    enum Fault {
        /// The link has no key.
        case missing
        /// The link has the key of another one.
        case wrong
        /// There is a key, and no link.
        case lost
    }

    private var fault: Fault? {
        if stored == key { return nil }
        if stored == nil { return .missing }
        return key == nil ? .lost : .wrong
    }

    /// The link without its text: `group_profiles 12`.
    var name: String { "\(column.table) \(row)" }

    /// Calls `body` with each link that has the fault.
    static func forEach(_ fault: Fault, in chat: any ReadTransaction, _ body: (StoredLink) -> Void) throws {
        for column in columns {
            try chat.forEach(column.query) { row in
                let text: String = try row.get("link")
                let link = StoredLink(
                    column: column, row: try row.get("id"), stored: try row.get("link_key"), key: LinkKey.of(text),
                    isBlank: text.allSatisfy(\.isWhitespace))
                if link.fault == fault { body(link) }
            }
        }
    }

    /// Sets a column of the row. Returns the number of changed rows.
    func update(_ name: String, to value: String?, _ rows: RepairContext) throws -> Int {
        try rows.chat.run(
            """
            UPDATE \(identifier: column.table) SET \(identifier: name) = \(value), updated_at = \(rows.now)
            WHERE \(identifier: column.id) = \(row)
            """)
    }

    /// A column of links. The column of its keys has the same name with `_key`.
    struct Column {
        let table: String
        let id: String
        let name: String
        /// The group of a row, as a part of a query of the table.
        let group: Query
        /// Whether it has full links only.
        var isFull = false

        var key: String { name + "_key" }

        /// The links, and keys without a link.
        var query: Query {
            """
            SELECT \(identifier: id) AS id, coalesce(\(identifier: name), '') AS link, \(identifier: key) AS link_key
            FROM \(identifier: table)
            WHERE \(identifier: name) IS NOT NULL OR \(identifier: key) IS NOT NULL
            ORDER BY \(identifier: id)
            """
        }

        /// Whether the column has such short links. The address of a profile is the link of no group.
        func takes(_ short: String) -> Bool {
            if isFull { return false }
            return table == "user_contact_links" || (try? GroupLink(short)) != nil
        }
    }

    static let columns = [
        Column(
            table: "groups", id: "group_id", name: "conn_full_link_to_connect", group: "groups.group_id", isFull: true),
        Column(table: "groups", id: "group_id", name: "conn_short_link_to_connect", group: "groups.group_id"),
        Column(
            table: "group_profiles", id: "group_profile_id", name: "group_link",
            group: """
                (SELECT min(shown.group_id) FROM groups AS shown
                    WHERE shown.group_profile_id = group_profiles.group_profile_id)
                """),
        Column(
            table: "user_contact_links", id: "user_contact_link_id", name: "conn_req_contact",
            group: "user_contact_links.group_id", isFull: true),
        Column(
            table: "user_contact_links", id: "user_contact_link_id", name: "short_link_contact",
            group: "user_contact_links.group_id"),
    ]
}
