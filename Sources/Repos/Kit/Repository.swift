package import ChatDBEngine
package import ChatDBSchema

/// What every repository has: questions of one subject, asked in a transaction that the caller owns.
///
/// Reading methods are on `<Subject>Repo`, which takes any transaction; writing methods on `<Subject>Writer`, which
/// takes a transaction for writing and a clock. Both throw the subject's own error.
package protocol Repository {
    associatedtype Failure: RuleViolation
    var tx: any ReadTransaction { get }
}

extension Repository {
    /// All rows of an answer; none is an empty list.
    package func all<Record: RowRecord>(_ query: Query) throws(Failure) -> [Record] {
        do throws(StoreError) {
            return try tx.rows(query).map(Record.init(row:))
        } catch {
            throw .store(error)
        }
    }

    /// The first row of an answer, or nil.
    package func first<Record: RowRecord>(_ query: Query) throws(Failure) -> Record? {
        do throws(StoreError) {
            guard let row = try tx.first(query) else { return nil }
            return try Record(row: row)
        } catch {
            throw .store(error)
        }
    }

    /// The number an answer consists of.
    package func count(_ query: Query) throws(Failure) -> Int {
        do throws(StoreError) {
            return try tx.count(query)
        } catch {
            throw .store(error)
        }
    }
}

/// What every writer has besides: the right to write, and the time its rows get.
package protocol Writer {
    associatedtype Failure: RuleViolation
    var tx: any WriteTransaction { get }
    var clock: StoreClock { get }
}

extension Writer {
    /// Now, as a piece of SQL.
    package var now: Query { clock.now(in: tx) }

    /// Runs a statement and answers how many rows it changed.
    @discardableResult
    package func run(_ query: Query) throws(Failure) -> Int {
        do throws(StoreError) {
            return try tx.run(query)
        } catch {
            throw .store(error)
        }
    }

    /// Runs an INSERT and answers the number of the new row.
    package func insert(_ query: Query, returning key: String) throws(Failure) -> Int64 {
        do throws(StoreError) {
            return try tx.insert(query, returning: key)
        } catch {
            throw .store(error)
        }
    }
}

/// A record that one row of an answer holds.
package protocol RowRecord {
    init(row: ResultRow) throws(StoreError)
}

extension ResultRow {
    /// A stored time. Text that is none is an error: it would otherwise sort and show as something it is not.
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

/// How many rows a page has. Rule: docs/repositories.md, "Pages".
public enum PageSize {
    /// As many as a page has at most, whatever was asked for: enough for every screen, and a bound of what is in memory.
    public static let largest = 10_000

    /// What was asked for, from 0.
    package static func upTo(_ given: Int) -> Int { max(0, min(given, largest)) }

    /// What was asked for, from 1: a page of none would never lead to the next.
    package static func atLeastOne(_ given: Int) -> Int { max(1, min(given, largest)) }
}
