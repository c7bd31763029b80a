import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Backups of a store with an interrupted migration. Rule: docs/backups.md.
@Suite struct InterruptedBackupTests {
    /// Agent at the second version, chat at the first with a row in it, and the record.
    private let split: SplitStore
    private var store: SyntheticStore { split.store }
    private let build: [DatabaseName: [Migration]]

    init() throws {
        split = try SplitStore(from: 1, to: 2)
        build = try SplitStore.history(2)
    }

    private func migrator() -> Migrator { store.migrator(build) { $0.backup = .folder(nil) } }

    @discardableResult
    private func restore(_ folder: String, force: Bool = false) throws -> RestoreReport {
        let restorer = Restorer(migrator().context, force: force)
        return try restorer.run(try restorer.plan(folder))
    }

    private func code(_ folder: String) -> String? {
        do {
            _ = try Restorer(migrator().context).plan(folder)
            return nil
        } catch {
            return (error as? RestoreError)?.code ?? "another: \(error)"
        }
    }

    /// The generations of agent and chat.
    private func generations() throws -> [Int64] {
        try [DatabaseName.agent, .chat].map { Int64(try store.rows("SELECT generation FROM store", in: $0)[0]) ?? 0 }
    }

    @Test("a backup and its restore include the record, and the next run completes the migration")
    func thereAndBack() throws {
        let made = try migrator().context.backUp()
        #expect(made.interrupted == split.record)
        #expect(made.manifest.identity == StoreIdentity(storeID: split.record.storeID, generation: 2))
        _ = try migrator().run()
        try store.execute("DELETE FROM t")

        let plan = try Restorer(migrator().context).plan(made.path)
        #expect(plan.interrupted == split.record && plan.generation == 4)
        let report = try restore(made.path)
        #expect(report.isInterrupted && report.identity?.generation == 4)
        #expect(try split.counts() == [2, 1])
        // Neither is an earlier generation of a database.
        #expect(try generations() == [4, 3])
        #expect(try IntentRecord.read(store.location.intentPath) == split.record.with(generation: 4))
        #expect(FileState(at: store.location.restoringPath) == .missing)

        #expect(try migrator().run().completed == split.record.with(generation: 4))
        #expect(try split.counts() == [2, 2])
        #expect(try generations() == [4, 4])
        #expect(try store.rows("SELECT note FROM t") == ["kept"])
    }

    @Test("the backup that the completing run makes can be restored")
    func backupOfTheCompletion() throws {
        let report = try migrator().run()
        let backup = try #require(report.completion?.backup)
        #expect(report.backup == nil && report.completion?.plans.keys.map(\.self) == [.chat])
        #expect(report.applied(.chat) == ["20300102_second"] && report.applied(.agent) == [])
        try restore(backup)
        #expect(try split.counts() == [2, 1])
        _ = try migrator().run()
        #expect(try split.counts() == [2, 2])
    }

    @Test("files that a restore moved aside during a migration can be restored, including the record")
    func movedAside() throws {
        let backup = try migrator().context.backUp().path
        let replaced = try #require(try restore(backup).replaced)
        #expect(try IntentRecord.read(replaced + "/x.migrating") == split.record)
        _ = try migrator().run()
        let report = try restore(replaced, force: true)
        #expect(report.isInterrupted)
        _ = try migrator().run()
        #expect(try split.counts() == [2, 2])
    }

    @Test("a restored backup of a completed migration moves the record of an interrupted one aside")
    func wholeBackup() throws {
        _ = try migrator().run()
        let whole = try migrator().context.backUp()
        #expect(whole.interrupted == nil && whole.manifest.interrupted == nil)
        let other = try SplitStore(from: 1, to: 2).store
        let restorer = Restorer(other.migrator(build).context, force: true)
        let report = try restorer.run(try restorer.plan(whole.path))
        #expect(!report.isInterrupted && FileState(at: other.location.intentPath) == .missing)
    }

    @Test("two databases that differ are not a backup without their record or with an edited one")
    func withoutRecord() throws {
        let backup = try migrator().context.backUp().path
        let (record, manifest) = (backup + "/x.migrating", backup + "/backup.json")
        let text = try String(contentsOfFile: record, encoding: .utf8)
        let json = try String(contentsOfFile: manifest, encoding: .utf8)
        try (text + " ").write(toFile: record, atomically: true, encoding: .utf8)
        #expect(code(backup) == "damagedBackup")
        try FileManager.default.removeItem(atPath: record)
        #expect(code(backup) == "damagedBackup")
        try json.replacing("x.migrating", with: "../x.migrating").write(
            toFile: manifest, atomically: true, encoding: .utf8)
        #expect(code(backup) == "damagedBackup")
        try json.replacing("interrupted", with: "forgotten").write(toFile: manifest, atomically: true, encoding: .utf8)
        #expect(code(backup) == "mismatchedBackup")
        // Two files alone: the record beside them is used when it explains them.
        try FileManager.default.removeItem(atPath: manifest)
        #expect(code(backup) == "mismatchedBackup")
        try text.replacing("20300102_agent_second", with: "20300102_other").write(
            toFile: record, atomically: true, encoding: .utf8)
        #expect(code(backup) == "mismatchedBackup")
        try Data("{".utf8).write(to: URL(fileURLWithPath: record))
        #expect(code(backup) == "damagedBackup")
        try text.write(toFile: record, atomically: true, encoding: .utf8)
        #expect(code(backup) == "unverifiedBackup")
    }

    @Test("the verification of a backup judges differing databases as a restore does: the record must explain them")
    func unexplained() throws {
        let context = migrator().context
        let explained = try #require(FoundBackup(at: try context.backUp().path))
        #expect(try context.problems(of: explained) == [])
        try FileManager.default.removeItem(atPath: explained.path)
        // A backup contains the record as it is.
        let path = store.location.intentPath
        try String(contentsOfFile: path, encoding: .utf8)
            .replacing("20300102_agent_second", with: "20300102_other")
            .write(toFile: path, atomically: true, encoding: .utf8)
        let made = try context.backUp()
        #expect(made.manifest.interrupted != nil && made.manifest.identity == nil)
        #expect(code(made.path) == "mismatchedBackup")
        let backup = try #require(FoundBackup(at: made.path))
        let problem = "the two databases differ, and x.migrating does not explain how, so no restore accepts them"
        #expect(try context.problems(of: backup) == [problem])
    }

    @Test("an interrupted restore is completed including the record that was not yet moved")
    func interruptedRestore() throws {
        let backup = try migrator().context.backUp().path
        let context = migrator().context
        let contents = try BackupContents(at: backup, in: context)
        let staging = RestoreStaging(context)
        let location = store.location
        let swap = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: "2030-01-01T00:00:00Z", backup: contents.folder, storeID: contents.identity?.storeID,
                generation: 4, aside: "", versions: try staging.fill(from: contents, generation: 4)))
        // Both databases are in their places, and the replaced files are aside.
        let aside = location.folder + "/" + swap.record.aside
        for path in [location.intentPath, location.path(of: .chat), location.path(of: .agent)] {
            try FileManager.default.moveItem(
                atPath: path, toPath: aside + "/" + (path as NSString).lastPathComponent)
        }
        for database in DatabaseName.allCases {
            try FileManager.default.moveItem(
                atPath: RestoreStaging.path(of: database, at: location), toPath: location.path(of: database))
        }
        let report = try #require(try Restorer(context).complete())
        #expect(report.isInterrupted)
        #expect(try IntentRecord.read(location.intentPath)?.generation == 4)
        #expect(try IntentRecord.read(aside + "/x.migrating") == split.record)
        _ = try migrator().run()
        #expect(try split.counts() == [2, 2])
    }

    @Test("a limit on the number of backups removes no backup of an interrupted migration")
    func stays() throws {
        let first = try migrator().context.backUp()
        let second = try migrator().context.backUp(keeping: 1)
        #expect(second.removedBackups.isEmpty)
        let pruning = try migrator().context.pruning(keeping: 1)
        #expect(pruning.interrupted.map(\.path) == [second.path, first.path])
        #expect(pruning.kept.isEmpty && pruning.removed.isEmpty)
        #expect(try IntentRecord.read(first.path + "/x.migrating") == split.record)
    }

    @Test("readers may open the store and see the interruption; a build without one of the versions may not")
    func reading() throws {
        #expect(try StoreGate(migrator().context).reading() == .interrupted(split.record))
        for count in [1, 3] {
            let gate = StoreGate(store.migrator(try SplitStore.history(count)).context)
            if count == 3 {
                #expect(try gate.reading() == .interrupted(split.record))
            } else {
                #expect {
                    _ = try gate.reading()
                } throws: { ($0 as? MigrationError)?.code == "interruptedMigration" }
            }
        }
        #expect {
            try StoreGate(migrator().context).check()
        } throws: { ($0 as? MigrationError)?.code == "interruptedMigration" }
        let (agent, away) = (store.location.path(of: .agent), store.folder.file("away"))
        try FileManager.default.moveItem(atPath: agent, toPath: away)
        #expect(throws: MigrationError.incompleteStore(missing: .agent, path: agent)) {
            _ = try StoreGate(migrator().context).reading()
        }
        try FileManager.default.moveItem(atPath: away, toPath: agent)
        try store.execute("UPDATE store SET store_id = 'other'")
        #expect {
            _ = try StoreGate(migrator().context).reading()
        } throws: { ($0 as? MigrationError)?.code == "interruptedMigration" }
    }
}
