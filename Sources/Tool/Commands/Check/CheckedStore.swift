import Engine
import EngineSQLite
import Migrations
import Repos
import Schema

/// A store and what was found in it.
struct CheckedStore {
    let migrator: Migrator
    let checkup: StoreCheckup
    /// What the reader should know of how it was found.
    let notes: [String]

    var isOK: Bool { checkup.isOK }

    /// Checks a store of any version, of whose databases one may be missing. Nothing of it changes.
    static func check(_ location: StoreLocation, _ output: Output) throws -> CheckedStore {
        let migrator = Migrator(engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load())
        let status = try migrator.status()
        if let problem = status.problems.first { throw problem.error.report(of: problem.path) }
        var notes = location.missing.map { "the \($0) database is not there (\(location.path(of: $0)))" }
        let told = try told(status, migrator, &notes)
        // A healthy table has no row to show for a long time.
        let store = try Store.openForReading(location, with: SQLiteEngine(patience: .seconds(60)))
        defer { try? store.close() }
        let bar = output.progress("checking the store", total: Int64(StoreCheck.all.count))
        defer { bar.finish() }
        let checkup = try Signals.cancellation.whileRegistered(store.interrupt) {
            try StoreCheckup(
                of: store, isOurs: status.kind == .chatdb, told: told, cancellation: Signals.cancellation
            ) { _, done, _ in bar.update(Int64(done)) }
        }
        return CheckedStore(migrator: migrator, checkup: checkup, notes: notes + store.notes)
    }

    /// What the migrations know: names by the id of the check.
    private static func told(
        _ status: StoreStatus, _ migrator: Migrator, _ notes: inout [String]
    ) throws -> [String: [String]] {
        var told: [String: [String]] = [:]
        if status.isMismatched { told[StoreCheck.mismatchedPair] = DatabaseName.allCases.map(\.rawValue) }
        if let record = status.interrupted { told[StoreCheck.interruptedMigration] = ["begun at \(record.startedAt)"] }
        if status.interruptedRestore != nil { told[StoreCheck.interruptedRestore] = ["restore"] }
        for (database, part) in status.inOrder {
            told[StoreCheck.editedMigration, default: []] += part.edited
            guard part.kind == .chatdb else { continue }
            do {
                told[StoreCheck.schemaDrift(database)] = try migrator.drift(of: database).map {
                    "\($0.kind.rawValue) \($0.object.rawValue) \($0.name)"
                }
            } catch MigrationError.needsDowngrade(let names) {
                notes.append(
                    "the \(database) database is newer than this build, by \(names.joined(separator: ", ")): "
                        + "its schema was not compared")
            } catch MigrationError.differentHistory {
                notes.append(
                    "the \(database) database has another history than this build: its schema was not compared")
            }
        }
        switch status.kind {
        case .chatdb: break
        case .simplex: notes.append("a store of SimpleX Chat: the rules that only chatdb keeps were not checked")
        case .unknown:
            notes.append("neither chatdb nor SimpleX Chat made this store: only what holds for all was checked")
        }
        return told
    }

    /// Nothing is mended in a file that is broken: every write may make it worse.
    func refuseDamaged() throws {
        for database in DatabaseName.allCases {
            let damage = checkup.findings.first { $0.id == StoreCheck.damageID(database) }
            if let damage { throw MigrationError.damaged(database, problems: damage.sample.map(\.description)) }
        }
    }
}

extension StoreStatus {
    /// The databases that were read, chat first.
    fileprivate var inOrder: [(database: DatabaseName, part: Part)] {
        DatabaseName.allCases.compactMap { database in readable[database].map { (database, $0) } }
    }
}
