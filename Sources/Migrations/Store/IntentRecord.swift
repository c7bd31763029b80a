public import ChatDBSchema

/// The file `<prefix>.migrating`: on the disk before the first of two commits and gone after the second, so that a crash
/// between them is known for what it is.
public struct IntentRecord: Sendable, Hashable {
    /// The versions a run leads one database between; nil is the empty history.
    public struct Course: Sendable, Hashable {
        /// The last migration before.
        public let from: String?
        /// The last migration after.
        public let to: String?
        /// The names of the steps, in their order.
        public let steps: [String]
    }

    /// A random id of the run.
    public let run: String
    /// When it began, ISO 8601 in UTC.
    public let startedAt: String
    /// Whether the run makes a store that was not there.
    public let creates: Bool
    /// The store's id.
    public let storeID: String
    /// The generation the store has after the run.
    public let generation: Int64
    /// Per database that the run changes.
    public let courses: [DatabaseName: Course]
    /// The folder of the backup; nil when none was made.
    public let backup: String?
}
