import ChatDBEngine
import ChatDBSchema

/// The names by which findings report connections of the agent. The app shows contacts and groups and no connections,
/// so the name has the owner of the connection in the chat database: `connection 5 of contact 11`.
struct ConnectionNames {
    private var names: [[UInt8]: String] = [:]
    /// The numbers of those that the chat database has.
    private var numbers: [[UInt8]: Int64] = [:]

    /// - Parameter keys: the ids of the connections, a few.
    init(of keys: [[UInt8]], _ checked: CheckContext) throws {
        if keys.isEmpty { return }
        let agent = try checked.transaction(.agent)
        let key = agent.dialect.bytes("conn_id")
        for row in try agent.rows(
            """
            SELECT \(key) AS key_bytes, place FROM \(checked.numbered("connections", in: .agent))
            WHERE \(key) IN (\(list: keys))
            """)
        {
            names[try row.get("key_bytes")] = "agent: connections \(try row.get("place") as Int64)"
        }
        for row in try Self.owners(of: keys, checked) {
            let (key, number): ([UInt8], Int64) = (try row.get("key_bytes"), try row.get("connection_id"))
            names[key] = "connection \(number)" + Self.owner(in: row)
            numbers[key] = number
        }
    }

    /// The name of a connection. A connection that the chat database lacks has its number in the agent database:
    /// `agent: connections 2`.
    func name(of key: [UInt8]) -> String { names[key] ?? "agent: connections" }

    /// The number of a connection in the chat database; nil for one that the database lacks.
    func number(of key: [UInt8]) -> Int64? { numbers[key] }

    /// The connections in the chat database; empty if that database is missing, or has other tables.
    private static func owners(of keys: [[UInt8]], _ checked: CheckContext) throws(StoreError) -> [ResultRow] {
        guard let chat = checked.chat else { return [] }
        let key = chat.dialect.utf8("connections.agent_conn_id")
        let query: Query = """
            SELECT \(key) AS key_bytes, connections.connection_id,
                connections.contact_id, connections.group_member_id, group_members.group_id,
                connections.user_contact_link_id
            FROM connections
            LEFT JOIN group_members ON group_members.group_member_id = connections.group_member_id
            WHERE \(key) IN (\(list: keys)) ORDER BY connections.connection_id DESC
            """
        do throws(StoreError) {
            return try chat.attempt { () throws(StoreError) in try chat.rows(query) }
        } catch {
            // Other checks report what is wrong with the chat database.
            if error.endsReading { throw error }
            return []
        }
    }

    /// ` of contact 11`; empty for a connection whose owner is not known.
    private static func owner(in row: ResultRow) -> String {
        func number(_ column: String) -> Int64? { (try? row.get(column) as Int64?) ?? nil }
        if let contact = number("contact_id") { return " of contact \(contact)" }
        if let member = number("group_member_id") {
            return " of group member \(member)" + (number("group_id").map { " of group \($0)" } ?? "")
        }
        return number("user_contact_link_id").map { " of link \($0)" } ?? ""
    }
}

extension FoundRows {
    /// Adds the rows of an answer of the agent database by the names of their connections, and notes the connections
    /// of the chat database, each once.
    ///
    /// - Parameters:
    ///   - query: has the id of the connection as bytes in the column `key_bytes`.
    ///   - words: makes the text for the sample from a row and the name of its connection.
    mutating func addConnections(
        _ query: Query, _ checked: CheckContext, _ words: (ResultRow, String) throws -> String = { $1 }
    ) throws {
        var first: [(key: [UInt8], row: ResultRow)] = []
        var count = 0
        try checked.transaction(.agent).forEach(query) { row in
            count += 1
            if sample.count + first.count < Self.most { first.append((try row.get("key_bytes"), row)) }
        }
        let names = try ConnectionNames(of: first.map(\.key), checked)
        var numbers: [Int64] = []
        for (key, row) in first {
            add(try words(row, names.name(of: key)))
            if let number = names.number(of: key), !numbers.contains(number) { numbers.append(number) }
        }
        for _ in first.count..<count { countOnly() }
        for row in try Self.connections(numbers, checked) where !rows.contains(row) { add(row) }
    }
}
