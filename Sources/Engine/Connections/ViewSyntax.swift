/// The SQL of views in which engines differ. A column has the type `INTEGER`, `REAL`, `TEXT` or `BLOB`, or the server's
/// own name of another type.
public struct ViewSyntax: Sendable {
    /// The schema of the tables that the views hide, as SQL writes it.
    public let schema: String
    /// The expression that makes a value of one type a value of another one.
    public let convert: @Sendable (_ value: String, _ type: String, _ wanted: String) -> String
    /// A column of a view: the value, as one that has the type by itself.
    public let column: @Sendable (_ value: String, _ type: String) -> String
    /// A text that is a time, without the time zone that a server adds to the texts of times.
    public let time: @Sendable (_ text: String) -> String
    /// The call of a function.
    public let call: @Sendable (_ function: ReadingFunction, _ value: String) -> String
    /// Bytes without any.
    public let noBytes: String
    /// The number of the row, for a table without one of its own.
    public let rowNumber: String

    /// The syntax of an engine.
    public init(
        schema: String,
        convert: @escaping @Sendable (_ value: String, _ type: String, _ wanted: String) -> String,
        column: @escaping @Sendable (_ value: String, _ type: String) -> String,
        time: @escaping @Sendable (_ text: String) -> String,
        call: @escaping @Sendable (_ function: ReadingFunction, _ value: String) -> String,
        noBytes: String, rowNumber: String
    ) {
        self.schema = schema
        self.convert = convert
        self.column = column
        self.time = time
        self.call = call
        self.noBytes = noBytes
        self.rowNumber = rowNumber
    }
}

/// A deterministic function of one value.
public struct ReadingFunction: Sendable {
    /// Its name in SQL, for an engine that calls `body`.
    public let name: String
    /// The expression of it, for an engine that cannot. It may be coarser than `body`.
    public let expression: @Sendable (_ value: String) -> String
    /// Computes the result.
    public let body: @Sendable (SQLValue) -> SQLValue

    /// A function.
    public init(
        _ name: String, expression: @escaping @Sendable (_ value: String) -> String,
        _ body: @escaping @Sendable (SQLValue) -> SQLValue
    ) {
        self.name = name
        self.expression = expression
        self.body = body
    }
}
