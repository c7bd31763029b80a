import ChatDBEngine

/// The rows of a table by ranges of their numbers, for an engine that refuses to read long values. A range with such a
/// value is halved, until only the row of the value is left.
struct RowRanges {
    let table: String
    /// The number of a row; see `Dialect.rowNumber`.
    let number: Query
    let transaction: any ReadTransaction

    /// The time after which a table is given up. A table with many values that are too long comes from an attacker.
    private static let timeLimit = Duration.seconds(60)

    init(table: String, number: Query, in transaction: any ReadTransaction) {
        (self.table, self.number, self.transaction) = (table, number, transaction)
    }

    /// Calls `query` with ranges of rows, and `found` with each answer, in the order of the rows. Calls `tooLong` with
    /// each row that `query` cannot read.
    func forEach<Answer>(
        _ query: (ClosedRange<Int64>) throws -> Answer, found: (Answer) -> Void, tooLong: (Int64) throws -> Void
    ) throws {
        let ends = try transaction.first(
            "SELECT min(\(number)) AS first, max(\(number)) AS last FROM \(transaction.dialect.ofFile(table))")
        guard let ends, let first: Int64 = try ends.get("first"), let last: Int64 = try ends.get("last") else { return }
        let end = ContinuousClock.now + Self.timeLimit
        var ranges = [first...last]
        while let range = ranges.popLast() {
            do {
                found(try query(range))
            } catch let error as StoreError where error.kind == .beyondLimits && ContinuousClock.now < end {
                if range.lowerBound == range.upperBound {
                    try tooLong(range.lowerBound)
                } else {
                    // Without an overflow: the two ends can be the least and the greatest number.
                    let half = Int64(UInt64(bitPattern: range.upperBound &- range.lowerBound) / 2)
                    let middle = range.lowerBound + half
                    ranges += [(middle + 1)...range.upperBound, range.lowerBound...middle]
                }
            }
        }
    }
}

extension ReadTransaction {
    /// The tables that have rows. One statement for all takes less time than one for each, and most stores have few
    /// kinds of rows. If a table is damaged, the answer is all tables.
    func withRows<Table>(_ tables: [Table], in source: (Table) -> Query) throws(StoreError) -> [Table] {
        if tables.isEmpty { return [] }
        let questions = tables.map { table -> Query in "EXISTS (SELECT 1 FROM \(source(table)))" }
        do throws(StoreError) {
            let row = try attempt { () throws(StoreError) in try first("SELECT \(Query.joined(questions, by: ", "))") }
            return zip(tables, row?.values ?? []).filter { $0.1 == .integer(1) }.map(\.0)
        } catch {
            if error.endsReading { throw error }
            return tables
        }
    }
}
