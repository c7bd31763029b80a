/// What differs between engines, asked of the engine instead of being decided in a repository.
public struct Dialect: Sendable, Hashable {
    /// How a bound value is written.
    public let placeholders: PlaceholderStyle
    /// The expression for this moment as stored text, UTC, `YYYY-MM-DD HH:MM:SS.SSS`.
    public let now: Query

    /// The dialect of an engine.
    public init(placeholders: PlaceholderStyle, now: Query) {
        self.placeholders = placeholders
        self.now = now
    }
}
