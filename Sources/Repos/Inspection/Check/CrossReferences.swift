package import ChatDBEngine
import ChatDBSchema

/// The ids by which rows of the chat database refer to rows of the agent's. The chat database keeps them as text, the
/// agent as bytes, and SimpleX Chat as bytes in both: they are compared as bytes.
struct CrossReferences: Sendable {
    /// The table of the chat database, with the joins that the conditions need.
    let chatRows: Query
    let chatKey: Query
    /// The table of the agent database, and its column, which has an index.
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
        try walk(checked, number: number, chat: condition, agent: "true", onlyChat: body, onlyAgent: { _, _ in })
    }

    /// Rows of the agent database that fulfil the condition, and whose id the chat database does not have. If the chat
    /// database lacks the profile too, another check reports the profile with its rows.
    func missingInChat(_ checked: CheckContext, where condition: Query, _ body: (Int64) -> Void) throws {
        let known = try AgentUsers.referredTo(in: checked.transaction(.chat))
        try walk(checked, number: "0", chat: "true", agent: condition, onlyChat: { _ in }) { number, user in
            if known.contains(user) { body(number) }
        }
    }

    /// Reads the ids of both sides in order, at the same time.
    private func walk(
        _ checked: CheckContext, number: Query, chat condition: Query, agent agentCondition: Query,
        onlyChat: (Int64) -> Void, onlyAgent: (Int64, Int64) -> Void
    ) throws {
        var pages = AgentPages(
            references: self, condition: agentCondition, transaction: try checked.transaction(.agent))
        try checked.transaction(.chat).forEach(
            """
            SELECT CAST(\(chatKey) AS BLOB) AS key_bytes, \(number) AS number FROM \(chatRows)
            WHERE \(chatKey) IS NOT NULL AND (\(condition)) ORDER BY key_bytes
            """
        ) { row in
            let key: [UInt8] = try row.get("key_bytes")
            while let first = try pages.first(), first.key.lexicographicallyPrecedes(key) {
                // Several rows may refer to one row, which was read with the first of them.
                if !first.isMet { onlyAgent(first.number, first.user) }
                pages.removeFirst()
            }
            if try pages.first()?.key == key { pages.meetFirst() } else { onlyChat(try row.get("number")) }
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
        var isMet = false
    }

    private static let size = 1000

    let references: CrossReferences
    let condition: Query
    let transaction: any ReadTransaction
    private var page: ArraySlice<Row> = []
    private var last: [UInt8]?
    private var isAtEnd = false

    init(references: CrossReferences, condition: Query, transaction: any ReadTransaction) {
        self.references = references
        self.condition = condition
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
        let rows = try transaction.rows(
            """
            SELECT \(key) AS key_bytes, rowid AS number, user_id FROM \(identifier: references.agentTable)
            WHERE (\(condition)) AND \(isAfter) ORDER BY \(key) LIMIT \(Self.size)
            """)
        page = try rows.map { row throws(StoreError) in
            try Row(key: row.get("key_bytes"), number: row.get("number"), user: row.get("user_id"))
        }[...]
        last = page.last?.key ?? last
        isAtEnd = page.count < Self.size
    }
}

/// Whether the two databases of a store fit together, found from the rows by which the chat database refers to the
/// agent's. For databases of SimpleX Chat, which have no id of their store.
package struct PairAgreement: Sendable {
    /// The number of profiles, and of those whose agent user is missing.
    package let profiles: (all: Int, missing: Int)
    /// The number of connections that are in use, and of those that the agent database does not have.
    package let connections: (all: Int, missing: Int)

    /// Whether they can be of one store: the agent database has some of the profiles, and some of the connections. One
    /// that is missing is a matter of `check`.
    package var isOneStore: Bool {
        [profiles, connections].allSatisfy { $0.all == 0 || $0.missing < $0.all }
    }

    /// Reads both databases, in the transactions of the caller.
    package init(chat: any ReadTransaction, agent: any ReadTransaction) throws {
        let (users, agentUsers) = (try AgentUsers.referredTo(in: chat), try AgentUsers.all(in: agent))
        profiles = (users.count, users.count { agentUsers[$0] == nil })
        let inUse: Query = "conn_status NOT LIKE 'deleted%' AND conn_status NOT LIKE 'failed%'"
        var missing = 0
        try CrossReferences.connections.missingInAgent(
            CheckContext(chat: chat, agent: agent), number: "connection_id", where: inUse
        ) { _ in missing += 1 }
        let all = try chat.count("SELECT count(*) FROM connections WHERE agent_conn_id IS NOT NULL AND (\(inUse))")
        connections = (all, missing)
    }
}
