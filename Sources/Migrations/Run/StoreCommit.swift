import ChatDBEngine
import ChatDBSchema

/// The two commits of a run, with the intent record around them.
///
/// A failed commit may still have taken effect, because a broken disk can refuse its last step. That step is the sync
/// of the folder after the journal is deleted, or of the log after it is written. So after a failure the databases are
/// opened again and read, and the record stays unless neither database has changed. Rule: docs/migrations.md,
/// "Interrupted runs".
struct StoreCommit {
    private let context: StoreContext
    private let taken: [DatabaseMigration]
    private let record: IntentRecord
    private let writesRecord: Bool

    /// - Parameters:
    ///   - taken: the databases, agent first, each inside its transaction.
    ///   - record: the run's record; on the disk unless the run is for one database.
    ///   - writesRecord: false when the record is already on the disk.
    init(_ context: StoreContext, of taken: [DatabaseMigration], record: IntentRecord, writesRecord: Bool) {
        self.context = context
        self.taken = taken
        self.record = record
        self.writesRecord = writesRecord
    }

    /// Commits. Throws a `MigrationFailure` with the state of the store once a commit may have taken effect.
    func run(backup: String?) throws {
        if writesRecord, taken.count > 1 { try record.write(at: context.location) }
        do {
            for part in taken {
                try MigrationError.naming(part.database, part.path) { try part.connection.commit() }
            }
        } catch {
            taken.forEach { $0.connection.close() }
            throw MigrationFailure(error: MigrationError(error), state: stateAfterFailure(backup: backup))
        }
        do {
            if taken.count > 1 { try IntentRecord.remove(at: context.location) }
        } catch {
            taken.forEach { $0.connection.close() }
            throw MigrationFailure(error: MigrationError(error), state: .migrated(record))
        }
    }

    /// The state of the databases, whose connections are closed.
    private func stateAfterFailure(backup: String?) -> StoreState {
        let databases = taken.map(\.database)
        var found: [DatabaseName: FoundDatabase] = [:]
        for database in databases {
            guard let one = try? context.find(database) else { return .unknown(backup: backup) }
            found[database] = one
        }
        let unchanged: StoreState = backup.map { .unchangedWithBackup($0) } ?? .unchanged
        if let only = databases.first, databases.count == 1 {
            let (applied, to) = (found[only]?.applied, record.courses[only]?.to)
            // A run out of order does not change the version.
            if applied == taken.first?.found.applied { return unchanged }
            return applied?.last?.name == to ? .migratedAlone(only, to: to, backup: backup) : .unknown(backup: backup)
        }
        switch record.progress(found.mapValues(\.place)) {
        case .nothing:
            try? IntentRecord.remove(at: context.location)
            return unchanged
        case .agentOnly: return .interrupted(record)
        case .everything: return .migrated(record)
        case .unexplained: return .unknown(backup: backup)
        }
    }
}
