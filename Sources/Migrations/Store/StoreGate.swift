import ChatDBEngine
import ChatDBSchema

/// The way into a store for whoever is no migration. To be written it must be whole, ours, of this build's version, and
/// not between two versions; to be read, less will do (`reading()`).
///
/// Rule: docs/migrations.md, "Interrupted runs" and "The plan".
public struct StoreGate: Sendable {
    let context: StoreContext

    /// A gate for a store and a build.
    public init(_ context: StoreContext) {
        self.context = context
    }

    /// Takes the store's lock together with others that write, until the pass is given back, and looks whether the store
    /// may be written. Migrations wait meanwhile.
    ///
    /// Throws a `MigrationError`: `storeNotFound`, `incompleteStore`, `needsUpgrade`, `interruptedMigration`, …
    public func enter() throws -> StorePass {
        try requireStore()
        // Before the lock, which is a file: nothing is made beside a store that is not ours.
        if isOfSimpleX() { throw MigrationError.readOnlyStore }
        let lock = try StoreLock.take(
            context.location.lockPath, .shared, timeout: context.lockTimeout,
            cancellation: context.cancellation)
        try check()
        return StorePass(lock: lock)
    }

    /// Looks whether the store may be written, without taking anything: it must be whole, ours and of this build's
    /// version, and have no other triggers than that has. For whoever asks first and writes later.
    public func check() throws {
        try requireStore()
        let view = try FoundStore.read(context)
        if let record = view.interrupted {
            throw MigrationError.interruptedMigration(record, reason: MigrationError.comesFirst)
        }
        // A version is a question of names: edited files are none of the writer's business.
        try Confirmation.error.check(try view.plan(in: context, .leniently))
        for (database, part) in view.parts {
            try KnownTriggers.check(
                part.triggers, in: database, build: context.build[database] ?? [], engine: context.engine)
        }
    }

    /// Whether a database that is there is SimpleX Chat's. The check reports what cannot be read.
    private func isOfSimpleX() -> Bool {
        // With a lock file, nothing is made that is not there already.
        if FileState(at: context.location.lockPath) != .missing { return false }
        return DatabaseName.allCases.contains { database in
            context.location.state(of: database) != .missing && (try? context.find(database).kind) == .simplex
        }
    }

    func requireStore() throws(MigrationError) {
        let missing = context.location.missing
        try RestoreRecord.refuse(at: context.location)
        if missing.count == DatabaseName.allCases.count, !IntentRecord.isThere(context.location) {
            throw .noStore(path: context.location.prefix)
        }
    }
}

/// The right to write a store, held as long as this lives.
public final class StorePass: Sendable {
    private let lock: StoreLock

    init(lock: StoreLock) {
        self.lock = lock
    }
}
