/// An index or a trigger, with the statement that makes it.
public struct SchemaPart: Sendable, Hashable {
    /// Its name.
    public let name: String
    /// Whether it is a trigger; else it is an index.
    public let isTrigger: Bool
    /// One statement.
    public let sql: String

    /// An index or a trigger.
    public init(name: String, isTrigger: Bool, sql: String) {
        self.name = name
        self.isTrigger = isTrigger
        self.sql = sql
    }
}
