import Foundation
import TestKit
import Testing

/// The backup is on the disk before the store changes, by the operations of a run on files.
@Suite(.enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux")) struct BackupDurabilityTests {
    @Test(
        "B05: a backup in another folder, and the folder's own entry, are on the disk before the store is written",
        arguments: TortureStore.Journal.allCases)
    func syncedBefore(_ journal: TortureStore.Journal) throws {
        let operations = try self.operations(journal)
        let isStore = { (operation: FileOperation) in
            operation.path.hasPrefix("store/x_") && !operation.path.hasSuffix("-shm")
        }
        let first = try #require(operations.firstIndex { $0.kind == .write && isStore($0) })
        let before = operations[..<first]
        #expect(!operations[first...].contains { $0.path.hasPrefix("elsewhere") })

        let written = Set(before.filter { $0.kind == .write && $0.path.hasPrefix("elsewhere/") }.map(\.path))
        #expect(written.count >= 3, "\(written)")
        for path in written {
            let last = try #require(before.lastIndex { $0.kind == .write && $0.path == path })
            #expect(before[last...].contains { isSync($0) && $0.path == path }, "\(path)")
        }
        // An entry of a folder is durable when the folder was synced after the entry was made.
        let made = before.indices.filter { index in
            let path = entry(before[index])
            return path?.hasPrefix("elsewhere") == true
        }
        #expect(made.count >= 5)
        for index in made {
            let path = try #require(entry(before[index]))
            let parent = path.split(separator: "/").dropLast().joined(separator: "/")
            // A renamed file has its entry under the new name.
            if before[index...].contains(where: { $0.kind == .rename && $0.path == path }) { continue }
            #expect(before[index...].contains { isSync($0) && $0.isFolder && $0.path == parent }, "\(path)")
        }
    }

    private func isSync(_ operation: FileOperation) -> Bool { [.fsync, .fdatasync].contains(operation.kind) }

    /// The path that an operation created.
    private func entry(_ operation: FileOperation) -> String? {
        switch operation.kind {
        case .create, .makeFolder: operation.path
        case .rename, .link: operation.newPath
        default: nil
        }
    }

    private func operations(_ journal: TortureStore.Journal) throws -> [FileOperation] {
        let store = try TortureStore(journal: journal, items: 60)
        defer { store.remove() }
        let place = try TemporaryFolder()
        let folder = URL(fileURLWithPath: place.file("place"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try FileManager.default.copyItem(at: store.folder, to: folder.appendingPathComponent("store"))
        let command = FaultCommand(try BuiltTool.find()) {
            [
                "migrate", "run", "--confirm", "yes-up", "--store", $0.path + "/store/x",
                "--backup-dir", $0.path + "/elsewhere",
            ]
        }
        let log = URL(fileURLWithPath: place.file("log"))
        let outcome = try FaultRun(
            command, in: folder, scratch: URL(fileURLWithPath: place.file("scratch")), plan: .log(to: log)
        ).run()
        #expect(outcome.termination == .exit(0) && outcome.unseen.isEmpty, "\(outcome.errors)")
        return try OperationLog(contentsOf: log).operations
    }
}
