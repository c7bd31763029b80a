import ChatDBKit
import Foundation
import TestKit

/// The conditions after every fault in a migration.
struct TortureCheck: Sendable {
    let old: [DatabaseName: String]
    let content: [String]
    let new: [DatabaseName: String]
    let tool: URL
    /// Whether the run completes an interrupted one, and finds its files.
    var completes = false

    init(_ store: TortureStore) throws {
        old = store.fingerprint.versions
        content = store.fingerprint.content
        new = try MigrationSource.build.load().compactMapValues(\.last?.name)
        tool = try BuiltTool.find()
    }

    /// Expects both databases old, both new, or agent new and chat old with the record; unchanged rows; a complete
    /// backup before any new database; and the success of a second run.
    func verdict(_ folder: URL, _ fault: FaultCase) throws -> FaultVerdict {
        let location = try StoreLocation(prefix: folder.path + "/x")
        let found = try Fingerprint(location)
        guard found.content == content else { return .damaged("the rows are not what they were") }
        let hasRecord = FileState(at: location.intentPath) != .missing
        let state: String
        switch (found.versions[.agent], found.versions[.chat]) {
        case (old[.agent], old[.chat]): state = "old"
        case (new[.agent], new[.chat]): state = "new"
        case (new[.agent], old[.chat]) where hasRecord: state = "between, with the record"
        default: return .damaged("the databases are at \(found.versions)")
        }
        let isUnchanged = state == "old" || completes && state != "new"
        if !isUnchanged, (fault.output + fault.errors).contains("Nothing was changed.") {
            return .damaged("the run said that nothing was changed")
        }
        if state != "old", !hasWholeBackup(location) { return .damaged("migrated without a backup") }
        if fault.finished || fault.output.contains("\"applied\""), state != "new" {
            return .lost("the run said it was done")
        }
        try finish(folder, location)
        return .whole(state)
    }

    /// Expects the old state in a readable form.
    private func hasWholeBackup(_ location: StoreLocation) -> Bool {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: location.backupsPath)) ?? []
        return folders.contains { name in
            let folder = location.backupsPath + "/" + name
            guard BackupManifest.read(inFolder: folder) != nil,
                let backup = try? Fingerprint(StoreLocation(prefix: folder + "/x"))
            else { return false }
            return backup.versions == old && backup.content == content
        }
    }

    /// The next run, without faults, migrates the store to the new version.
    private func finish(_ folder: URL, _ location: StoreLocation) throws {
        let next = FaultCommand(tool) {
            ["migrate", "run", "--confirm", "yes-up", "--no-backup", "--store", $0.path + "/x"]
        }
        let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
        let outcome = try FaultRun(next, in: folder, scratch: scratch, plan: .count).run()
        guard outcome.termination == .exit(0) else {
            throw Damage(what: "the next run failed, \(outcome.termination): \(outcome.errors)")
        }
        let found = try Fingerprint(location)
        guard found.versions == new else { throw Damage(what: "the next run ended at \(found.versions)") }
        guard found.content == content else { throw Damage(what: "the next run lost rows") }
        guard FileState(at: location.intentPath) == .missing else { throw Damage(what: "the record is still there") }
    }
}
