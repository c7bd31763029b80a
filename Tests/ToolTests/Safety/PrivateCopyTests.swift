import Foundation
import TestKit
import Testing

/// A store that has to be read from a private copy, as after a crash: the copy takes as much room as the store.
@Suite("private copies", .enabled(if: FaultShimLibrary.isSupported)) struct PrivateCopyTests {
    private static let commands = [
        ["check"], ["bundle", "--preview"], ["inspect"], ["relay", "list"], ["schema", "diff"], ["migrate", "status"],
        ["migrate", "plan"], ["query", "SELECT count(*) FROM users"], ["backup"],
    ]

    @Test("a command copies a database that nobody looks after once, however often it opens it", arguments: commands)
    func once(_ command: [String]) throws {
        var copies = try copies(FoundStore.hotWAL.make(), command)
        // A program that another test is just starting can seem to have the store open, which is then read in place.
        for _ in 0..<5 where copies == 0 { copies = try self.copies(FoundStore.hotWAL.make(), command) }
        #expect(copies == 1)
    }

    @Test("the copy is made anew when the store was changed, as by the mending between two checks")
    func mended() throws {
        let store = try FoundStore.hotWAL.make()
        try store.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        // After the mending nothing is left to recover.
        #expect(try copies(store, ["check", "--fix", "--yes"]) == 1)
        #expect(try store("check", "--format", "json").answer()["findings"] == [])
    }

    /// How many private copies a command makes; it must do what it is asked.
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
