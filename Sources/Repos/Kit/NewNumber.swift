package import ChatDBEngine

/// The tables of the chat database whose rows have a number that other rows refer to.
///
/// SQLite gives a new row the number after the highest one of its table. If the row with the highest number was lost,
/// and rows that refer to it were not, these rows would belong to the new row. Messages of a chat (`chat_items`) are
/// not here: their table is `AUTOINCREMENT`. Rule: docs/domain.md, "Numbers of new rows".
package enum NumberedTable: String, CaseIterable, Sendable {
    case users
    case contactProfiles = "contact_profiles"
    case contacts
    case groupProfiles = "group_profiles"
    case groups
    case groupMembers = "group_members"
    case chatRelays = "chat_relays"
    case connections
    case contactLinks = "user_contact_links"
    case files
    case fileDescriptions = "xftp_file_descriptions"
    case messages
    case noteFolders = "note_folders"
    case chatTags = "chat_tags"
    case operators = "server_operators"

    /// The column with the number: `group_member_id` of `group_members`.
    package var key: String {
        switch self {
        case .fileDescriptions: "file_descr_id"
        default: "\(rawValue.dropLast())_id"
        }
    }

    /// A column that refers to the table.
    package struct Reference: Sendable, Hashable {
        package let table: String
        package let column: String

        package init(table: String, column: String) {
            self.table = table
            self.column = column
        }

        init(_ table: String, _ column: String) { self.init(table: table, column: column) }
    }

    /// The columns that refer to the table. Each has an index, so that its highest number is found without a scan.
    package var references: [Reference] { Self.listed[self] ?? [] }

    private static let listed: [NumberedTable: [Reference]] = [
        .users: [
            "chat_items", "chat_relays", "chat_tags", "connections", "contact_profiles", "contact_requests", "contacts",
            "delivery_jobs", "delivery_tasks", "display_names", "files", "group_members", "group_profiles", "groups",
            "messages", "note_folders", "preset_choices", "protocol_servers", "settings", "user_contact_links",
            "xftp_file_descriptions",
        ].map { Reference($0, "user_id") },
        .contactProfiles: [
            Reference("connections", "custom_user_profile_id"), Reference("contact_requests", "contact_profile_id"),
            Reference("contacts", "contact_profile_id"), Reference("group_members", "contact_profile_id"),
            Reference("group_members", "member_profile_id"),
        ],
        .contacts: [
            Reference("chat_items", "contact_id"), Reference("chat_items", "fwd_from_contact_id"),
            Reference("chat_tags_chats", "contact_id"), Reference("connections", "contact_id"),
            Reference("contact_requests", "contact_id"), Reference("files", "contact_id"),
            Reference("group_members", "contact_id"), Reference("group_members", "invited_by"),
            Reference("users", "contact_id"),
        ],
        .groupProfiles: [Reference("groups", "group_profile_id")],
        .groups: [
            Reference("chat_items", "fwd_from_group_id"), Reference("chat_items", "group_id"),
            Reference("chat_tags_chats", "group_id"), Reference("delivery_jobs", "group_id"),
            Reference("delivery_tasks", "group_id"), Reference("files", "group_id"),
            Reference("group_members", "group_id"), Reference("group_relays", "group_id"),
            Reference("messages", "group_id"), Reference("user_contact_links", "group_id"),
        ],
        .groupMembers: [
            Reference("chat_item_reactions", "group_member_id"), Reference("chat_items", "group_member_id"),
            Reference("chat_items", "group_scope_group_member_id"),
            Reference("chat_items", "item_deleted_by_group_member_id"), Reference("connections", "group_member_id"),
            Reference("contacts", "contact_group_member_id"), Reference("delivery_jobs", "job_scope_support_gm_id"),
            Reference("delivery_tasks", "job_scope_support_gm_id"),
            Reference("delivery_tasks", "sender_group_member_id"),
            Reference("group_members", "invited_by_group_member_id"), Reference("group_relays", "group_member_id"),
            Reference("messages", "author_group_member_id"), Reference("messages", "forwarded_by_group_member_id"),
            Reference("rcv_files", "group_member_id"), Reference("snd_files", "group_member_id"),
        ],
        .chatRelays: [Reference("group_relays", "chat_relay_id")],
        .connections: [
            Reference("messages", "connection_id"), Reference("msg_deliveries", "connection_id"),
            Reference("snd_files", "connection_id"),
        ],
        .contactLinks: [
            Reference("connections", "user_contact_link_id"), Reference("connections", "via_user_contact_link"),
            Reference("contact_requests", "user_contact_link_id"),
        ],
        .files: [
            Reference("connections", "rcv_file_id"), Reference("connections", "snd_file_id"),
            Reference("rcv_files", "file_id"), Reference("snd_files", "file_id"),
        ],
        .fileDescriptions: [Reference("rcv_files", "file_descr_id"), Reference("snd_files", "file_descr_id")],
        .messages: [
            Reference("chat_items", "created_by_msg_id"), Reference("delivery_tasks", "message_id"),
            Reference("msg_deliveries", "message_id"),
        ],
        .noteFolders: [Reference("chat_items", "note_folder_id"), Reference("files", "note_folder_id")],
        .chatTags: [Reference("chat_tags_chats", "chat_tag_id")],
        .operators: [Reference("operator_usage_conditions", "server_operator_id")],
    ]
}

/// The number of a new row, as the first part of the columns and of the values of its INSERT. Both parts are empty if
/// the engine never gives a number again.
package struct NewNumber: Sendable {
    /// `chat_relay_id, `, before the other columns.
    package let column: Query
    /// The number and a comma, before the other values. The number is NULL, so that the database numbers the row,
    /// unless a row refers to a number beyond those of the table.
    package let value: Query

    init(_ table: NumberedTable, _ dialect: Dialect) {
        guard dialect.givesNumbersAgain else {
            column = ""
            value = ""
            return
        }
        column = "\(Self.name(table.key)), "
        let number: Query = Self.numbers[table] ?? "NULL"
        value = "\(number), "
    }

    /// A name of chatdb's own schema, which needs no quotes. An engine keeps a statement prepared if it has no name in quotes.
    private static func name(_ name: String) -> Query { .unchecked(sql: name) }

    private static let numbers: [NumberedTable: Query] = Dictionary(
        uniqueKeysWithValues: NumberedTable.allCases.map { ($0, Self.number(in: $0)) })

    /// A number beyond 2 to the power of 53 was never given to a row: a cell with one is damaged.
    private static func number(in table: NumberedTable) -> Query {
        let highest: [Query] = table.references.map { reference in
            let (table, column) = (name(reference.table), name(reference.column))
            return "((SELECT max(\(column)) FROM \(table) WHERE \(column) < 9007199254740992))"
        }
        return """
            (SELECT CAST(n AS INTEGER) + 1
            FROM (SELECT max(column1) AS n FROM (VALUES \(Query.joined(highest, by: ", "))) AS referring) AS highest
            WHERE n > coalesce((SELECT max(\(name(table.key))) FROM \(name(table.rawValue))), 0))
            """
    }
}

extension Writer {
    /// The number of a new row of a table. It is beyond every number to which a row refers.
    package func newNumber(in table: NumberedTable) -> NewNumber { NewNumber(table, tx.dialect) }

    /// The numbers of rows that a table lost; see ``NumberedTable/lostNumbers(in:)``.
    package func lostNumbers(of table: NumberedTable) throws(Failure) -> [Int64] {
        do throws(StoreError) {
            return try table.lostNumbers(in: tx)
        } catch {
            throw .store(error)
        }
    }
}

extension NumberedTable {
    /// The numbers of rows that the table lost: other rows refer to them. In ascending order, and empty if there are
    /// none. Each step is a look-up in an index.
    package func lostNumbers(in tx: any ReadTransaction) throws(StoreError) -> [Int64] {
        // Such an engine has foreign keys that no connection can turn off.
        guard tx.dialect.givesNumbersAgain else { return [] }
        var lost: Set<Int64> = []
        for reference in references {
            let column: Query = "\(identifier: reference.column)"
            let referring: Query = "\(identifier: reference.table)"
            let rows = try tx.rows(
                """
                WITH RECURSIVE found(n) AS (
                    SELECT min(\(column)) FROM \(referring)
                    UNION ALL
                    SELECT (SELECT min(\(column)) FROM \(referring) WHERE \(column) > found.n)
                    FROM found WHERE found.n IS NOT NULL)
                SELECT n FROM found
                WHERE n < 9007199254740992
                    AND n NOT IN (SELECT \(identifier: key) FROM \(identifier: rawValue))
                """)
            for row in rows {
                let number: Int64 = try row.get("n")
                lost.insert(number)
            }
        }
        return lost.sorted()
    }
}
