import Foundation
import Schema
import TestKit
import Testing

@testable import Tool

/// `migrate new` and `migrate verify`: the commands of whoever writes a migration.
@Suite struct MigrateFilesTests {
    @Test("new writes two files that are refused until there is something in them")
    func new() throws {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        let arguments = ["migrate", "new", "20991231_colours", "--only", "chat", "--migrations-dir", folder]
        let written = try chatdb(arguments + ["--format", "json"]).answer()
        #expect(written["name"] == "20991231_colours")
        for key in ["up", "down"] {
            let path = try #require(written[key]?.stringValue)
            #expect(path.hasPrefix(folder) && FileManager.default.fileExists(atPath: path))
        }
        let refused = try chatdb("migrate", "plan", "--migrations-dir", folder, "--format", "json")
        #expect(try refused.code == 65 && refused.refusal()["code"]?.stringValue == "invalidMigration")
        #expect(try chatdb(arguments).code == 73, "never over a file that is there")
        #expect(try chatdb("migrate", "new", "20200101_old", "--only", "chat", "--migrations-dir", folder).code == 65)
        #expect(try chatdb("migrate", "new", "x/y", "--only", "chat", "--migrations-dir", folder).code == 65)
        #expect(try chatdb("migrate", "new", "words").code == 64, "which database?")
    }

    @Test("new takes ./migrations/sqlite, and says so where that is missing")
    func newDefault() throws {
        let chatdb = try ToolRun()
        let missing = try chatdb("migrate", "new", "colours", "--only", "agent")
        #expect(missing.code == 66 && missing.errors.contains("migrations/sqlite"))
        let folder = chatdb.folder.file("migrations/sqlite/agent")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(try chatdb("migrate", "new", "more colours", "--only", "agent").code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).map { $0.dropFirst(8) }
        #expect(Set(names) == ["_more_colours.up.sql", "_more_colours.down.sql"])
    }

    @Test("verify proves this build's migrations, and finds a way back that leads elsewhere: 1")
    func verify() throws {
        let chatdb = try ToolRun()
        #expect(try chatdb("migrate", "verify").code == 0)
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        try MigrationFixture.write(
            [
                "20991231_colours.up.sql": "-- Why: a test.\nCREATE TABLE colours (id INTEGER) STRICT;",
                "20991231_colours.down.sql": "SELECT 1;",
            ], to: folder + "/agent")
        let outcome = try chatdb("migrate", "verify", "--migrations-dir", folder, "--format", "json")
        let answer = try outcome.answer()
        #expect(outcome.code == 1 && answer["ok"] == false)
        #expect(answer["failures"]?["20991231_colours"]?[0] == "extra table colours")
        #expect(try chatdb("migrate", "verify", "--migrations-dir", folder, "--only", "chat").code == 0)
        #expect(try chatdb.folder.fingerprint().keys.allSatisfy { $0.hasPrefix("migrations") })
    }

    @Test("a rehearsal on a copy tells what each step takes; the store is untouched, and no copy stays behind")
    func rehearsal() throws {
        let chatdb = try MigrationFixture.oldStore()
        let temporary = try TemporaryFolder()
        let before = try chatdb.folder.fingerprint()
        let run = try rehearse(chatdb, temporary)
        #expect(run.code == 0)
        let steps = try run.answer()["steps"]?.arrayValue ?? []
        #expect(steps.count == 4)
        #expect(steps.allSatisfy { ($0["peakBytes"]?.integerValue ?? 0) >= ($0["bytes"]?.integerValue ?? 1) })
        #expect(try chatdb.folder.fingerprint() == before)
        #expect(try temporary.fingerprint().isEmpty)
    }

    @Test("a rehearsal finds what a run would refuse, and no copy stays behind")
    func failingRehearsal() throws {
        let chatdb = try MigrationFixture.newerStore()
        let temporary = try TemporaryFolder()
        let folder = chatdb.folder.file("migrations")
        try MigrationFixture.write(
            ["20991231_notes_gone.up.sql": "-- Why: a test.\nDELETE FROM notes;"], to: folder + "/chat")
        let run = try rehearse(chatdb, temporary, "--migrations-dir", folder)
        #expect(run.code == 65 && run.errors.contains("would lose rows of notes"), "\(run.errors)")
        #expect(try temporary.fingerprint().isEmpty)
    }

    private func rehearse(
        _ chatdb: ToolRun, _ temporary: TemporaryFolder, _ arguments: String...
    ) throws -> ToolRun.Outcome {
        try chatdb(
            ["migrate", "verify", "--data", chatdb.store, "--format", "json"] + arguments,
            environment: ["TMPDIR": temporary.path])
    }
}
