import ChatDBEngine
import ChatDBSchema

/// Connections whose owner, such as a contact or a member, is missing. Nothing in an app leads to such a connection.
enum OwnerlessConnections {
    private typealias Owner = (column: String, table: String, key: String)

    private static let owners: [Owner] = [
        ("contact_id", "contacts", "contact_id"), ("group_member_id", "group_members", "group_member_id"),
        ("user_contact_link_id", "user_contact_links", "user_contact_link_id"),
        ("snd_file_id", "files", "file_id"), ("rcv_file_id", "files", "file_id"),
    ]

    /// Those of the connections that refer to an owner and whose owner is missing. Empty if the chat database has
    /// another form of these tables. A connection without a reference to an owner is a link that waits for an answer.
    static func among(_ numbers: [Int64], _ checked: CheckContext) throws -> Set<Int64> {
        guard let chat = checked.chat, let tables = checked.structures[.chat]?.tables,
            let own = tables["connections"]?.columnNames, own.contains("connection_id")
        else { return [] }
        // Older versions lack the columns for files. Without the table of an owner, a missing owner means nothing.
        let known = owners.filter { own.contains($0.column) }
        guard !known.isEmpty, known.allSatisfy({ tables[$0.table]?.columnNames.contains($0.key) == true }) else {
            return []
        }
        let found = try known.map { owner -> Query in
            """
            EXISTS (SELECT 1 FROM \(try checked.file(owner.table)) AS owner
                WHERE owner.\(identifier: owner.key) = connection.\(identifier: owner.column))
            """
        }
        let given = known.map { owner -> Query in "connection.\(identifier: owner.column) IS NOT NULL" }
        let query: Query = """
            SELECT connection.connection_id FROM \(try checked.file("connections")) AS connection
            WHERE connection.connection_id IN (\(list: numbers)) AND (\(Query.joined(given, by: " OR ")))
                AND NOT (\(Query.joined(found, by: " OR ")))
            """
        do {
            return Set(
                try chat.attempt { try chat.rows(query) }.compactMap { try? $0.get("connection_id") as Int64 })
        } catch {
            // The finding then has the numbers alone, and other checks report what cannot be read.
            let error = StoreError(checking: error)
            if error.endsReading { throw error }
            return []
        }
    }
}
