import Engine
import EngineSQLite
import Migrations
import Schema

/// Numbers of rows and of states. They are asked for as `chatdb query` asks, so that nothing but public columns can be
/// in them.
struct BundleNumbers {
    private(set) var rows: JSONValue = .null
    private(set) var states: JSONValue = .null

    /// Columns with states, by database and table. All are public (a test looks).
    static let stateColumns: [DatabaseName: [(table: String, column: String)]] = [
        .chat: [
            ("chat_relays", "tested"), ("group_relays", "relay_status"), ("group_members", "member_role"),
            ("group_members", "member_status"), ("connections", "conn_status"), ("contacts", "contact_status"),
            ("msg_deliveries", "delivery_status"), ("files", "ci_file_status"),
        ],
        .agent: [
            ("connections", "ratchet_sync_state"), ("rcv_queues", "status"), ("rcv_queues", "switch_status"),
            ("snd_queues", "status"), ("snd_queues", "switch_status"), ("rcv_files", "status"), ("snd_files", "status"),
            ("ntf_tokens", "tkn_status"), ("ntf_subscriptions", "ntf_sub_status"),
        ],
    ]

    private static let patience: Duration = .seconds(120)

    static func read(_ status: StoreStatus, _ bar: ProgressBar, _ notes: inout [String]) -> BundleNumbers {
        var rows: [JSONValue.Member] = []
        var states: [JSONValue.Member] = []
        for database in DatabaseName.allCases {
            guard let part = status.readable[database] else { continue }
            do {
                let connection = try SQLiteEngine().openForQuestions(part.path, of: database)
                defer { try? connection.close() }
                let tables = try tables(connection)
                rows.append(.init(database.rawValue, .object(tables.map { .init($0, count($0, connection)) })))
                states.append(.init(database.rawValue, Self.states(of: database, among: Set(tables), connection)))
                bar.update(0)
            } catch {
                notes.append("rows of the \(database) database were not counted")
            }
        }
        return BundleNumbers(rows: .object(rows), states: .object(states))
    }

    /// The ordinary tables, by name.
    private static func tables(_ connection: any QuestionConnection) throws(QuestionError) -> [String] {
        let answer = try connection.ask(
            Question(
                """
                SELECT name FROM pragma_table_list
                WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name
                """))
        return answer.rows.compactMap { row in
            if case .text(let name) = row.first { name } else { nil }
        }
    }

    /// Null when it takes too long, or the table is broken.
    private static func count(_ table: String, _ connection: any QuestionConnection) -> JSONValue {
        let answer = try? connection.ask(
            Question("SELECT count(*) FROM \(SQLName.quoted(table))", time: patience))
        guard case .integer(let count)? = answer?.rows.first?.first else { return .null }
        return .integer(count)
    }

    /// By table and column: how many rows have which state. What the version does not have is left out.
    private static func states(
        of database: DatabaseName, among tables: Set<String>, _ connection: any QuestionConnection
    ) -> JSONValue {
        var members: [JSONValue.Member] = []
        for (table, column) in stateColumns[database] ?? [] where tables.contains(table) {
            let (table, column) = (SQLName.quoted(table), SQLName.quoted(column))
            let sql = "SELECT t.\(column), count(*) FROM \(table) AS t GROUP BY 1 ORDER BY 1"
            guard let answer = try? connection.ask(Question(sql, rows: 100, time: patience)), answer.masked.isEmpty
            else { continue }
            members.append(
                .init(
                    "\(table).\(column)".replacing("\"", with: ""),
                    .array(
                        answer.rows.compactMap { row in
                            guard case .integer(let count)? = row.last, let state = row.first else { return nil }
                            return ["state": json(state), "rows": .integer(count)]
                        })))
        }
        return .object(members)
    }

    private static func json(_ value: QuestionValue) -> JSONValue {
        switch value {
        case .integer(let number): .integer(number)
        case .text(let text): .string(text)
        case .null, .real, .blob: .null
        }
    }
}
