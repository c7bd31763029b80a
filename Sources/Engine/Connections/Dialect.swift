/// What differs between engines, asked of the engine instead of being decided in a repository.
public struct Dialect: Sendable {
    /// How a bound value is written.
    public let placeholders: PlaceholderStyle
    /// The expression for this moment as stored text, UTC, `YYYY-MM-DD HH:MM:SS.SSS`.
    public let now: Query
    /// A query that has a row when there is a table of that name.
    public let tableExists: @Sendable (_ name: String) -> Query
    /// A query for the triggers: `name`, and the `sql` that made each.
    public let triggers: Query
    /// A query for the definitions that a schema is made of, in an order of its own: `type`, `name`, `tbl_name` and
    /// `sql`. Two databases with equal answers have equal structures.
    public let definitions: Query
    /// The expression for the time so many seconds after another, both expressions; stored text like `now`.
    public let later: @Sendable (_ time: Query, _ seconds: Query) -> Query
    /// A SELECT of these numbers, for `IN (…)`: however many they are, they are one bound value.
    public let numbers: @Sendable (_ numbers: [Int64]) -> Query
    /// How texts are found by their words.
    public let textSearch: TextSearch

    /// The dialect of an engine.
    public init(
        placeholders: PlaceholderStyle, now: Query, tableExists: @escaping @Sendable (_ name: String) -> Query,
        triggers: Query, definitions: Query,
        later: @escaping @Sendable (_ time: Query, _ seconds: Query) -> Query,
        numbers: @escaping @Sendable (_ numbers: [Int64]) -> Query, textSearch: TextSearch
    ) {
        self.placeholders = placeholders
        self.now = now
        self.tableExists = tableExists
        self.triggers = triggers
        self.definitions = definitions
        self.later = later
        self.numbers = numbers
        self.textSearch = textSearch
    }
}
