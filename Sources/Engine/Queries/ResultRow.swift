public import ChatDBSchema
import Synchronization

/// One row of an answer, read by column name into typed values. Errors name the column and never its value.
///
/// The functions that read a value are inlinable, because as generic code they take several times as long.
public struct ResultRow: Sendable {
    /// The columns' names, shared by all rows of one answer.
    public let columns: RowColumns
    /// The values, in the order of the columns.
    public let values: [SQLValue]

    /// A row as an engine read it.
    public init(columns: RowColumns, values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// An error about a value of this row, with the number of the row; the same error if the row has no number.
    ///
    /// - Parameter key: the column of the row's number. Without one, the first column that ends in `_id` has it, other
    ///   than `user_id`, which most rows have for the profile they belong to.
    package func naming(_ error: StoreError, by key: String? = nil) -> StoreError {
        let isKey = { (name: String) in key.map { $0 == name } ?? (name.hasSuffix("_id") && name != "user_id") }
        guard error.kind == .unexpectedRow, !error.namesRow, let index = columns.names.firstIndex(where: isKey),
            index < values.count, case .integer(let number) = values[index]
        else { return error }
        return StoreError(
            error.kind, "\(error.message), in the row with \(columns.names[index]) \(number)", value: error.value)
    }

    /// The value of a column as it is stored.
    public func stored(_ column: String) throws(StoreError) -> SQLValue {
        guard let index = columns.index(of: column), index < values.count else { throw .missingColumn(column) }
        return values[index]
    }

    /// The value of a column that is never NULL.
    @inlinable
    public func get<Value: ColumnValue>(_ column: String) throws(StoreError) -> Value {
        try Self.value(stored(column), of: column)
    }

    /// The value of a column, or nil for NULL.
    @inlinable
    public func get<Value: ColumnValue>(_ column: String) throws(StoreError) -> Value? {
        let stored = try stored(column)
        if case .null = stored { return nil }
        return try Self.value(stored, of: column)
    }

    @inlinable
    static func value<Value: ColumnValue>(_ stored: SQLValue, of column: String) throws(StoreError) -> Value {
        guard let value = Value(sqlValue: stored) else {
            throw .unexpectedValue(column: column, expected: "\(Value.self)", found: stored.typeName)
        }
        return value
    }

    /// The identifier in a column.
    @inlinable
    public func get<Row>(_ column: String) throws(StoreError) -> RowID<Row> {
        RowID(rawValue: try get(column))
    }

    /// The identifier in a column, or nil for NULL.
    @inlinable
    public func get<Row>(_ column: String) throws(StoreError) -> RowID<Row>? {
        let number: Int64? = try get(column)
        return number.map { RowID(rawValue: $0) }
    }

    /// The identifier of bytes in a column.
    @inlinable
    public func get<Row>(_ column: String) throws(StoreError) -> BytesID<Row> {
        BytesID(bytes: try get(column))
    }

    /// The identifier of bytes in a column, or nil for NULL.
    @inlinable
    public func get<Row>(_ column: String) throws(StoreError) -> BytesID<Row>? {
        let bytes: [UInt8]? = try get(column)
        return bytes.map { BytesID(bytes: $0) }
    }

    /// The enumeration stored as text in a column; a text this build does not know is kept.
    @inlinable
    public func get<Value: StoredText>(_ column: String) throws(StoreError) -> Value {
        Value(text: try get(column))
    }

    /// The enumeration stored as text in a column, or nil for NULL.
    @inlinable
    public func get<Value: StoredText>(_ column: String) throws(StoreError) -> Value? {
        let text: String? = try get(column)
        return text.map { Value(text: $0) }
    }
}

/// The column names of an answer. When a name occurs twice, the first column has it.
public final class RowColumns: Sendable {
    /// The names of the columns, in the order of the result.
    public let names: [String]
    /// How many bytes each name has; -1 for a name that an earlier column has too.
    private let lengths: [Int]
    /// The column after the one that was found last. Records read their columns in the order of the statement, so it is
    /// most often the next.
    private let next = Atomic(0)

    /// The columns of a statement.
    public init(_ names: [String]) {
        self.names = names
        var lengths = names.map(\.utf8.count)
        for index in lengths.indices {
            let isThere = (0..<index).contains { lengths[$0] == lengths[index] && names[$0] == names[index] }
            if isThere { lengths[index] = -1 }
        }
        self.lengths = lengths
    }

    /// A linear search, from the column that is probably asked for: answers have few columns, and hashing a name takes
    /// longer.
    func index(of name: String) -> Int? {
        let length = name.utf8.count
        let guess = next.load(ordering: .relaxed)
        if guess < lengths.count, lengths[guess] == length, names[guess] == name {
            next.store(guess + 1, ordering: .relaxed)
            return guess
        }
        guard let found = lengths.indices.first(where: { lengths[$0] == length && names[$0] == name }) else {
            return nil
        }
        next.store(found + 1, ordering: .relaxed)
        return found
    }
}
