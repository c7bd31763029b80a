package import ChatDBEngine
package import ChatDBSchema

/// A repository: the queries of one subject, run in a transaction that the caller owns.
///
/// Reading methods are on `<Subject>Repo`, which takes any transaction; writing methods on `<Subject>Writer`, which
/// takes a transaction for writing and a clock. Both throw the subject's own error.
package protocol Repository {
    associatedtype Failure: RuleViolation
    var tx: any ReadTransaction { get }
}

extension Repository {
    /// All rows of a result; empty when there are none. A ``ListingTransaction`` leaves out the rows that cannot be
    /// read.
    package func all<Record: RowRecord>(_ query: Query) throws(Failure) -> [Record] {
        do throws(StoreError) {
            let rows = try tx.rows(query)
            guard let listing = tx as? ListingTransaction else { return try rows.map(Record.read) }
            var records: [Record] = []
            for row in rows { if let record: Record = try listing.record(of: row) { records.append(record) } }
            return records
        } catch {
            throw .store(error)
        }
    }

    /// The first rows of a result, at most `count`. `query` makes the query for a number of rows. Rows that a
    /// ``ListingTransaction`` leaves out do not count, so that a page that lacks one is not taken for the last.
    package func first<Record: RowRecord>(
        _ count: Int, _ query: (_ limit: Int) -> Query
    ) throws(Failure) -> [Record] {
        var limit = count
        while true {
            let before = (tx as? ListingTransaction)?.readings ?? 0
            let records: [Record] = try all(query(limit))
            let read = ((tx as? ListingTransaction)?.readings ?? 0) - before
            if records.count >= count || read < limit { return Array(records.prefix(count)) }
            limit *= 2
        }
    }

    /// The record of one row. It is nil if a ``ListingTransaction`` leaves the row out.
    package func record<Record: RowRecord>(of row: ResultRow) throws(StoreError) -> Record? {
        guard let listing = tx as? ListingTransaction else { return try Record.read(row) }
        return try listing.record(of: row)
    }

    /// The first row of a result, or nil if the result has no rows. Throws for a row that cannot be read, in every
    /// transaction, because the caller asked for this row.
    package func first<Record: RowRecord>(_ query: Query) throws(Failure) -> Record? {
        do throws(StoreError) {
            guard let row = try tx.first(query) else { return nil }
            return try Record.read(row)
        } catch {
            throw .store(error)
        }
    }

    /// The single number of a result.
    package func count(_ query: Query) throws(Failure) -> Int {
        do throws(StoreError) {
            return try tx.count(query)
        } catch {
            throw .store(error)
        }
    }
}

/// A writer: a transaction for writing, and the clock for the times of its rows.
package protocol Writer {
    associatedtype Failure: RuleViolation
    var tx: any WriteTransaction { get }
    var clock: StoreClock { get }
}

extension Writer {
    /// Now, as a piece of SQL.
    package var now: Query { clock.now(in: tx) }

    /// Runs a statement and returns how many rows it changed.
    @discardableResult
    package func run(_ query: Query) throws(Failure) -> Int {
        do throws(StoreError) {
            return try tx.run(query)
        } catch {
            throw .store(error)
        }
    }

    /// Runs an INSERT and returns the number of the new row.
    package func insert(_ query: Query, returning key: String) throws(Failure) -> Int64 {
        do throws(StoreError) {
            return try tx.insert(query, returning: key)
        } catch {
            throw .store(error)
        }
    }
}

/// A record that can be read from one row of a result.
package protocol RowRecord {
    /// The column of the row's number, for errors; nil if it is the first that ends in `_id`, other than `user_id`.
    static var numberColumn: String? { get }

    init(row: ResultRow) throws(StoreError)
}

extension RowRecord {
    package static var numberColumn: String? { nil }

    /// The record of a row. The error of a value that cannot be read names the row by its number.
    static func read(_ row: ResultRow) throws(StoreError) -> Self {
        do throws(StoreError) {
            return try Self(row: row)
        } catch {
            throw row.naming(error, by: numberColumn)
        }
    }
}

extension ResultRow {
    /// A stored time. Throws for a text that is not a time.
    package func time(_ column: String) throws(StoreError) -> StoredTime {
        guard let time = StoredTime(text: try get(column)) else {
            throw .unexpectedValue(column: column, expected: "a time", found: "another text")
        }
        return time
    }

    /// A stored time, or nil for NULL.
    package func optionalTime(_ column: String) throws(StoreError) -> StoredTime? {
        try stored(column) == .null ? nil : .some(time(column))
    }
}

/// The number of rows on a page. Rule: docs/repositories.md, "Pages".
public enum PageSize {
    /// The most rows of a page: enough for every screen, and a bound on memory.
    public static let largest = 10_000

    /// The requested number, at least 0.
    package static func upTo(_ given: Int) -> Int { max(0, min(given, largest)) }

    /// The requested number, at least 1: an empty page would never lead to the next.
    package static func atLeastOne(_ given: Int) -> Int { max(1, min(given, largest)) }
}
