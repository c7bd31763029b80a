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

    /// A column with states. All are public.
    package struct StateColumn: Sendable {
        package let table: String
        package let column: String
        /// The words that a state may be. The app writes more behind some of them: an error with a path or a host.
        let words: Set<String>

        /// A column with numbers.
        init(_ table: String, _ column: String) {
            (self.table, self.column, words) = (table, column, [])
        }

        /// A column with the texts of an enumeration, of each the first word.
        init<Value: StoredText>(_ table: String, _ column: String, _ type: Value.Type) {
            (self.table, self.column) = (table, column)
            words = Set(Value.known.map { value in String(value.text.prefix { $0 != " " }) })
        }

        /// A stored value as a state: a number, a known word, or `other` for any other text.
        func state(_ value: QuestionValue) -> States.State? {
            switch value {
            case .integer(let number): .number(number)
            case .text(let text): .text(words.contains(text) ? text : "other")
            case .null, .masked, .maskedOrNull, .real, .blob: nil
            }
        }
    }

    /// Columns with states, by database.
    package static let stateColumns: [DatabaseName: [StateColumn]] = [
        .chat: [
            StateColumn("chat_relays", "tested"), StateColumn("group_relays", "relay_status", RelayStatus.self),
            StateColumn("group_members", "member_role", GroupMemberRole.self),
            StateColumn("group_members", "member_status", GroupMemberStatus.self),
            StateColumn("connections", "conn_status", ConnectionStatus.self),
            StateColumn("contacts", "contact_status", ContactStatus.self),
            StateColumn("msg_deliveries", "delivery_status", MessageDeliveryStatus.self),
            StateColumn("files", "ci_file_status", FileTransferStatus.self),
        ],
        .agent: [
            StateColumn("connections", "ratchet_sync_state", RatchetSyncState.self),
            StateColumn("rcv_queues", "status", QueueStatus.self),
            StateColumn("rcv_queues", "switch_status", ReceiveSwitchStatus.self),
            StateColumn("snd_queues", "status", QueueStatus.self),
            StateColumn("snd_queues", "switch_status", SendSwitchStatus.self),
            StateColumn("rcv_files", "status", AgentReceivedFileStatus.self),
            StateColumn("snd_files", "status", AgentSentFileStatus.self),
            StateColumn("ntf_tokens", "tkn_status", NotificationTokenStatus.self),
            StateColumn("ntf_subscriptions", "ntf_sub_status", NotificationSubscriptionStatus.self),
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
            Self.states($0, connection, until: end)
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
        _ entry: StateColumn, _ connection: any QuestionConnection, until end: ContinuousClock.Instant
    ) -> States? {
        // A question reads a state as one known word. What the app writes behind it may be different in every row.
        let (column, table) = (SQLName.quoted(entry.column), SQLName.quoted(entry.table))
        let sql = "SELECT \(column), count(*) FROM \(table) GROUP BY 1 ORDER BY 1"
        guard let answer = try? connection.ask(Question(sql, rows: 100, time: time(until: end))), answer.masked.isEmpty
        else {
            return nil
        }
        var counts: [States.Count] = []
        for row in answer.rows {
            guard case .integer(let rows)? = row.last, let value = row.first else { continue }
            let state = entry.state(value)
            let known = counts.firstIndex { $0.state == state }
            let sum = rows + (known.map { counts.remove(at: $0).rows } ?? 0)
            counts.append(States.Count(state: state, rows: sum))
        }
        return States(table: entry.table, column: entry.column, counts: counts)
    }
}
