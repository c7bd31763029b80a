import Foundation
import Testing

@testable import ChatDBTool

/// Reports to people and to programs, compared with recordings.
@Suite struct MigrateSnapshotTests {
    private static let formats = [("table", "txt"), ("json", "json"), ("csv", "csv"), ("markdown", "md")]

    @Test("plan and status of an older store, and its run up, are as recorded", arguments: formats)
    func up(_ format: String, _ ending: String) throws {
        let chatdb = try MigrationFixture.oldStore()
        for verb in ["plan", "status"] {
            try check(chatdb("migrate", verb, "--format", format), "migrate-\(verb)-old.\(ending)", chatdb)
        }
        try check(chatdb("migrate", "run", "--yes", "--format", format), "migrate-run-up.\(ending)", chatdb)
        try check(chatdb("migrate", "plan", "--format", format), "migrate-plan-current.\(ending)", chatdb)
        try check(chatdb("migrate", "run", "--format", format), "migrate-run-current.\(ending)", chatdb)
    }

    @Test("plan and status of a newer store, and its run down, are as recorded", arguments: formats)
    func down(_ format: String, _ ending: String) throws {
        let chatdb = try MigrationFixture.newerStore()
        for verb in ["plan", "status"] {
            try check(chatdb("migrate", verb, "--format", format), "migrate-\(verb)-newer.\(ending)", chatdb)
        }
        try check(
            chatdb("migrate", "run", "--confirm", "yes-up-down", "--format", format), "migrate-run-down.\(ending)",
            chatdb)
    }

    @Test("the report on a new store is as recorded", arguments: formats)
    func new(_ format: String, _ ending: String) throws {
        let chatdb = try ToolRun()
        try check(chatdb("migrate", "run", "--format", format), "migrate-run-new.\(ending)", chatdb)
    }

    private func check(_ outcome: ToolRun.Outcome, _ name: String, _ chatdb: ToolRun) throws {
        #expect(outcome.code == 0, "\(name): \(outcome.errors)")
        // Standard error has what does not fit into CSV.
        let notes = outcome.errors.split(separator: "\n").filter { name.hasSuffix(".csv") && $0.hasPrefix("note: ") }
        #expect(outcome.errors.split(separator: "\n") == notes, "\(name): \(outcome.errors)")
        try Snapshot.check(outcome.output, name, in: chatdb)
    }
}
