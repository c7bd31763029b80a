import ChatDBEngine
import GRDB
import GRDBSQLite

/// Reads all values of all rows of a table without its indexes, and finds the rows that cannot be read. After a damaged
/// page it searches for the next readable row by its number: the steps double until a row is found, and then halve.
struct TableScan {
    let database: Database
    let table: String
    let hasRowIDs: Bool

    /// The most gaps after which the scan continues.
    private static let mostGaps = 100

    /// What was found.
    struct Result {
        /// The number of rows that were read. With gaps, or in a table without row numbers, more rows may be readable.
        var count: Int64 = 0
        /// The ranges of rows that cannot be read.
        var gaps: [DatabaseDamage.Rows] = []
        /// Whether every row was read, in the order of the numbers.
        var isWhole = true
    }

    func run() throws -> Result {
        let columns = try columns()
        guard let key = key(among: columns.all) else { return try withoutNumbers(columns.stored) }
        return try byNumber([key] + columns.stored)
    }

    /// The name of the row number. It is nil if the rows have no numbers, or if columns have all names of the number.
    private func key(among columns: Set<String>) -> String? {
        hasRowIDs ? SQLiteFacts.rowIDName(beside: columns) : nil
    }

    /// The names of all columns in lower case, and the quoted names of the stored columns. The scan reads only stored
    /// columns, because SQLite may run a function to compute another one.
    private func columns() throws -> (all: Set<String>, stored: [String]) {
        var all: Set<String> = []
        var stored: [String] = []
        let sql: Query = .unchecked(sql: "PRAGMA main.table_xinfo(\(SQLName.quoted(table)))")
        for row in try SQLiteTransaction(database: database).rows(sql) {
            let name: String = try row.get("name")
            all.insert(name.lowercased())
            if [0, 3].contains(try row.get("hidden") as Int) { stored.append(SQLName.quoted(name)) }
        }
        return (all, stored)
    }

    // MARK: Tables with row numbers

    private func byNumber(_ columns: [String]) throws -> Result {
        let select = "SELECT \(columns.joined(separator: ", ")) FROM main.\(SQLName.quoted(table)) NOT INDEXED"
        var result = Result()
        var last: Int64?
        var start = Int64.min
        while true {
            let sql = "\(select) WHERE \(columns[0]) >= \(Self.literal(start)) ORDER BY \(columns[0])"
            switch try rows(of: sql, count: &result.count, last: &last) {
            case .end: return result
            case .outOfOrder:
                // The numbers are then of no use.
                return Result(count: result.count, gaps: [], isWhole: false)
            case .unreadable: result.isWhole = false
            }
            let first = last.map { $0 &+ 1 }
            let next =
                last == Int64.max || result.gaps.count >= Self.mostGaps
                ? nil : try nextReadable(behind: last, "\(select) WHERE \(columns[0])", columns[0])
            result.gaps.append(DatabaseDamage.Rows(first: first, last: next.map { $0 - 1 }))
            guard let next else { return result }
            start = next
        }
    }

    private enum End { case end, unreadable, outOfOrder }

    private func rows(of sql: String, count: inout Int64, last: inout Int64?) throws -> End {
        do {
            let statement = try database.makeStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement)
            while try cursor.next() != nil {
                let number = sqlite3_column_int64(statement.sqliteStatement, 0)
                if let last, number <= last { return .outOfOrder }
                last = number
                count += 1
            }
            return .end
        } catch let error as DatabaseError where SQLiteErrors.isDamage(error, in: database) {
            return .unreadable
        }
    }

    /// Finds the first readable row after a gap. Answers its number, or nil if no readable row follows.
    private func nextReadable(behind last: Int64?, _ select: String, _ key: String) throws -> Int64? {
        func probe(_ number: Int64) throws -> Probe {
            try self.probe("\(select) >= \(Self.literal(number)) ORDER BY \(key) LIMIT 1", from: number)
        }
        // If no row precedes the gap, the search begins at 0, because the numbers of real rows are positive.
        let low = last ?? -1
        var step: Int64 = 1
        while true {
            let (high, isTooHigh) = low.addingReportingOverflow(step)
            if isTooHigh { return nil }
            switch try probe(high) {
            case .none: return nil
            case .unreadable:
                if step > Int64.max / 2 { return nil }
                step *= 2
            case .row(var found):
                var (unreadable, readable) = (high - step / 2, high)
                while unreadable + 1 < readable {
                    let middle = unreadable + (readable - unreadable) / 2
                    if case .row(let row) = try probe(middle) {
                        (readable, found) = (middle, row)
                    } else {
                        unreadable = middle
                    }
                }
                return found
            }
        }
    }

    private enum Probe { case row(Int64), none, unreadable }

    private func probe(_ sql: String, from number: Int64) throws -> Probe {
        do {
            let statement = try database.makeStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement)
            guard try cursor.next() != nil else { return .none }
            let row = sqlite3_column_int64(statement.sqliteStatement, 0)
            return row < number ? .unreadable : .row(row)
        } catch let error as DatabaseError where SQLiteErrors.isDamage(error, in: database) {
            return .unreadable
        }
    }

    /// SQLite reads the literal of the lowest number as a floating-point number.
    private static func literal(_ number: Int64) -> String {
        number == Int64.min ? "(-9223372036854775807 - 1)" : String(number)
    }

    /// The numbers of the rows at these places in the order of the numbers, the first place being 1. Empty for a table
    /// without row numbers.
    func numbers(at places: [Int64]) throws -> [Int64] {
        guard let key = try key(among: columns().all), let last = places.max() else { return [] }
        let wanted = Set(places)
        let statement = try database.makeStatement(
            sql: "SELECT \(key) FROM main.\(SQLName.quoted(table)) NOT INDEXED ORDER BY \(key)")
        let cursor = try Row.fetchCursor(statement)
        var (place, found): (Int64, [Int64]) = (0, [])
        while place < last, try cursor.next() != nil {
            place += 1
            if wanted.contains(place) { found.append(sqlite3_column_int64(statement.sqliteStatement, 0)) }
        }
        return found
    }

    // MARK: Tables without row numbers

    /// Reads the rows in the order of their key from the beginning, and after damage also from the end. The keys are
    /// values, and the result does not have them.
    private func withoutNumbers(_ columns: [String]) throws -> Result {
        let keys = try keys()
        let names = keys.map(SQLName.quoted).joined(separator: ", ")
        let read = keys.map(SQLName.quoted) + columns
        let select = "SELECT \(read.joined(separator: ", ")) FROM main.\(SQLName.quoted(table)) NOT INDEXED"
        var result = Result()
        // A row takes at least four bytes. The limit stops a scan of pages that lead to the same next pages without
        // end.
        let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let most = pages * (try Int64.fetchOne(database, sql: "PRAGMA page_size") ?? 0) / 4
        var last: [DatabaseValue] = []
        let isRead = try count(select + Self.order(keys, ""), &result.count, most: most) { row in
            last = keys.indices.map { row[$0] }
        }
        if isRead { return result }
        result.isWhole = false
        guard !keys.isEmpty else { return result }
        // Wrong pointers may lead back to rows that were counted.
        let places = keys.map { _ in "?" }.joined(separator: ", ")
        let isBehind = last.isEmpty ? "" : " WHERE (\(names)) > (\(places))"
        _ = try count(
            select + isBehind + Self.order(keys, " DESC"), with: StatementArguments(last), &result.count, most: most)
        return result
    }

    private static func order(_ keys: [String], _ direction: String) -> String {
        keys.isEmpty ? "" : " ORDER BY " + keys.map { SQLName.quoted($0) + direction }.joined(separator: ", ")
    }

    /// The columns of the primary key, in its order; empty for a table with row numbers. ORDER BY names them, because
    /// SQLite may otherwise read an index that has all columns.
    private func keys() throws -> [String] {
        if hasRowIDs { return [] }
        let sql: Query = .unchecked(sql: "PRAGMA main.table_info(\(SQLName.quoted(table)))")
        return try SQLiteTransaction(database: database).rows(sql).compactMap {
            row throws(StoreError) -> (Int, String)? in
            let place: Int = try row.get("pk")
            return place > 0 ? (place, try row.get("name")) : nil
        }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// Counts the rows of a query, and answers whether all of them were read.
    private func count(
        _ sql: String, with arguments: StatementArguments = StatementArguments(), _ count: inout Int64, most: Int64,
        _ visit: (Row) -> Void = { _ in }
    ) throws -> Bool {
        do {
            let cursor = try Row.fetchCursor(try database.makeStatement(sql: sql), arguments: arguments)
            while let row = try cursor.next() {
                visit(row)
                count += 1
                if count > most { return false }
            }
            return true
        } catch let error as DatabaseError where SQLiteErrors.isDamage(error, in: database) {
            return false
        }
    }
}
