import Foundation
import Testing

@testable import ChatDBTool

/// `--allow-out-of-order`: a migration of another branch.
@Suite struct MigrateOutOfOrderTests {
    private static let name = "20260714_between"

    /// A store of this build, and the options that name its migrations and one more between them.
    private func merged() throws -> (ToolRun, [String]) {
        let demo = try DemoStore.make()
        let folder = try MigrationFixture.migrationsFolder(in: demo)
        try MigrationFixture.write(
            ["\(Self.name).up.sql": "-- Why: a test.\nALTER TABLE users ADD COLUMN colour TEXT;"], to: folder + "/chat")
        return (demo, ["--migrations-dir", folder])
    }

    @Test("plan, run and status show the migration and the reason; afterwards nothing is wrong")
    func applied() throws {
        let (demo, options) = try merged()
        let allowed = options + ["--allow-out-of-order", "merge of colours"]
        let note = "chat \(Self.name): out of order: merge of colours"
        #expect(try demo(["migrate", "plan"] + options).code == 78)
        let plan = try demo(["migrate", "plan"] + allowed)
        #expect(plan.code == 0 && plan.output.contains(note), "\(plan.output)\(plan.errors)")
        #expect(try demo(["migrate", "up", "--dry-run"] + allowed).output == plan.output)
        let json = try demo(["migrate", "plan", "--format", "json"] + allowed).answer()["chat"]
        #expect(json?["migrations"]?.arrayValue?.map { $0["note"]?.stringValue } == ["out of order: merge of colours"])
        #expect(try demo(["migrate", "plan", "--format", "csv"] + allowed).errors.contains("note: \(note)"))
        let run = try demo(["migrate", "up"] + allowed)
        #expect(run.code == 0 && run.output.contains(note), "\(run.output)\(run.errors)")
        #expect(try demo(["migrate", "status", "--exit-code"] + options).output.contains("note: \(note)"))
        #expect(try demo(["schema", "diff", "--exit-code"] + options).code == 0)
        #expect(try demo(["migrate", "run"] + options).output.contains("Nothing to do"))
        let down = try demo(["migrate", "down", "--steps", "1", "--yes"] + options)
        #expect(down.code == 0, "\(down.errors)")
        #expect(try demo(["schema", "diff", "--exit-code"] + options).code == 0)
    }

    @Test("check says that the folder has an earlier migration, and not that it lacks files")
    func checked() throws {
        let (demo, options) = try merged()
        let findings = try demo(["check", "--format", "json"] + options).answer()["findings"]?.arrayValue ?? []
        let remedy = findings.first { $0["id"] == "otherHistory" }?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("come before one that the database has applied"), "\(findings)")
        #expect(remedy.contains("chatdb migrate up --allow-out-of-order REASON"), "\(remedy)")
    }

    @Test(
        "the reason must be one line of text, and not the word of the hints",
        arguments: ["", " ", "a\nb", "\u{1b}[31m", "REASON"])
    func reasons(_ reason: String) throws {
        let (demo, options) = try merged()
        #expect(try demo(["migrate", "run", "--allow-out-of-order", reason] + options).code == 64)
        #expect(try demo(["migrate", "down", "--steps", "1", "--allow-out-of-order", "x"] + options).code == 64)
    }
}
