public import ChatDBEngine
public import ChatDBSchema

/// The result of a run.
public struct MigrationReport: Sendable, Hashable {
    /// The plan that was carried out.
    public let plan: StorePlan
    /// Whether the run created the store.
    public let created: Bool
    /// The completion of an interrupted run before it, if there was one.
    public let completion: Completion?
    /// The folder of the backup, if one was made.
    public let backup: String?
    /// Old backups that were removed because of the limit on their number.
    public let removedBackups: [String]
    /// The findings in each database.
    public let findings: [DatabaseName: Findings]

    /// An interrupted run that was completed.
    public struct Completion: Sendable, Hashable {
        /// Its record.
        public let record: IntentRecord
        /// The steps that completed each database that it had not committed; empty when only the record was left.
        public let plans: [DatabaseName: DatabasePlan]
        /// The folder of the backup before that; nil when no step was left, or the caller wanted no backup.
        public let backup: String?
    }

    /// The interrupted run that was completed first, if any.
    public var completed: IntentRecord? { completion?.record }

    /// The steps in one database, in their order: those of an interrupted run first.
    public func steps(_ database: DatabaseName) -> [MigrationStep] {
        (completion?.plans[database]?.steps ?? []) + (plan.databases[database]?.steps ?? [])
    }

    /// The losses of data in one database: by table, then in the order of the columns, then rows of the remaining
    /// tables. They have the names from before the run. Those of an interrupted run come first. Empty without losses,
    /// or when the lost parts held no data.
    public func losses(_ database: DatabaseName) -> [Loss] {
        ((completion?.plans[database]?.losses ?? []) + (plan.databases[database]?.losses ?? []))
            .filter { $0.rows > 0 }
    }

    /// The edited migrations of one database that were accepted, in the order of their names.
    public func accepted(_ database: DatabaseName) -> [String] {
        let plans = [completion?.plans[database], plan.databases[database]]
        return Set(plans.flatMap { ($0?.accepted ?? []).map(\.name) }).sorted()
    }

    /// Findings in a database that do not prevent a run.
    public struct Findings: Sendable, Hashable {
        /// Differences from the schema of its version that existed before the run and remain; nil if this build does not
        /// know that version.
        public internal(set) var drift: [StructureDifference]?
        /// Dangling references that existed before the run.
        public internal(set) var danglingReferences = 0
        /// Bytes of unused pages, when they are much of the file: VACUUM would free them.
        public internal(set) var freeBytes: Int64?
        /// The indexes and triggers that the run has removed without naming them, in the order of its steps.
        public internal(set) var removed: [RemovedParts] = []
        /// The fault that the down SQL of the applied migrations has in memory; nil without one.
        public internal(set) var downFault: MigrationError?
    }

    /// Names applied or undone in one database, in their order.
    public func applied(_ database: DatabaseName) -> [String] {
        steps(database).map(\.name)
    }
}
