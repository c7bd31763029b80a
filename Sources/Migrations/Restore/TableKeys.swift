import ChatDBEngine

/// The primary keys of the rows of a table, which show the rows that only one of two copies has. Whole numbers are kept
/// as ranges, because most ids follow each other.
struct TableKeys: Hashable {
    /// The most ranges of a table.
    private static let mostRanges = 100_000
    /// The most bytes of the other keys of a table.
    private static let mostBytes = 8_000_000

    /// The columns of the key.
    private var columns: [String]
    /// The keys of a table whose key is one whole number, in their order.
    private var ranges: [ClosedRange<Int64>] = []
    /// The keys of other tables.
    private var values: Set<[SQLValue]> = []
    private var bytes = 0

    /// The keys of a table; nil if they do not tell its rows apart, and if they are beyond the bounds of memory and
    /// time.
    ///
    /// - Parameter rows: the number of its rows.
    init?(of name: String, _ table: TableStructure, rows: Int, in transaction: any ReadTransaction) throws {
        columns = table.primaryKey
        let found = table.columns.filter { table.primaryKey.contains($0.name) }
        guard !found.isEmpty, found.count == columns.count else { return nil }
        let isNumber = found.count == 1 && found[0].type == "INTEGER"
        let names = Query.joined(columns.map { column -> Query in "\(identifier: column)" }, by: ", ")
        var keys = self
        do {
            try transaction.forEach("SELECT \(names) FROM \(identifier: name) NOT INDEXED") { row in
                let isAdded = isNumber ? keys.add(row.values.first) : keys.add(row.values)
                if !isAdded { throw StoreError(.beyondLimits, "too many keys") }
            }
        } catch let error as StoreError {
            guard error.kind == .beyondLimits else { throw error }
            return nil
        }
        guard keys.count == rows else { return nil }
        self = keys
    }

    private var count: Int { ranges.reduce(values.count) { $0 + $1.count } }

    /// Adds a whole number above the last one. Returns whether it was added.
    private mutating func add(_ value: SQLValue?) -> Bool {
        guard case .integer(let number)? = value else { return false }
        guard let last = ranges.last else {
            ranges.append(number...number)
            return true
        }
        guard number > last.upperBound else { return false }
        if number - 1 == last.upperBound {
            ranges[ranges.count - 1] = last.lowerBound...number
        } else {
            ranges.append(number...number)
        }
        return ranges.count <= Self.mostRanges
    }

    /// Adds a key of other values. Returns whether it was added: NULL is no key.
    private mutating func add(_ key: [SQLValue]) -> Bool {
        for value in key {
            switch value {
            case .null: return false
            case .integer, .real: bytes += 16
            case .text(let text): bytes += 16 + text.utf8.count
            case .blob(let blob): bytes += 16 + blob.count
            }
        }
        values.insert(key)
        return bytes <= Self.mostBytes
    }

    /// The number of keys that the other copy of the table lacks; nil if the copies have different columns as key.
    func count(missingFrom other: TableKeys) -> Int? {
        guard columns == other.columns, ranges.isEmpty || other.values.isEmpty, values.isEmpty || other.ranges.isEmpty
        else { return nil }
        return values.subtracting(other.values).count + ranges.reduce(0) { $0 + $1.count } - common(with: other)
    }

    /// The number of whole numbers that both copies have.
    private func common(with other: TableKeys) -> Int {
        var (common, own, others) = (0, ranges[...], other.ranges[...])
        while let first = own.first, let second = others.first {
            if first.overlaps(second) { common += first.clamped(to: second).count }
            if first.upperBound < second.upperBound { own.removeFirst() } else { others.removeFirst() }
        }
        return common
    }
}
