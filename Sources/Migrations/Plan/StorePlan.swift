public import Schema

/// What a run would do, or has done, to one database.
public struct DatabasePlan: Sendable, Hashable {
    /// The steps in their order; none is an empty list.
    public let steps: [MigrationStep]
    /// The last migration applied before; nil for none.
    public let from: String?
    /// The last migration applied after; nil for none.
    public let to: String?
    /// Applied migrations whose files have been edited since.
    public let edited: [String]
    /// What going down throws away; empty when nothing, or when nothing goes down.
    public internal(set) var losses: [Loss] = []

    /// Which way it goes; nil when there is nothing to do.
    public var direction: MigrationStep.Direction? { steps.first?.direction }
}

/// What a run would do to a store.
public struct StorePlan: Sendable, Hashable {
    /// Per database that the run concerns.
    public let databases: [DatabaseName: DatabasePlan]
    /// Whether the store does not exist and would be made.
    public let creates: Bool
    /// A run that was interrupted and would be completed first.
    public let interrupted: IntentRecord?

    /// Whether there is nothing to do.
    public var isEmpty: Bool { !creates && interrupted == nil && databases.values.allSatisfy { $0.steps.isEmpty } }

    /// Names to apply, of both databases, in the order of the names.
    public var ups: [String] { names(.up) }

    /// Names to undo, of both databases, last first.
    public var downs: [String] { names(.down).reversed() }

    private func names(_ direction: MigrationStep.Direction) -> [String] {
        databases.values.flatMap(\.steps).filter { $0.direction == direction }.map(\.name).sorted()
    }
}
