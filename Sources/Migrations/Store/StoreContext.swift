public import ChatDBEngine
public import ChatDBSchema

/// The store that a command works on, and what every step of the work needs: engine, location, migrations of this
/// build, time to wait for others, cancellation and progress. A value without open files; commands pass it on.
///
/// ```swift
/// var context = StoreContext(engine: engine, location: location, build: try MigrationSource.build.load())
/// context.lockTimeout = 30
/// let report = try context.backUp()
/// ```
public struct StoreContext: Sendable {
    /// The engine that opens the store.
    public let engine: any StorageEngine
    /// Where the store is.
    public let location: StoreLocation
    /// The migrations of this build, per database, sorted by name.
    public let build: [DatabaseName: [Migration]]
    /// The one database that a command concerns: the other one is neither created, read nor required, but a backup
    /// before a run includes it. Nil means both. At first it is the database of a location that has only one.
    public var only: DatabaseName?
    /// Seconds to wait for other programs.
    public var lockTimeout: Double = 5
    /// Stops the work at the next point where the store is consistent.
    public var cancellation = Cancellation()
    /// Receives each stage of the work, on the thread that does it.
    public var progress: MigrationProgress.Handler = { _ in }

    /// A context for both databases of a store. Opens nothing.
    public init(engine: any StorageEngine, location: StoreLocation, build: [DatabaseName: [Migration]]) {
        self.engine = engine
        self.location = location
        self.build = build
        only = location.databases.count == 1 ? location.databases.first : nil
    }

    /// Whether all of its migrations are chatdb's own, and none is of another folder. A folder may have none.
    package var hasOwnMigrations: Bool {
        let migrations = build.values.joined()
        return !migrations.isEmpty && migrations.allSatisfy { MigrationSource.ownNames.contains($0.name) }
    }

    /// Whether its migrations are those of a folder: they are not the first ones of this build, with the same names and
    /// texts. The tests of this build's migrations say nothing about them.
    package var isOfFolder: Bool {
        guard hasOwnMigrations, let own = MigrationSource.own[location.syntax] else { return true }
        return build.contains { database, migrations in
            !(own[database] ?? []).starts(with: migrations) { $0.hasSameTexts(as: $1) }
        }
    }

    /// What has its migrations, for sentences: `this build`, or `the folder` that was named.
    package var owner: String { hasOwnMigrations ? "this build" : "the folder" }

    /// The databases that the work concerns: agent first, as in every run.
    var databases: [DatabaseName] { only.map { [$0] } ?? [.agent, .chat] }

    /// Those of the store's databases that exist, chat first; also those that the work does not concern.
    func existing() throws(MigrationError) -> [DatabaseName] {
        do throws(StoreError) {
            return try engine.databases(of: location)
        } catch {
            throw .system(error)
        }
    }

    /// The migrations of these databases.
    var concernedBuild: [DatabaseName: [Migration]] {
        Dictionary(uniqueKeysWithValues: databases.map { ($0, build[$0] ?? []) })
    }
}

/// A stage of a run, reported while it works.
public enum MigrationProgress: Sendable, Hashable {
    /// The work waits for other programs, which have the store open or locked. It is empty if their names are unknown.
    case waiting(for: [FileHolder])
    /// An interrupted run was completed; the requested work follows.
    case completed(IntentRecord)
    /// The run checks the database for damage.
    case checking(DatabaseName)
    /// The run copies the database; the completed part, 0…1.
    case backingUp(DatabaseName, Double)
    /// The run verifies the copy.
    case verifyingBackup(DatabaseName)
    /// The run applies or undoes a migration; the first of the run has number 1. This is reported at the start of each
    /// of its statements, and while a long statement runs.
    case migrating(DatabaseName, MigrationStep, number: Int, of: Int, StatementProgress)
    /// The run compares the result with the expected schema.
    case verifying(DatabaseName)
    /// A change of the passphrase writes the database again.
    case rewriting(DatabaseName)
    /// A copy of the store works on a database.
    case copying(DatabaseName, CopyStage)

    /// Receives the stages. Called on the thread of the run.
    public typealias Handler = @Sendable (MigrationProgress) -> Void
}

/// A stage of a copy of a store to another place.
public enum CopyStage: Sendable, Hashable {
    /// The copy looks for values that the target cannot hold, in this table.
    case checking(table: String)
    /// The copy has inserted so many of all rows of the database.
    case filling(table: String, rows: Int, of: Int)
    /// The copy makes so many of all indexes, references and triggers.
    case finishing(parts: Int, of: Int)
    /// The copy compares this table of the target with what was read.
    case verifying(table: String)
}
