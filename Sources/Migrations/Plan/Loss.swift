/// Something that going down throws away: a table, or a column, with what is in it.
public struct Loss: Sendable, Hashable {
    /// The table.
    public let table: String
    /// The column; nil when the whole table goes.
    public let column: String?
    /// Rows of the table, or rows whose column holds something else than its default.
    public let rows: Int
}
