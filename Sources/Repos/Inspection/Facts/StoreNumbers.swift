public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The row counts of a database, by table and by state: for a report that says nothing about people.
///
/// The queries use the mask of `chatdb query`, so the numbers come from public columns only.
public struct StoreNumbers: Sendable, Hashable {
    /// The number of rows of a table.
    public struct Rows: Sendable, Hashable {
        /// The table.
        public let table: String
        /// Its rows; nil when counting took too long, or the table is broken.
        public let count: Int64?
    }

    /// The states of a column.
    public struct States: Sendable, Hashable {
        /// The table.
        public let table: String
        /// The column.
        public let column: String
        /// The number of rows by state; at most a hundred states.
        public let counts: [Count]

        /// A state, and how many rows have it.
        public struct Count: Sendable, Hashable {
            /// The state as stored, nil for none and for what is no state.
            public let state: State?
            /// The number of rows.
            public let rows: Int64
        }

        /// A state as it is stored.
        public enum State: Sendable, Hashable {
            /// A word.
            case text(String)
            /// A switch.
            case number(Int64)
        }
    }

    /// The row counts, in the order of the tables given.
    public let rows: [Rows]
    /// The states, in the order of ``stateColumns``, without columns that the version of the store does not have.
    public let states: [States]

    /// Columns with states, by database. All are public.
    package static let stateColumns: [DatabaseName: [(table: String, column: String)]] = [
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

    /// For one question, and for all of them.
    private static let (patience, allPatience) = (Duration.seconds(10), Duration.seconds(60))

    /// Counts, one statement for each table and each column with states. A count that would take longer than ten
    /// seconds, or would begin after a minute, is left out.
    ///
    /// - Parameter tables: the tables the database has.
    public init(of database: DatabaseName, tables: [String], asking connection: any QuestionConnection) {
        let end = ContinuousClock.now + Self.allPatience
        rows = tables.map { Rows(table: $0, count: Self.count($0, connection, until: end)) }
        states = (Self.stateColumns[database] ?? []).filter { tables.contains($0.table) }.compactMap {
            Self.states($0.table, $0.column, connection, until: end)
        }
    }

    private static func time(until end: ContinuousClock.Instant) -> Duration {
        max(.zero, min(patience, end - .now))
    }

    private static func count(
        _ table: String, _ connection: any QuestionConnection, until end: ContinuousClock.Instant
    ) -> Int64? {
        let question = Question("SELECT count(*) FROM \(SQLName.quoted(table))", time: time(until: end))
        guard case .integer(let count)? = (try? connection.ask(question))?.rows.first?.first else { return nil }
        return count
    }

    private static func states(
        _ table: String, _ column: String, _ connection: any QuestionConnection, until end: ContinuousClock.Instant
    ) -> States? {
        let sql = """
            SELECT t.\(SQLName.quoted(column)), count(*) FROM \(SQLName.quoted(table)) AS t GROUP BY 1 ORDER BY 1
            """
        guard let answer = try? connection.ask(Question(sql, rows: 100, time: time(until: end))), answer.masked.isEmpty
        else {
            return nil
        }
        let counts = answer.rows.compactMap { row -> States.Count? in
            guard case .integer(let rows)? = row.last, let state = row.first else { return nil }
            return States.Count(state: Self.state(state), rows: rows)
        }
        return States(table: table, column: column, counts: counts)
    }

    private static func state(_ value: QuestionValue) -> States.State? {
        switch value {
        case .integer(let number): .number(number)
        case .text(let text): .text(text)
        case .null, .real, .blob: nil
        }
    }
}
