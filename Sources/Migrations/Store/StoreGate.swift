import ChatDBEngine
public import ChatDBSchema
import Crypto

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

/// What a store is to whoever wants to read it with this build's questions.
public enum ReadableVersion: Sendable, Hashable {
    /// This build's version: it can be asked as it is.
    case current
    /// One of ours, older by these migrations.
    case older([String])
    /// One of ours between two versions, of which this build knows both: a run was interrupted.
    case interrupted(IntentRecord)
    /// SimpleX Chat's.
    case simplex([DatabaseName: SimpleXVersion])
}

extension StoreGate {
    /// Looks what the store is, without taking anything: for reading. Of an older version, between two versions, a store
    /// of SimpleX Chat, or one database alone can be read too; a newer one cannot, nor one that a run was making.
    ///
    /// Throws a `MigrationError`: `storeNotFound`, `needsDowngrade`, `interruptedMigration`, `notOurStore`, …
    public func reading() throws -> ReadableVersion {
        try requireStore()
        var context = context
        let missing = context.location.missing
        // Between two versions, one alone is not completed by any run: the other has to come back first.
        if missing.count == 1, let one = missing.first,
            try IntentRecord.read(context.location.intentPath)?.creates == false
        {
            throw MigrationError.incompleteStore(missing: one, path: context.location.path(of: one))
        }
        if missing.count == 1 { context.only = DatabaseName.allCases.first { !missing.contains($0) } }
        let view = try FoundStore.read(context)
        if let record = view.interrupted {
            try view.requireReadable(record, build: context.build)
            return .interrupted(record)
        }
        if let versions = try view.simplexVersions() { return .simplex(versions) }
        // A version is a question of names: edited files do not concern a reader.
        let plan = try view.plan(in: context, .leniently)
        try Confirmation.yesUp.check(plan)
        return plan.ups.isEmpty ? .current : .older(plan.ups)
    }
}

extension FoundStore {
    /// Throws `interruptedMigration` unless the record explains where the databases are, and this build knows the version
    /// of each.
    fileprivate func requireReadable(_ record: IntentRecord, build: [DatabaseName: [Migration]]) throws {
        try refuseStrangers(DatabaseName.allCases)
        if !record.creates, let reason = whyNotCompletable(record, build: build) {
            throw MigrationError.interruptedMigration(record, reason: reason)
        }
        let areKnown = parts.allSatisfy { database, part in
            let known = (build[database] ?? []).map(\.name)
            return known.starts(with: part.applied.map(\.name))
        }
        guard !record.creates, areKnown else {
            throw MigrationError.interruptedMigration(record, reason: MigrationError.comesFirst)
        }
    }

    /// The versions of a store of SimpleX Chat; nil when it is none. One database of the app and one of ours do not
    /// belong together, and files that were exchanged are not read as what they are called.
    fileprivate func simplexVersions() throws(MigrationError) -> [DatabaseName: SimpleXVersion]? {
        let foreign = parts.filter { $1.kind == .simplex }
        if foreign.isEmpty { return nil }
        guard foreign.count == parts.count else {
            throw .mismatchedPair(chat: parts[.chat]?.identity, agent: parts[.agent]?.identity)
        }
        for (database, part) in foreign where (SimpleXHistory.database(of: part.applied) ?? database) != database {
            throw .notOurs(database, path: part.path)
        }
        return Dictionary(
            uniqueKeysWithValues: foreign.map { ($0, SimpleXVersion($1.applied, of: $0)) })
    }
}

/// Whether a store has other triggers than its version: they would run with whatever is written.
/// Rule: docs/migrations.md, "Drift".
enum KnownTriggers {
    /// The triggers of the newest version, so that a store is opened without making that version's schema. A test says
    /// when they are out of date; a store is then only opened more slowly.
    static let newest: [DatabaseName: (version: String, hashes: Set<String>)] = [
        .chat: (
            "20260907_list_indexes",
            [
                "1ab08e36e1596a6a82cec5b4940cd9245cebe134edcd5d334320a16ad9d74e12",
                "d54f80be43fa40b73a4a9892926a2cc7322ecf7cf27dd591aed23d139faf6944",
                "eaf02f81d42aeb646f4c78e4210670b24f6a4323c16b4e6a9dfeec842742c1b4",
            ]
        ),
        .agent: ("20260820_agent_receive_attempts", []),
    ]

    /// Throws `unknownTrigger` for triggers that a database at the build's version does not have, or not so.
    static func check(
        _ found: [String: String], in database: DatabaseName, build: [Migration], engine: any StorageEngine
    ) throws {
        if found.isEmpty { return }
        if let newest = newest[database], newest.version == build.last?.name,
            found.allSatisfy({ newest.hashes.contains(hash($0.key, folded($0.value))) })
        {
            return
        }
        let known = try SchemaText.structure(of: build, engine: engine).triggers
        let unknown = found.filter { known[$0.key]?.text.folded != folded($0.value) }.keys.sorted()
        guard unknown.isEmpty else { throw MigrationError.unknownTrigger(database, names: unknown) }
    }

    /// Of a trigger's name and its text as structures have it.
    static func hash(_ name: String, _ text: String?) -> String {
        SHA256.hash(data: Array("\(name)\u{0}\(text ?? "")".utf8)).hexadecimal
    }

    /// Nil for a text that is no SQL.
    private static func folded(_ sql: String) -> String? { try? SQLLexer.folded(sql, refusesControls: false) }
}
