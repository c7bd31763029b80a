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
    private var values: Set<[KeyValue]> = []
    private var bytes = 0

    /// The keys of a table; nil if they do not tell its rows apart, and if they are beyond the bounds of memory and
    /// time.
    ///
    /// - Parameter rows: the number of its rows.
    init?(of name: String, _ table: TableStructure, rows: Int, in transaction: any ReadTransaction) throws {
        // A key has names as SQL writes them: some are in quotes.
        let found = table.primaryKey.compactMap { key in
            table.columns.first { SQLName.written($0.name) == key }
        }
        columns = found.map(\.name)
        guard !found.isEmpty, found.count == table.primaryKey.count else { return nil }
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
        let known = key.compactMap(KeyValue.init)
        guard known.count == key.count else { return false }
        bytes += known.reduce(0) { $0 + $1.bytes }
        values.insert(known)
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

/// A value of a key. Texts are bytes, as SQLite compares them: for Swift, one letter has several forms that are equal.
private enum KeyValue: Hashable {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Nil for NULL.
    init?(_ value: SQLValue) {
        switch value {
        case .null: return nil
        case .integer(let number): self = .integer(number)
        case .real(let number): self = .real(number)
        case .text(let text): self = .text(Array(text.utf8))
        case .blob(let blob): self = .blob(blob)
        }
    }

    var bytes: Int {
        switch self {
        case .integer, .real: 16
        case .text(let bytes), .blob(let bytes): 16 + bytes.count
        }
    }
}
