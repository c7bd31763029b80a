public import ChatDBEngine
public import ChatDBSchema

/// Why a store was not migrated. Every case leaves the store as it was, unless `MigrationFailure.state` says otherwise.
public enum MigrationError: Error, Sendable, Hashable {
    // MARK: The plan
    /// These would be applied, and the consent given does not cover it.
    case needsUpgrade([String])
    /// These would be undone, and the consent given does not cover it.
    case needsDowngrade([String])
    /// These would have to be undone, and neither this build nor the database knows how.
    case noDownMigration(DatabaseName, [String])
    /// Where the build has one migration the database has another.
    case differentHistory(DatabaseName, build: String, database: String)
    /// Applied migrations whose files were edited afterwards.
    case editedMigration([String])
    /// A migration asked for that this build does not have.
    case unknownTarget(String, last: String?)
    /// More migrations to undo than were applied.
    case tooManySteps(Int, applied: Int)
    /// The direction asked for is not the one that leads to the version asked for.
    case wrongDirection(asked: MigrationStep.Direction, name: String)
    /// The plan was shown, and the answer was no.
    case declined

    // MARK: The files
    /// Migrations that cannot be loaded, or stored down SQL that is not fit to run.
    case invalidMigration(MigrationFileError)
    /// The store is not there.
    case noStore(path: String)
    /// The folder a new store would be made in is not there.
    case noFolder(path: String)
    /// One database of the pair is not there.
    case incompleteStore(missing: DatabaseName, path: String)
    /// A database that was to be made alone, beside the other one, to which it would not belong.
    case wouldNotBelong(DatabaseName, other: String)
    /// A log or journal whose database is not there; a new store in its place would destroy it.
    case strayFile(path: String)
    /// A database that was not made by chatdb.
    case notOurs(DatabaseName, path: String)
    /// A store of SimpleX Chat, which chatdb reads and never changes.
    case readOnlyStore
    /// The two databases do not belong together, or are of different generations without a run that explains it.
    case mismatchedPair(chat: StoreIdentity?, agent: StoreIdentity?)
    /// A run was interrupted, and this build cannot complete it.
    case interruptedMigration(IntentRecord, reason: String)
    /// The file that records an interrupted run cannot be understood.
    case unreadableIntentRecord(path: String)
    /// A restore was interrupted while it put files in their places.
    case interruptedRestore(RestoreRecord)
    /// What went wrong when a database was opened or read.
    case database(DatabaseName, path: String, StoreError)
    /// Another failure of the system.
    case system(StoreError)

    // MARK: Who else is there
    /// Another chatdb is at work.
    case storeLocked(by: FileHolder?)
    /// Another program has a database open.
    case inUse(DatabaseName, by: [FileHolder])

    // MARK: Checks before a run
    /// The full check found damage.
    case damaged(DatabaseName, problems: [String])
    /// Triggers or views that this version does not have, or not so.
    case unknownTrigger(DatabaseName, names: [String])
    /// Differences from the schema of its version, under `strict`.
    case drift(DatabaseName, [StructureDifference])
    /// Rows that refer to nothing, under `strict`.
    case danglingReferences(DatabaseName, count: Int)
    /// Not enough room for the backup and the run.
    case notEnoughSpace(needed: Int64, free: Int64, path: String)
    /// The folder of a backup cannot be made.
    case noBackupFolder(StoreError)
    /// The backup failed, and nothing was begun.
    case backupFailed(StoreError)

    // MARK: The run
    /// A statement of a migration failed.
    case migrationFailed(FailedStatement)
    /// A migration that does not say so lost rows.
    case lostRows(DatabaseName, migration: String, table: String, before: Int, after: Int)
    /// Going up, a migration that does not say so lost a column of a table with rows in it; `isDrift` when the column was
    /// none of the version's.
    case lostColumn(DatabaseName, migration: String, table: String, column: String, isDrift: Bool)
    /// A run lost something that the plan it was consented to does not have, or has less of: `planned` rows.
    case lostMore(DatabaseName, Loss, planned: Int)
    /// The run would leave references to rows that are not there.
    case madeDanglingReferences(DatabaseName, [DanglingReference])
    /// The result is not the schema of the version.
    case wrongResult(DatabaseName, version: String?, [StructureDifference])
    /// Somebody asked to stop.
    case interrupted
}

/// Where a migration failed.
public struct FailedStatement: Sendable, Hashable {
    /// The database.
    public let database: DatabaseName
    /// The migration.
    public let migration: String
    /// Up or down.
    public let direction: MigrationStep.Direction
    /// The file, or where else the SQL comes from.
    public let source: String
    /// The statement's number in it, from 1.
    public let statement: Int
    /// Its line in the file.
    public let line: Int
    /// Its first line.
    public let text: String
    /// What the engine said.
    public let cause: StoreError
}

/// An error with what became of the store.
public struct MigrationFailure: ChatDBError, Sendable, Hashable {
    /// What went wrong.
    public let error: MigrationError
    /// The state of the store now.
    public let state: StoreState

    /// What a report says about the error; the sentence about the state is for the caller to make of ``state``.
    public var info: ErrorInfo { error.info }
}

/// What became of a store after a failure.
public enum StoreState: Sendable, Hashable {
    /// As it was.
    case unchanged
    /// As it was; a backup had been made already.
    case unchangedWithBackup(String)
    /// One database is at the new version, the other is not, and the next run completes it.
    case interrupted(IntentRecord)
    /// An interrupted run was completed, and nothing was changed after that.
    case completed(IntentRecord)
    /// A store was being made, and what there is of it could not be removed; the next run does that.
    case partlyMade
    /// Both databases are at the new version, though making that last, or removing the record, failed; the next run
    /// tidies up.
    case migrated(IntentRecord)
    /// The one database that was to be migrated is at the new version, though making it last failed.
    case migratedAlone(DatabaseName, to: String?, backup: String?)
    /// Whether anything was done could not be found out.
    case unknown(backup: String?)
}

extension MigrationError {
    /// Runs `body`; a failure of the engine that comes out of it is told with the database it is about.
    static func naming<T>(_ database: DatabaseName, _ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError {
            switch error.kind {
            case .interrupted: throw MigrationError.interrupted
            case .damaged: throw MigrationError.damaged(database, problems: [error.message])
            default: throw MigrationError.database(database, path: path, error)
            }
        }
    }
}

extension MigrationError {
    /// Any error as one of ours.
    init(_ error: any Error) {
        self = Self(known: error) ?? .system(StoreError(.other, "unexpected failure (\(type(of: error)))"))
    }

    /// An error of this module or of the engine as one of ours; nil for any other.
    init?(known error: any Error) {
        switch error {
        case let error as MigrationError: self = error
        case let error as MigrationFileError: self = .invalidMigration(error)
        case let error as StoreError: self = error.kind == .interrupted ? .interrupted : .system(error)
        default: return nil
        }
    }
}
