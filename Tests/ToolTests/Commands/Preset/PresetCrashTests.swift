import Foundation
import TestKit
import Testing

@Suite("A crash during an import", .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct PresetCrashTests {
    private static func export(_ folder: URL) throws -> String {
        let process = Process()
        process.executableURL = try BuiltTool.find()
        process.arguments = ["preset", "export", "-u", "alice", "--store", folder.path + "/x"]
        let outcome = try process.outcome()
        guard outcome.code == 0 else { throw ToolRun.Failure(description: outcome.errors) }
        return outcome.output
    }

    @Test(
        "Killed at any operation, or with a full disk: the profile is unchanged, or as planned with its copy kept"
    )
    func crash() throws {
        let demo = try DemoStore.make()
        let empty = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": [], "smpServers": []}}"#
        try Data(empty.utf8).write(to: URL(fileURLWithPath: demo.file("e.json")))
        let folder = URL(fileURLWithPath: demo.folder.path)
        let before = try Self.export(folder)
        let command = FaultCommand(try BuiltTool.find()) { folder in
            [
                "preset", "import", folder.path + "/e.json", "-u", "alice", "--mode", "replace", "--yes", "--store",
                folder.path + "/x",
            ]
        }
        let campaign = FaultCampaign(
            command: command, seedFolder: folder, sample: .everyIfTortured(else: 8),
            check: { folder, fault in
                let now = try Self.export(folder)
                if now == before { return fault.finished ? .lost("it said that it was done") : .whole("before") }
                guard !now.contains("\"mine\"") else { return .damaged("neither before nor after") }
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                let isKept = names.contains { $0.contains("-before-") && $0.hasSuffix(".json") }
                return isKept ? .whole("after") : .lost("what was there is not kept")
            })
        let summary = try campaign.run([.kill, .fail(errno: ENOSPC, sticky: true), .powerCut(variants: 2)])
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "before") > 0 && summary.count(of: "after") > 0, "\(summary)")
    }

    @Test(
        "After a commit that is only not durable, chatdb does not claim that nothing changed, and keeps the copy"
    )
    func refusedLastStep() throws {
        let demo = try DemoStore.make()
        for name in ["x_chat.db", "x_agent.db"] { try demo.sql("PRAGMA journal_mode = DELETE", in: name) }
        let empty = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": []}}"#
        try Data(empty.utf8).write(to: URL(fileURLWithPath: demo.file("e.json")))
        let folder = URL(fileURLWithPath: demo.folder.path)
        let (copy, scratch) = (folder.appendingPathExtension("copy"), folder.appendingPathExtension("scratch"))
        defer { for item in [copy, scratch] { try? FileManager.default.removeItem(at: item) } }
        try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: folder, to: copy)
        let command = FaultCommand(try BuiltTool.find()) { folder in
            [
                "preset", "import", folder.path + "/e.json", "-u", "alice", "--mode", "replace", "--yes", "--store",
                folder.path + "/x",
            ]
        }
        let log = scratch.appendingPathComponent("log")
        _ = try FaultRun(command, in: copy, scratch: scratch, plan: .log(to: log)).run()
        let operations = try OperationLog(contentsOf: log).operations
        let journal = try #require(operations.last { $0.kind == .unlink && $0.path == "x_chat.db-journal" })
        let last = try #require(
            operations.first {
                [.fsync, .fdatasync].contains($0.kind) && $0.path.isEmpty && $0.number > journal.number
            })
        let outcome = try FaultRun(
            command, in: folder, scratch: scratch, plan: .fail(at: last.number, errno: EIO, sticky: false)
        ).run()
        #expect(outcome.termination == .exit(74) && outcome.errors.contains("cannot determine"), "\(outcome.errors)")
        #expect(outcome.errors.contains("the configuration from before is in "))
        #expect(try !Self.export(folder).contains("\"mine\""))
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count { $0.contains("-before-") && $0.hasSuffix(".json") } == 1)
    }
}
