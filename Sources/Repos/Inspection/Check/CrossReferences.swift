import ChatDBEngine
import ChatDBSchema

/// The ids by which rows of the chat database refer to rows of the agent's. The chat database keeps them as text, the
/// agent as bytes, and SimpleX Chat as bytes in both: they are compared as bytes.
struct CrossReferences: Sendable {
    /// The table of the chat database, with the joins that the conditions need.
    let chatRows: Query
    let chatKey: Query
    /// The table of the agent database, and its column, which has an index. The check reads the table of the file
    /// itself and not a view of it, because a view has no row ids.
    let agentTable: String
    let agentKey: String

    static let connections = CrossReferences(
        chatRows: "connections", chatKey: "connections.agent_conn_id", agentTable: "connections", agentKey: "conn_id")
    static let receivedFiles = CrossReferences(
        chatRows: "rcv_files JOIN files USING (file_id)", chatKey: "rcv_files.agent_rcv_file_id",
        agentTable: "rcv_files", agentKey: "rcv_file_entity_id")
    static let sentFiles = CrossReferences(
        chatRows: "files", chatKey: "files.agent_snd_file_id", agentTable: "snd_files", agentKey: "snd_file_entity_id")

    /// Rows of the chat database that fulfil the condition, and whose id the agent database does not have.
    func missingInAgent(
        _ checked: CheckContext, number: Query, where condition: Query, _ body: (Int64) -> Void
    ) throws {
        try walk(checked, number: number, chat: condition, agent: "true", onlyChat: body)
    }

    /// Rows of the agent database that fulfil the condition, and whose id the chat database does not have. If the chat
    /// database lacks the profile too, another check reports the profile with its rows.
    func missingInChat(_ checked: CheckContext, where condition: Query, _ body: (Int64) -> Void) throws {
        let known = try AgentUsers.referredTo(in: checked.transaction(.chat))
        try walk(
            checked, number: "0", chat: "true", agent: condition,
            onlyAgent: { number, user in if known.contains(user) { body(number) } })
    }

    /// The rows of the chat database whose row of the agent database is in another state. The expressions give the
    /// state of a row: 0 or 1, or NULL for a row that does not count.
    func disagreeing(
        _ checked: CheckContext, number: Query, chat: Query, agent: Query, _ body: (Int64) -> Void
    ) throws {
        try walk(
            checked, number: number, chat: "true", agent: "true", states: (chat, agent),
            both: { number, chat, agent in if let chat, let agent, chat != agent { body(number) } })
    }

    /// How many ids fulfil the conditions in both databases, in the chat database alone, and in the agent database
    /// alone.
    func counts(
        _ checked: CheckContext, chat: Query, agent: Query
    ) throws -> (both: Int, onlyChat: Int, onlyAgent: Int) {
        var counts = (both: 0, onlyChat: 0, onlyAgent: 0)
        try walk(
            checked, number: "0", chat: chat, agent: agent, onlyChat: { _ in counts.onlyChat += 1 },
            onlyAgent: { _, _ in counts.onlyAgent += 1 }, both: { _, _, _ in counts.both += 1 })
        return counts
    }

    /// Reads the ids of both sides in order, at the same time.
    private func walk(
        _ checked: CheckContext, number: Query, chat condition: Query, agent agentCondition: Query,
        states: (chat: Query, agent: Query) = ("NULL", "NULL"), onlyChat: (Int64) -> Void = { _ in },
        onlyAgent: (Int64, Int64) -> Void = { _, _ in }, both: (Int64, Int64?, Int64?) -> Void = { _, _, _ in }
    ) throws {
        var pages = AgentPages(
            references: self, rows: checked.numbered(agentTable, in: .agent), condition: agentCondition,
            state: states.agent, transaction: try checked.transaction(.agent))
        try checked.transaction(.chat).forEach(
            """
            SELECT CAST(\(chatKey) AS BLOB) AS key_bytes, \(number) AS number, \(states.chat) AS state
            FROM \(chatRows)
            WHERE \(chatKey) IS NOT NULL AND (\(condition)) ORDER BY key_bytes
            """
        ) { row in
            let key: [UInt8] = try row.get("key_bytes")
            while let first = try pages.first(), first.key.lexicographicallyPrecedes(key) {
                // Several rows may refer to one row, which was read with the first of them.
                if !first.isMet { onlyAgent(first.number, first.user) }
                pages.removeFirst()
            }
            if let first = try pages.first(), first.key == key {
                both(try row.get("number"), try row.get("state"), first.state)
                pages.meetFirst()
            } else {
                onlyChat(try row.get("number"))
            }
        }
        while let first = try pages.first() {
            if !first.isMet { onlyAgent(first.number, first.user) }
            pages.removeFirst()
        }
    }
}

/// The agent's rows in the order of their ids, in parts, so that memory does not grow with the store.
private struct AgentPages {
    struct Row {
        let key: [UInt8]
        let number: Int64
        let user: Int64
        let state: Int64?
        var isMet = false
    }

    private static let size = 1000

    let references: CrossReferences
    let rows: Query
    let condition: Query
    let state: Query
    let transaction: any ReadTransaction
    private var page: ArraySlice<Row> = []
    private var last: [UInt8]?
    private var isAtEnd = false

    init(
        references: CrossReferences, rows: Query, condition: Query, state: Query, transaction: any ReadTransaction
    ) {
        self.references = references
        self.rows = rows
        self.condition = condition
        self.state = state
        self.transaction = transaction
    }

    mutating func first() throws(StoreError) -> Row? {
        if page.isEmpty, !isAtEnd { try read() }
        return page.first
    }

    mutating func removeFirst() { page.removeFirst() }

    mutating func meetFirst() { page[page.startIndex].isMet = true }

    private mutating func read() throws(StoreError) {
        let key: Query = "\(identifier: references.agentKey)"
        let isAfter: Query = last.map { "\(key) > \($0)" } ?? "true"
        let found = try transaction.rows(
            """
            SELECT \(key) AS key_bytes, place, coalesce(user_id, 0) AS owner, \(state) AS state FROM \(rows)
            WHERE (\(condition)) AND \(isAfter) ORDER BY \(key) LIMIT \(Self.size)
            """)
        page = try found.map { row throws(StoreError) in
            try Row(
                key: row.get("key_bytes"), number: row.get("place"), user: row.get("owner"), state: row.get("state"))
        }[...]
        last = page.last?.key ?? last
        isAtEnd = page.count < Self.size
    }
}
