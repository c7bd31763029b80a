import ChatDBKit

/// Steps of a query plan that look at every row of a table.
enum FullScan {
    /// Of these there are a handful, however much a store is used.
    static let small: Set<String> = [
        "users", "server_operators", "usage_conditions", "operator_usage_conditions", "app_settings", "ntf_servers",
        "ntf_tokens", "xftp_servers", "servers", "every", "sqlite_master",
    ]

    /// The steps of a query that do: `SCAN <table>`, with or without an index.
    static func lines(of query: Query, in tx: any ReadTransaction) throws -> [String] {
        let plan = try tx.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
        // What a part of the query itself has made is as long as that part's own plan lets it be.
        let made = plan.filter { $0.hasPrefix("CO-ROUTINE ") || $0.hasPrefix("MATERIALIZE ") }
            .map { $0.drop { $0 != " " }.dropFirst() }
        return plan.filter { line in
            let words = line.split(separator: " ")
            return words.count > 1 && words[0] == "SCAN" && !line.contains("CONSTANT ROW")
                && !words[1].hasPrefix("json_each") && !made.contains(words[1]) && !words[1].hasPrefix("(subquery-")
                && !line.contains("VIRTUAL TABLE INDEX") && !small.contains(String(words[1]))
        }
    }
}
