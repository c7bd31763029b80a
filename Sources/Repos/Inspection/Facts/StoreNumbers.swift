public import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The row counts of a database, by table and by state: for a report that says nothing about people.
///
/// The states come from public columns only, and each is a number or a word that this build knows.
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

        /// Reads a state: a number, a known word, or `other` for any other text; nil for NULL and for a blob.
        func state(in row: ResultRow) -> States.State? {
            if words.isEmpty { return ((try? row.get("state")) as Int64??).flatMap(\.self).map { .number($0) } }
            guard let text: String = ((try? row.get("state")) as String??).flatMap(\.self) else { return nil }
            let word = String(text.prefix { $0 != " " })
            return .text(words.contains(word) ? word : "other")
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
            StateColumn("groups", "relay_own_status", RelayStatus.self),
            StateColumn("delivery_tasks", "task_status", DeliveryTaskStatus.self),
            StateColumn("delivery_jobs", "job_status", DeliveryJobStatus.self),
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

    /// The largest number of states of a column.
    private static let mostStates = 100

    /// Counts, one statement for each table and each column with states. A count that fails is nil; states that cannot
    /// be read are left out.
    ///
    /// - Parameters:
    ///   - tables: the tables the database has.
    ///   - connection: a connection with a time limit, because a file may make a count endless.
    public init(of database: DatabaseName, tables: [String], reading connection: any StorageConnection) {
        rows = tables.map { table in
            let query: Query = "SELECT count(*) AS rows FROM \(identifier: table)"
            return Rows(table: table, count: try? connection.read { try $0.first(query)?.get("rows") })
        }
        states = (Self.stateColumns[database] ?? []).filter { tables.contains($0.table) }.compactMap { entry in
            try? connection.read { try Self.states(entry, $0) }
        }
    }

    private static func states(_ entry: StateColumn, _ database: any ReadTransaction) throws -> States {
        let column: Query = "\(identifier: entry.column)"
        // No known word is as long.
        let state: Query = entry.words.isEmpty ? column : "substr(\(column), 1, 80)"
        var counts: [States.Count] = []
        try database.forEach(
            """
            SELECT \(state) AS state, count(*) AS rows FROM \(identifier: entry.table)
            GROUP BY 1 ORDER BY 1 NULLS FIRST
            """
        ) { row in
            // What the app writes behind a word may be different in every row.
            let (state, rows): (States.State?, Int64) = (entry.state(in: row), try row.get("rows"))
            let known = counts.firstIndex { $0.state == state }
            if known == nil, counts.count == mostStates { return }
            let sum = rows + (known.map { counts.remove(at: $0).rows } ?? 0)
            counts.append(States.Count(state: state, rows: sum))
        }
        return States(table: entry.table, column: entry.column, counts: counts)
    }
}
