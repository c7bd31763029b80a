public import ChatDBEngine
public import ChatDBSchema

/// The reason why a store was not migrated. Every case leaves the store as it was, unless `MigrationFailure.state` says
/// otherwise.
public enum MigrationError: Error, Sendable, Hashable {
    // MARK: The plan
    /// The consent given does not cover applying these migrations.
    case needsUpgrade([String])
    /// The consent given does not cover undoing these migrations.
    case needsDowngrade([String])
    /// These would have to be undone, and neither this build nor the database has their down SQL.
    case noDownMigration(DatabaseName, [String])
    /// At one position, the build and the database have different migrations.
    case differentHistory(DatabaseName, build: String, database: String)
    /// Applied migrations whose files were edited afterwards. After an accepted edit, the files differ from the text that
    /// was accepted last, and may have the text that the database applied.
    case editedMigration([String], sinceAccepted: Bool = false)
    /// Applied migrations whose up files are empty. Such an edit cannot be accepted: the schema of a version is made by its
    /// files.
    case emptiedMigration([String])
    /// Applied migrations whose files were edited afterwards. The database has none of the tables that its files create:
    /// they are probably those of another database.
    case otherTables(DatabaseName, [String])
    /// Applied migrations whose files were edited afterwards. By the files as they are, the schema is nearer to that of a
    /// version with further migrations. The list of migrations may have lost rows.
    case editedVersion(DatabaseName, [String], fitting: String)
    /// The list of migrations of a database has lost rows, or somebody changed the schema by hand: a run would apply or undo
    /// the wrong migrations.
    case lostMigrations(DatabaseName)
    /// The caller named a migration that this build does not have.
    case unknownTarget(String, last: String?)
    /// More migrations to undo than were applied, apart from those that were adopted.
    case tooManySteps(Int, applied: Int, adopted: Int = 0)
    /// The requested direction does not lead to the requested version.
    case wrongDirection(asked: MigrationStep.Direction, name: String)
    /// The plan was shown, and the answer was no.
    case declined

    // MARK: The files
    /// Migrations that cannot be loaded, or invalid stored down SQL.
    case invalidMigration(MigrationFileError)
    /// The store does not exist.
    case noStore(path: String)
    /// The named file of a database does not exist.
    case noFile(path: String)
    /// The folder for a new store does not exist.
    case noFolder(path: String)
    /// One database of the pair is missing.
    case incompleteStore(missing: DatabaseName, path: String)
    /// A database to be created alone beside the other one, to which it would not belong.
    case wouldNotBelong(DatabaseName, other: String)
    /// A log or journal without its database; a new store in its place would destroy it.
    case strayFile(path: String)
    /// A database that was not made by chatdb.
    case notOurs(DatabaseName, path: String)
    /// A store of SimpleX Chat, which chatdb does not change in this way.
    case readOnlyStore
    /// The two databases do not belong together, or are of different generations without a run that explains it.
    case mismatchedPair(chat: StoreIdentity?, agent: StoreIdentity?)
    /// A database has lost the row of its table `store`, and so has the other one, if it was named: no backup of it could
    /// be restored.
    case lostStoreRow(DatabaseName, path: String)
    /// A run was interrupted, and this build or this command does not complete it.
    case interruptedMigration(IntentRecord, reason: InterruptedRunReason)
    /// The file that records an interrupted run cannot be understood.
    case unreadableIntentRecord(path: String)
    /// A restore, or a change of the passphrase, was interrupted while it put files in their places.
    case interruptedRestore(RestoreRecord)
    /// A database could not be opened or read.
    case database(DatabaseName, path: String, StoreError)
    /// Another failure of the system.
    case system(StoreError)

    // MARK: An adoption
    /// A database that has a table or view with the name of one of chatdb's internal tables.
    case hasLedger(DatabaseName, path: String, table: String)
    /// A database to adopt is one of chatdb's already, with this last migration.
    case alreadyAdopted(DatabaseName, path: String, version: String)
    /// A database that another program has marked as its own, with this `application_id`.
    case foreignMark(DatabaseName, path: String, mark: Int64)
    /// A database that does not have the schema of the named version; `fitting` is the last version that it has.
    case otherSchema(
        DatabaseName, path: String, version: String, [StructureDifference], fitting: String?)
    /// A database with migrations that are not this build's own: its tables are unknown.
    case otherMigrations(DatabaseName, first: String)
    /// One database of an adopted pair, whose other database was not named.
    case halfOfPair(DatabaseName, path: String, partner: String)

    /// The store was moved to another place, and is kept as it was.
    case moved(to: String)

    // MARK: Other programs
    /// Another chatdb is at work.
    case storeLocked(by: FileHolder?)
    /// Another program has a database open.
    case inUse(DatabaseName, by: [FileHolder])

    // MARK: Checks before a run
    /// The full check found damage.
    case damaged(DatabaseName, problems: [String])
    /// Triggers or views that are not in this version, or differ from it.
    case unknownTrigger(DatabaseName, names: [String])
    /// Differences from the schema of its version, under `strict`.
    case drift(DatabaseName, [StructureDifference])
    /// Dangling references, under `strict`.
    case danglingReferences(DatabaseName, count: Int)
    /// Not enough room for the backup and the run.
    case notEnoughSpace(needed: Int64, free: Int64, path: String)
    /// The folder of a backup cannot be created.
    case noBackupFolder(StoreError)
    /// The backup failed before the run changed anything.
    case backupFailed(StoreError)

    // MARK: The run
    /// A statement of a migration failed.
    case migrationFailed(FailedStatement)
    /// A migration without the directive `data-loss` lost rows.
    case lostRows(DatabaseName, migration: String, table: String, before: Int, after: Int)
    /// A migration up without the directive `data-loss` lost a column of a table with rows; `isDrift` when the column
    /// is not in the version's schema.
    case lostColumn(DatabaseName, migration: String, table: String, column: String, isDrift: Bool)
    /// A migration would lose data that it does not declare, as its plan shows; the run has not begun.
    case undeclaredLoss(DatabaseName, UndeclaredLoss)
    /// A run lost data that the approved plan does not list, or lists with fewer rows: `planned`.
    case lostMore(DatabaseName, Loss, planned: Int)
    /// The run would leave references to missing rows, because of at least one of these migrations.
    case madeDanglingReferences(DatabaseName, migrations: [String], [DanglingReference])
    /// The result is not the schema of the version.
    case wrongResult(DatabaseName, version: String?, [StructureDifference])
    /// The migrations up to this version leave triggers or views without a table or column that they need.
    case brokenDefinitions(DatabaseName, version: String, [BrokenDefinition])
    /// The run was cancelled.
    case interrupted
}

/// The place where a migration failed.
public struct FailedStatement: Sendable, Hashable {
    /// The database.
    public let database: DatabaseName
    /// The migration.
    public let migration: String
    /// Up or down.
    public let direction: MigrationStep.Direction
    /// The file, or another source of the SQL.
    public let source: String
    /// The statement's number in it, from 1.
    public let statement: Int
    /// Its line in the file.
    public let line: Int
    /// Its first line.
    public let text: String
    /// The error of the engine.
    public let cause: StoreError
}

/// An error with the state of the store after it.
public struct MigrationFailure: ChatDBError, Sendable, Hashable {
    /// The error.
    public let error: MigrationError
    /// The state of the store now.
    public let state: StoreState

    /// The error in a report. The caller adds a sentence about ``state``.
    public var info: ErrorInfo { error.info }
}

/// The state of a store after a failure.
public enum StoreState: Sendable, Hashable {
    /// Unchanged.
    case unchanged
    /// Unchanged; a backup was made already.
    case unchangedWithBackup(String)
    /// One database is at the new version, the other is not, and the next run completes it.
    case interrupted(IntentRecord)
    /// An interrupted run was completed, and nothing was changed after that.
    case completed(IntentRecord)
    /// The creation of a store failed and its files could not be removed; the next run removes them.
    case partlyMade
    /// Both databases are at the new version, although a sync or the removal of the record failed; the next run cleans
    /// up.
    case migrated(IntentRecord)
    /// The single database of the run is at the new version, although a sync failed.
    case migratedAlone(DatabaseName, to: String?, backup: String?)
    /// An adoption has changed these databases of all; running it again completes it.
    case adopted([DatabaseName], of: [DatabaseName], backup: String?)
    /// The state could not be determined.
    case unknown(backup: String?)
}

extension MigrationError {
    /// The error that a store does not exist.
    package static func absent(_ location: StoreLocation) -> MigrationError {
        location.hasNamedFiles ? .noFile(path: location.prefix) : .noStore(path: location.prefix)
    }

    /// Runs `body`; adds the database to an error of the engine.
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
    /// Converts any error.
    init(_ error: any Error) {
        self = Self(known: error) ?? .system(StoreError(.other, "unexpected failure (\(type(of: error)))"))
    }

    /// Converts an error of this module or of the engine; nil for any other.
    init?(known error: any Error) {
        switch error {
        case let error as MigrationError: self = error
        case let error as MigrationFileError: self = .invalidMigration(error)
        case let error as StoreError: self = error.kind == .interrupted ? .interrupted : .system(error)
        default: return nil
        }
    }
}

/// The reason why an interrupted run prevents a command.
public enum InterruptedRunReason: Sendable, Hashable {
    /// A run of this build can complete or undo it, and must do so first.
    case comesFirst
    /// It concerns both databases, and the command only one.
    case concernsBoth
    /// The databases are at versions that are not of this run, so no build can complete it.
    case unexplained
    /// This build does not have the migrations to its target; nil is an empty database.
    case lacksMigrations(to: String?)
    /// It was creating the store, and this file is not one that it created.
    case foreignFile(path: String)

    /// The reason as a clause.
    var text: String {
        switch self {
        case .comesFirst: "it must be completed or undone first"
        case .concernsBoth: "it concerns both databases, and only one was asked for"
        case .unexplained: "the databases are at versions that are not of this run"
        case .lacksMigrations(let target): "this build does not have the migrations to \(target ?? "nothing")"
        case .foreignFile(let path): "\(path) is not a file that the run created"
        }
    }
}
