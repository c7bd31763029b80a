public import ChatDBEngine
public import ChatDBSchema

/// What a run did.
public struct MigrationReport: Sendable, Hashable {
    /// The plan it carried out.
    public let plan: StorePlan
    /// Whether it made the store.
    public let created: Bool
    /// What it did first to bring an interrupted run to its end, if there was one.
    public let completion: Completion?
    /// The folder of the backup, if one was made.
    public let backup: String?
    /// Old backups it removed because only so many were to be kept.
    public let removedBackups: [String]
    /// What was noticed, per database.
    public let findings: [DatabaseName: Findings]

    /// An interrupted run that was brought to its end.
    public struct Completion: Sendable, Hashable {
        /// Its record.
        public let record: IntentRecord
        /// Per database that it had left behind, what brought it to where the other one is; empty when only the record
        /// was left.
        public let plans: [DatabaseName: DatabasePlan]
        /// The folder of the backup made before that; nil when nothing was left to do, or none was wanted.
        public let backup: String?
    }

    /// The interrupted run it completed first, if any.
    public var completed: IntentRecord? { completion?.record }

    /// The steps in one database, in their order: those of an interrupted run first.
    public func steps(_ database: DatabaseName) -> [MigrationStep] {
        (completion?.plans[database]?.steps ?? []) + (plan.databases[database]?.steps ?? [])
    }

    /// What one database lost that had something in it: by table, then in the order of the columns, then rows of tables
    /// that are still there, under the names from before; what an interrupted run lost first. Empty when nothing was lost,
    /// or only what was empty.
    public func losses(_ database: DatabaseName) -> [Loss] {
        ((completion?.plans[database]?.losses ?? []) + (plan.databases[database]?.losses ?? []))
            .filter { $0.rows > 0 }
    }

    /// What was noticed about a database, without standing in the way.
    public struct Findings: Sendable, Hashable {
        /// Differences from the schema of its version, there before the run and left alone.
        public internal(set) var drift: [StructureDifference] = []
        /// References to rows that are not there, there before the run.
        public internal(set) var danglingReferences = 0
        /// Bytes of unused pages, when they are much of the file: VACUUM would free them.
        public internal(set) var freeBytes: Int64?
    }

    /// Names applied or undone in one database, in their order.
    public func applied(_ database: DatabaseName) -> [String] {
        steps(database).map(\.name)
    }
}
