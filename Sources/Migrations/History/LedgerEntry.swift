/// A migration as a database remembers it.
public struct LedgerEntry: Sendable, Hashable {
    /// The migration's name.
    public let name: String
    /// When it was applied, stored text in UTC.
    public let appliedAt: String
    /// The SQL that undoes it, kept so that a build which has never seen the migration can; nil when nothing can.
    public let down: String?
    /// The checksum of the up text that was run; nil in a ledger that keeps none.
    public let checksum: String?

    /// An entry of a ledger.
    public init(name: String, appliedAt: String, down: String?, checksum: String?) {
        self.name = name
        self.appliedAt = appliedAt
        self.down = down
        self.checksum = checksum
    }
}
