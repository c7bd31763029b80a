import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension Writer where Failure == AgentFilesError {
    /// One more retry; the highest count stays.
    static var oneMore: Query { "CASE WHEN retries < \(Int64.max) THEN retries + 1 ELSE retries END" }

    func requireUser(_ id: AgentUserID) throws(AgentFilesError) {
        if try row("SELECT user_id FROM users WHERE user_id = \(id) AND deleted = 0") == nil {
            throw .agentUserNotFound(id)
        }
    }

    /// Inserts rows some hundred at a time: a statement has a limit of bound values.
    func insertInParts(_ beginning: Query, _ rows: [Query]) throws(AgentFilesError) {
        for start in stride(from: 0, to: rows.count, by: 200) {
            let part = Array(rows[start..<min(start + 200, rows.count)])
            try run("\(beginning) \(Query.joined(part, by: ", "))")
        }
    }

    /// The numbers in column `id` of an answer.
    func numbers(_ query: Query) throws(AgentFilesError) -> [Int64] {
        try reading { () throws(StoreError) in
            try tx.rows(query).map { row throws(StoreError) in try row.get("id") }
        }
    }

    /// The numbers of file servers. Unknown servers are added.
    func serverNumbers(_ servers: [FileServer]) throws(AgentFilesError) -> [FileServer: Int64] {
        var found: [FileServer: Int64] = [:]
        // Files are on a handful of servers, however many chunks they have.
        for server in Set(servers) {
            let isServer: Query = """
                xftp_host = \(server.host) AND xftp_port = \(server.port)
                    AND xftp_key_hash IN (\(list: ServerKeyHash.texts(server.keyHash)))
                """
            try run(
                """
                INSERT INTO xftp_servers (xftp_host, xftp_port, xftp_key_hash, created_at, updated_at)
                SELECT \(server.host), \(server.port), \(server.keyHash), \(now), \(now)
                WHERE NOT EXISTS (SELECT 1 FROM xftp_servers WHERE \(isServer))
                """)
            found[server] = try numbers(
                "SELECT xftp_server_id AS id FROM xftp_servers WHERE \(isServer) ORDER BY xftp_server_id"
            ).first
        }
        return found
    }
}
