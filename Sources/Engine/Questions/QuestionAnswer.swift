/// What a question was answered.
public struct QuestionAnswer: Sendable, Hashable {
    /// The names of the columns, as the statement gives them; several may be the same.
    public let columns: [String]
    /// The rows in their order, each with a value for every column.
    public let rows: [[QuestionValue]]
    /// The columns that were asked for and are NULL because they are not shown, in the order they were met.
    public let masked: [MaskedColumn]
    /// Whether these are all rows; false when there are more than the question takes.
    public let isComplete: Bool

    /// An answer.
    public init(columns: [String], rows: [[QuestionValue]], masked: [MaskedColumn], isComplete: Bool) {
        self.columns = columns
        self.rows = rows
        self.masked = masked
        self.isComplete = isComplete
    }
}

/// A value of an answer.
public enum QuestionValue: Sendable, Hashable {
    /// No value, or one that is not shown.
    case null
    /// A whole number.
    case integer(Int64)
    /// A floating point number.
    case real(Double)
    /// Text; what is not UTF-8 in it is replaced.
    case text(String)
    /// Bytes: how many, and the first of them.
    case blob(bytes: Int, beginning: [UInt8])

    /// How many bytes of a BLOB are kept.
    public static let beginning = 8
}
