import ChatDBEngine
import ChatDBSchema

/// Finds out what became of a store when a commit failed.
///
/// One that fails may have been made all the same: its last step, making it last, is what a broken disk refuses (the
/// folder after the journal is gone, the log after it is written). So the databases are asked, and the record stays
/// unless it is known that neither has changed. Rule: docs/migrations.md, "Interrupted runs".
struct FailedCommit {
    let location: StoreLocation
    let engine: any StorageEngine
    /// The run's record; on the disk unless the run is for one database.
    let record: IntentRecord
    let backup: String?

    /// The state of the databases, whose connections are closed.
    func state(of databases: [DatabaseName]) -> StoreState {
        guard let found = try? StoreView.parts(of: databases, at: location, engine: engine) else {
            return .unknown(backup: backup)
        }
        let unchanged: StoreState = backup.map { .unchangedWithBackup($0) } ?? .unchanged
        if let only = databases.first, databases.count == 1 {
            let (version, course) = (found[only]?.ledger.last?.name, record.courses[only])
            if version == course?.from { return unchanged }
            return version == course?.to ? .migratedAlone(only, to: version, backup: backup) : .unknown(backup: backup)
        }
        switch record.progress(StoreView.places(found)) {
        case .nothing:
            try? IntentRecord.remove(location.intentPath)
            return unchanged
        case .agentOnly: return .interrupted(record)
        case .everything: return .migrated(record)
        case .unexplained: return .unknown(backup: backup)
        }
    }
}
