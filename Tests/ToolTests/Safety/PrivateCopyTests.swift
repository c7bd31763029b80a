import Foundation
import TestKit
import Testing

/// A store that chatdb has to read from a private copy, as after a crash: the copy needs as much space as the store.
@Suite("private copies", .enabled(if: FaultShimLibrary.isSupported)) struct PrivateCopyTests {
    private static let commands = [
        ["check"], ["bundle", "--preview"], ["inspect"], ["relay", "list"], ["schema", "diff"], ["migrate", "status"],
        ["migrate", "plan"], ["query", "SELECT count(*) FROM users"], ["backup"],
    ]

    @Test("a command copies a database in need of recovery once, however often it opens it", arguments: commands)
    func once(_ command: [String]) throws {
        var copies = try copies(FoundStore.hotWAL.make(), command)
        // A program that another test is starting can appear to have the store open; chatdb then reads it in place.
        for _ in 0..<5 where copies == 0 { copies = try self.copies(FoundStore.hotWAL.make(), command) }
        #expect(copies == 1)
    }

    @Test("the command copies again when the store has changed, as by a repair between two checks")
    func mended() throws {
        let store = try FoundStore.hotWAL.make()
        try store.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        // After the repair nothing is left to recover.
        #expect(try copies(store, ["check", "--fix", "--yes"]) == 1)
        #expect(
            try store("check", "--format", "json").answer()["findings"]?.arrayValue?.compactMap {
                $0["id"]?.stringValue
            } == ["unfinishedChannel"])
    }

    /// The number of private copies that a command makes; the command must succeed.
    private func copies(_ store: ToolRun, _ command: [String]) throws -> Int {
        let (temporary, scratch) = (try TemporaryFolder(), try TemporaryFolder())
        let log = URL(fileURLWithPath: scratch.file("log"))
        let prefix = store.store
        let run = FaultRun(
            FaultCommand(try BuiltTool.find(), environment: ["TMPDIR": temporary.path]) { _ in command + ["-d", prefix]
            },
            in: URL(fileURLWithPath: temporary.path), scratch: URL(fileURLWithPath: scratch.path), plan: .log(to: log))
        let outcome = try run.run()
        #expect(outcome.termination == .exit(0), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
        return try OperationLog(contentsOf: log).operations.count {
            $0.kind == .rename && $0.newPath.hasPrefix("chatdb-copy-")
        }
    }
}
