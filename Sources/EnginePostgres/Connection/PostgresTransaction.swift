import ChatDBEngine

/// A transaction of one schema: the tables of its database are found by `search_path`. Both databases of a store share a
/// connection, and the path is set when the other one was used last.
struct PostgresTransaction: WriteTransaction {
    let session: PostgresSession
    let schema: String
    /// What stands before the tables; nil for the tables themselves.
    var views: PostgresViews?

    var dialect: Dialect { views?.dialect ?? .postgres }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        let (sql, values) = rendered(query)
        return try session.execute(sql, values, in: schema, once: query.isPlannedForValues).rows()
    }

    private func rendered(_ query: Query) -> (sql: String, values: [SQLValue]) {
        let (sql, values) = query.rendered(.dollarNumber)
        return (views?.statement(sql) ?? sql, values)
    }

    /// Reads through a cursor, so that the answer takes constant memory and other statements can run meanwhile.
    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        try forEach(query, fetching: 1_000, body)
    }

    /// The same with fewer rows in memory, for rows that may be large.
    func forEach(_ query: Query, fetching count: Int, _ body: (ResultRow) throws -> Void) throws {
        let cursor = session.nextCursor()
        let (sql, values) = rendered(query)
        _ = try session.execute("DECLARE \(cursor) NO SCROLL CURSOR FOR \(sql)", values, in: schema, once: true)
        defer { _ = try? session.execute("CLOSE \(cursor)", [], in: schema, once: true) }
        while true {
            let rows = try session.execute("FETCH \(count) FROM \(cursor)", [], in: schema, once: true).rows()
            if rows.isEmpty { return }
            for row in rows { try body(row) }
        }
    }

    func attempt<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
        let isSaved = session.save()
        do throws(Failure) {
            let answer = try body()
            if isSaved { session.forgetSaved() }
            return answer
        } catch {
            if isSaved { session.goBackToSaved() }
            throw error
        }
    }

    @discardableResult
    func run(_ query: Query) throws(StoreError) -> Int {
        try session.execute(query, in: schema).changedRows
    }
}
