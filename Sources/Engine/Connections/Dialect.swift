/// What differs between engines, asked of the engine instead of being decided in a repository.
public struct Dialect: Sendable {
    /// How a bound value is written.
    public let placeholders: PlaceholderStyle
    /// The expression for this moment as stored text, UTC, `YYYY-MM-DD HH:MM:SS.SSS`.
    public let now: Query
    /// A query that has a row when there is a table of that name.
    public let tableExists: @Sendable (_ name: String) -> Query

    /// The dialect of an engine.
    public init(
        placeholders: PlaceholderStyle, now: Query, tableExists: @escaping @Sendable (_ name: String) -> Query
    ) {
        self.placeholders = placeholders
        self.now = now
        self.tableExists = tableExists
    }
}
