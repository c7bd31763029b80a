import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// Runs in separate processes: several at once, and one whose output has no reader.
@Suite(.timeLimit(.minutes(60))) struct ProcessTests {
    private func copy(of store: TortureStore) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try FileManager.default.copyItem(atPath: store.folder.path, toPath: folder.file("store"))
        return folder
    }

    private func versions(in folder: TemporaryFolder) throws -> Fingerprint {
        try Fingerprint(StoreLocation(prefix: folder.file("store/x")))
    }

    @Test("M09: one of several concurrent processes migrates, the others find a current store, and all succeed")
    func atOnce() throws {
        let store = try TortureStore(journal: .wal, items: 100)
        defer { store.remove() }
        let newest = try MigrationSource.build.load().compactMapValues(\.last?.name)
        let tool = try BuiltTool.find().path
        for round in 1...6 {
            let folder = try copy(of: store)
            let words = ["migrate", "run", "--confirm", "yes-up", "--no-backup", "--lock-timeout", "120"]
            let said = Mutex<[String]>([])
            // All are started before the first wait; a shell in a test cannot wait, because it receives no signal.
            OwnThreads.perform(4) { _ in
                let outcome = try? Shell.run(
                    [tool] + words + ["--format", "json", "--store", folder.file("store/x")])
                said.withLock { $0.append("\(outcome?.status ?? -1) \(outcome?.output ?? "")") }
            }
            let answers = said.withLock(\.self)
            #expect(answers.count == 4 && answers.allSatisfy { $0.hasPrefix("0 ") }, "round \(round): \(answers)")
            #expect(answers.count { $0.contains("\"20251013_chat_item_ids\"") } == 1, "round \(round): \(answers)")
            let found = try versions(in: folder)
            #expect(found.versions == newest && found.content == store.fingerprint.content)
        }
    }

    @Test("M08: a run whose output has no reader completes, and the exit code shows the lost output")
    func readerGone() throws {
        let store = try TortureStore(journal: .delete, items: 100)
        defer { store.remove() }
        let newest = try MigrationSource.build.load().compactMapValues(\.last?.name)
        for format in ["table", "json"] {
            let folder = try copy(of: store)
            let script = """
                { "$0" migrate run --confirm yes-up --format \(format) --store "$1/store/x" 2>&1; echo $? > "$1/status"; } \
                    | true
                """
            _ = try Shell.run(["sh", "-c", script, try BuiltTool.find().path, folder.path])
            let status = FileManager.default.contents(atPath: folder.file("status")) ?? Data()
            #expect(String(decoding: status, as: UTF8.self) == "0\n", "\(format)")
            let found = try versions(in: folder)
            #expect(found.versions == newest && found.content == store.fingerprint.content)
        }
    }
}
