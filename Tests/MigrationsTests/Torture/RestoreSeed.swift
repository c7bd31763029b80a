import ChatDBKit
import Foundation
import TestKit

/// A store with a backup of an earlier state and with a log without checkpoint, for restores with injected faults.
struct RestoreSeed: Sendable {
    let folder: URL
    let backup: String
    /// The content of the store before, and of the backup.
    let old: Fingerprint
    let new: Fingerprint

    init() throws {
        let store = try TortureStore(journal: .wal, items: 40)
        defer { store.remove() }
        let location = try StoreLocation(prefix: store.folder.path + "/x")
        let made = try StoreContext(
            engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load()
        ).backUp()
        backup = (made.path as NSString).lastPathComponent
        new = store.fingerprint
        let chat = try SQLiteEngine().open(location.path(of: .chat), as: .existing)
        _ = try chat.write { try $0.run("DELETE FROM chat_items WHERE chat_item_id > 30") }
        let agent = try SQLiteEngine().open(location.path(of: .agent), as: .existing)
        _ = try agent.write { try $0.run("UPDATE connections SET conn_mode = 'CON'") }
        // The state after kill -9: copied while the logs are in use and no program writes.
        folder = store.folder.deletingLastPathComponent()
            .appendingPathComponent("chatdb-torture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        where !name.hasSuffix("-shm") && !name.hasSuffix(".lock") {
            try FileManager.default.copyItem(
                at: store.folder.appendingPathComponent(name), to: folder.appendingPathComponent(name))
        }
        try chat.close()
        try agent.close()
        old = try Fingerprint(StoreLocation(prefix: folder.path + "/x"))
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }

    func command() throws -> FaultCommand {
        let backup = backup
        return FaultCommand(try BuiltTool.find()) {
            [
                "restore", $0.path + "/x.backups/" + backup, "--yes", "--format", "json", "--store", $0.path + "/x",
            ]
        }
    }

    /// Expects the old pair or the new pair, of one generation, or a record; then the next restore succeeds, and the
    /// replaced files are beside the store.
    func verdict(_ folder: URL, _ fault: FaultCase) throws -> FaultVerdict {
        let location = try StoreLocation(prefix: folder.path + "/x")
        let hasRecord = FileState(at: location.restoringPath + "/restore.json") != .missing
        var state = "between, with the record"
        if !hasRecord {
            let found = try Fingerprint(location)
            guard found == old || found == new else { return .damaged("the store is neither old nor new") }
            guard try generations(location).count == 1 else { return .damaged("the generations differ") }
            state = found == old ? "old" : "new"
        }
        if fault.finished || fault.output.contains("\"outcome\""), state != "new" {
            return .lost("the restore said it was done")
        }
        let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
        let next = try FaultRun(try command(), in: folder, scratch: scratch, plan: .count).run()
        guard next.termination == .exit(0) else { throw Damage(what: "the next restore failed: \(next.errors)") }
        guard try Fingerprint(location) == new else { throw Damage(what: "the next restore ended elsewhere") }
        guard try generations(location).count == 1 else { throw Damage(what: "the generations differ in the end") }
        guard FileState(at: location.restoringPath) == .missing else { throw Damage(what: "the folder is still there") }
        guard hasOld(folder) else { return .damaged("what was replaced is not there any more") }
        return .whole(state)
    }

    private func generations(_ location: StoreLocation) throws -> Set<StoreIdentity?> {
        Set(
            try DatabaseName.allCases.map { database in
                let connection = try SQLiteEngine().open(location.path(of: database), as: .untrusted)
                defer { try? connection.close() }
                return try connection.read { try StoreIdentity.read(in: $0) }
            })
    }

    private func hasOld(_ folder: URL) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasPrefix("x.replaced-") }.contains { name in
            let aside = try? Fingerprint(StoreLocation(prefix: folder.path + "/" + name + "/x"))
            return aside == old
        }
    }
}
