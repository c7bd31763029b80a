public import Schema

/// One row of an answer, read by column name into typed values. Errors name the column and never its value.
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

    /// The value of a column as it is stored.
    public func stored(_ column: String) throws(StoreError) -> SQLValue {
        guard let index = columns.index(of: column), index < values.count else { throw .missingColumn(column) }
        return values[index]
    }

    /// The value of a column that is never NULL.
    public func get<Value: ColumnValue>(_ column: String) throws(StoreError) -> Value {
        let stored = try stored(column)
        guard let value = Value(sqlValue: stored) else {
            throw .unexpectedValue(column: column, expected: "\(Value.self)", found: stored.typeName)
        }
        return value
    }

    /// The value of a column, or nil for NULL.
    public func get<Value: ColumnValue>(_ column: String) throws(StoreError) -> Value? {
        try stored(column) == .null ? nil : .some(get(column))
    }

    /// The identifier in a column.
    public func get<ID: Identifier>(_ column: String) throws(StoreError) -> ID {
        ID(rawValue: try get(column))
    }

    /// The identifier in a column, or nil for NULL.
    public func get<ID: Identifier>(_ column: String) throws(StoreError) -> ID? {
        let number: Int64? = try get(column)
        return number.map { ID(rawValue: $0) }
    }

    /// The enumeration stored as text in a column; a text this build does not know is kept.
    public func get<Value: StoredText>(_ column: String) throws(StoreError) -> Value {
        Value(text: try get(column))
    }

    /// The enumeration stored as text in a column, or nil for NULL.
    public func get<Value: StoredText>(_ column: String) throws(StoreError) -> Value? {
        let text: String? = try get(column)
        return text.map { Value(text: $0) }
    }
}

/// The column names of an answer. When a name occurs twice, the first column has it.
public final class RowColumns: Sendable {
    /// In the order of the answer.
    public let names: [String]
    private let indexes: [String: Int]

    /// The columns of a statement.
    public init(_ names: [String]) {
        self.names = names
        indexes = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func index(of name: String) -> Int? { indexes[name] }
}
