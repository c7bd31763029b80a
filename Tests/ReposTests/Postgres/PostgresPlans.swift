import ChatDBKit
import Testing

/// The parts of a plan of PostgreSQL that look at every row of a table.
enum PostgresPlans {
    /// The tables that a query reads in full although it could use an index for a condition, if there were one. Tables
    /// that do not grow are left out. Sequential scans must be off, so that the server uses one only where it has to.
    static func fullScans(of query: Query, in tx: any ReadTransaction) throws -> [String] {
        let rows = try tx.rows("EXPLAIN (FORMAT JSON) " + query)
        let text: String = try #require(rows.first).get("QUERY PLAN")
        guard case .array(let plans) = try JSONValue(parsing: text) else { return [] }
        return plans.flatMap { $0["Plan"].map(nodes) ?? [] }.compactMap { node in
            guard let table = node["Relation Name"]?.stringValue, let type = node["Node Type"]?.stringValue,
                !FullScan.small.contains(table)
            else { return nil }
            let isFull = type == "Seq Scan" || (type.hasPrefix("Index") && node["Index Cond"] == nil)
            return isFull ? "\(type) of \(table)" : nil
        }
    }

    /// A node of a plan and all nodes below it.
    private static func nodes(_ plan: JSONValue) -> [JSONValue] {
        guard case .array(let below)? = plan["Plans"] else { return [plan] }
        return [plan] + below.flatMap(nodes)
    }
}
