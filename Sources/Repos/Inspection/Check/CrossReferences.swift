import ChatDBEngine
import ChatDBSchema

/// The ids by which rows of the chat database refer to rows of the agent's. The chat database keeps them as text, the
/// agent as bytes, and SimpleX Chat as bytes in both: they are compared as bytes.
struct CrossReferences: Sendable {
    /// The table of the chat database, with the joins that the conditions need.
    let chatRows: Query
    let chatKey: Query
    /// The column with the number of a row of the chat database.
    let chatNumber: Query
    /// The table of the agent database, and its column, which has an index. The check reads the table of the file
    /// itself and not a view of it, because a view has no row ids.
    let agentTable: String
    let agentKey: String

    static let connections = CrossReferences(
        chatRows: "connections", chatKey: "connections.agent_conn_id", chatNumber: "connections.connection_id",
        agentTable: "connections", agentKey: "conn_id")
    static let receivedFiles = CrossReferences(
        chatRows: "rcv_files JOIN files USING (file_id)", chatKey: "rcv_files.agent_rcv_file_id",
        chatNumber: "files.file_id", agentTable: "rcv_files", agentKey: "rcv_file_entity_id")
    static let sentFiles = CrossReferences(
        chatRows: "files", chatKey: "files.agent_snd_file_id", chatNumber: "files.file_id", agentTable: "snd_files",
        agentKey: "snd_file_entity_id")

    /// The rows of one database that are compared.
    struct Side {
        /// The condition that they fulfil.
        var condition: Query = "true"
        /// The state of a row: 0 or 1, or NULL for a row that does not count.
        var state: Query = "NULL"
    }

    /// An id of the two databases.
    enum Pairing {
        /// Both have it. Several rows of the chat database may have the same id.
        case both(ChatRow, AgentRow)
        /// Only the chat database has it.
        case onlyChat(ChatRow)
        /// Only the agent database has it.
        case onlyAgent(AgentRow)
    }

    struct ChatRow {
        let number: Int64
        let state: Int64?
    }

    struct AgentRow {
        let key: [UInt8]
        /// The agent's profile, 0 for a row without one. It is nil if the value is not a number.
        let user: Int64?
        let state: Int64?
    }

    /// The detail of a finding about rows that are newer than all others.
    private static let newest = "they are the newest ones"

    /// Adds rows of the chat database that fulfil the condition, and whose id the agent database does not have.
    func addMissingInAgent(_ checked: CheckContext, where condition: Query, _ found: inout FoundRows) throws {
        var (missing, present): ([Int64], [Int64]) = ([], [])
        var count = 0
        try walk(checked, chat: Side(condition: condition)) {
            switch $0 {
            case .onlyChat(let row):
                found.add(row.number)
                missing = [min(row.number, missing.first ?? row.number)]
                count += 1
            case .both(let row, _): present = [max(row.number, present.first ?? row.number)]
            case .onlyAgent: break
            }
        }
        // Several new rows are lost together when one of the files is an older copy.
        if agentTable == Self.connections.agentTable, count > 1, let first = missing.first, let last = present.first,
            first > last
        {
            found.detail = Self.newest
        }
        try skipUnreadable(checked, &found)
    }

    /// Adds rows of the agent database that fulfil the condition, and whose id the chat database does not have. If the
    /// chat database lacks the profile too, another check reports the profile with its rows.
    func addMissingInChat(
        _ checked: CheckContext, where condition: Query, _ found: inout FoundRows,
        named: (Int64) -> CheckSample = { .number($0) }
    ) throws {
        let known = try AgentUsers.referredTo(in: checked.transaction(.chat)).numbers
        var missing = FirstKeys()
        var withoutUser = FirstKeys()
        try walk(checked, agent: Side(condition: condition)) {
            guard case .onlyAgent(let row) = $0 else { return }
            if let user = row.user {
                if known.contains(user) { missing.add(row.key) }
            } else {
                withoutUser.add(row.key)
            }
        }
        let places = try places(of: missing.keys, checked)
        for place in places { found.add(named(place)) }
        for _ in places.count..<max(places.count, missing.count) { found.countOnly() }
        for place in try self.places(of: withoutUser.keys, checked) {
            found.skip("agent: \(agentTable) \(place) user_id")
        }
        try skipUnreadable(checked, &found)
    }

    /// Adds the rows of the chat database whose row of the agent database is in another state.
    func addDisagreeing(_ checked: CheckContext, chat: Query, agent: Query, _ found: inout FoundRows) throws {
        try walk(checked, chat: Side(state: chat), agent: Side(state: agent)) {
            guard case .both(let row, let other) = $0, let state = row.state, let otherState = other.state else {
                return
            }
            if state != otherState { found.add(row.number) }
        }
        try skipUnreadable(checked, &found)
    }

    /// Calls `body` with each id, in order. Reads the ids of both sides at the same time, and the agent's by pages in
    /// the order of their index, so that neither memory nor the time for a page grows with the store.
    func walk(
        _ checked: CheckContext, chat: Side = Side(), agent: Side = Side(), _ body: (Pairing) throws -> Void
    ) throws {
        var pages = AgentPages(references: self, side: agent, transaction: try checked.transaction(.agent))
        let transaction = try checked.transaction(.chat)
        try transaction.forEach(
            """
            SELECT \(transaction.dialect.utf8(chatKey)) AS key_bytes, \(chatNumber) AS number, \(chat.state) AS state
            FROM \(chatRows)
            WHERE \(chatKey) IS NOT NULL AND (\(chat.condition)) ORDER BY key_bytes
            """
        ) { row in
            let key: [UInt8] = try row.get("key_bytes")
            while let first = try pages.first(), first.key.lexicographicallyPrecedes(key) {
                // Several rows may refer to one row, which was read with the first of them.
                if !pages.isFirstMet { try body(.onlyAgent(first)) }
                pages.removeFirst()
            }
            let own = ChatRow(number: try row.get("number"), state: try row.get("state"))
            if let first = try pages.first(), first.key == key {
                try body(.both(own, first))
                pages.isFirstMet = true
            } else {
                try body(.onlyChat(own))
            }
        }
        while let first = try pages.first() {
            if !pages.isFirstMet { try body(.onlyAgent(first)) }
            pages.removeFirst()
        }
    }

    /// Notes the rows of the agent database whose id is not stored as bytes. A table that is not STRICT may have them,
    /// and the app finds none of them by its id.
    private func skipUnreadable(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let agent = try checked.transaction(.agent)
        // In the order of SQLite, every other value comes before bytes.
        let isOther: Query = "\(identifier: agentKey) < \([UInt8]())"
        let table = agent.dialect.ofFile(agentTable)
        guard try agent.first("SELECT 1 FROM \(table) WHERE \(isOther) LIMIT 1") != nil else { return }
        let rows = try agent.rows(
            """
            SELECT place FROM \(checked.numbered(agentTable, in: .agent)) WHERE \(isOther)
            ORDER BY place LIMIT \(number: FoundRows.most)
            """)
        for row in rows { found.skip("agent: \(agentTable) \(try row.get("place") as Int64) \(agentKey)") }
    }

    /// The numbers of the agent's rows with these ids, in the order of the ids.
    private func places(of keys: [[UInt8]], _ checked: CheckContext) throws -> [Int64] {
        if keys.isEmpty { return [] }
        let rows = try checked.transaction(.agent).rows(
            """
            SELECT place FROM \(checked.numbered(agentTable, in: .agent))
            WHERE \(identifier: agentKey) IN (\(list: keys)) ORDER BY \(identifier: agentKey)
            """)
        return try rows.map { row throws(StoreError) in try row.get("place") }
    }
}

/// Ids of rows that a check found: their number, and the first of them.
private struct FirstKeys {
    private(set) var keys: [[UInt8]] = []
    private(set) var count = 0

    mutating func add(_ key: [UInt8]) {
        count += 1
        if keys.count < FoundRows.most { keys.append(key) }
    }
}

/// The agent's rows in the order of their ids, in parts, so that memory does not grow with the store. Only rows whose
/// id is stored as bytes.
private struct AgentPages {
    private static let size = 1000

    let references: CrossReferences
    let side: CrossReferences.Side
    let transaction: any ReadTransaction
    /// Whether the chat database refers to the first row.
    var isFirstMet = false
    private var page: ArraySlice<CrossReferences.AgentRow> = []
    private var last: [UInt8]?
    private var isAtEnd = false

    init(references: CrossReferences, side: CrossReferences.Side, transaction: any ReadTransaction) {
        (self.references, self.side, self.transaction) = (references, side, transaction)
    }

    mutating func first() throws(StoreError) -> CrossReferences.AgentRow? {
        if page.isEmpty, !isAtEnd { try read() }
        return page.first
    }

    mutating func removeFirst() {
        page.removeFirst()
        isFirstMet = false
    }

    private mutating func read() throws(StoreError) {
        let key: Query = "\(identifier: references.agentKey)"
        let isAfter: Query = last.map { "\(key) > \($0)" } ?? "\(key) >= \([UInt8]())"
        let found = try transaction.rows(
            """
            SELECT \(key) AS key_bytes, user_id, \(side.state) AS state
            FROM \(transaction.dialect.ofFile(references.agentTable))
            WHERE (\(side.condition)) AND \(isAfter) ORDER BY \(key) LIMIT \(number: Self.size)
            """)
        page = try found.map { row throws(StoreError) in
            let user: Int64? =
                switch try row.stored("user_id") {
                case .integer(let number): number
                case .null: 0
                default: nil
                }
            return try CrossReferences.AgentRow(key: row.get("key_bytes"), user: user, state: row.get("state"))
        }[...]
        last = page.last?.key ?? last
        isAtEnd = page.count < Self.size
    }
}
