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
        "Killed at any operation, or with a full disk: the profile is as before, or as planned with what was there kept"
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
}
