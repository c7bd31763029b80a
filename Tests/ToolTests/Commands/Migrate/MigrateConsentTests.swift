import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// Rule: docs/migrations.md, "Consent".
@Suite struct MigrateConsentTests {
    @Test(
        "without a terminal and without --yes a migration down is refused, and no byte changes",
        arguments: [
            ["down", "--steps", "1"], ["down", "--to", MigrationFixture.oldVersion], ["run", "--confirm", "console"],
        ])
    func noTerminal(_ arguments: [String]) throws {
        let chatdb = arguments[0] == "run" ? try MigrationFixture.newerStore() : try DemoStore.empty()
        let before = try chatdb.folder.fingerprint()
        let outcome = try chatdb(["migrate"] + arguments + ["--format", "json"])
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(try outcome.refusal()["code"]?.stringValue == "confirmationNeeded")
        #expect(try outcome.refusal()["hint"]?.stringValue?.hasPrefix("--dry-run ") == true)
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("before the question the terminal shows the plan and the losses; no exits with 1 and changes no byte")
    func declined() throws {
        let chatdb = try MigrationFixture.newerStore()
        let before = try chatdb.folder.fingerprint()
        for (arguments, answer) in [
            (["migrate", "run"], "n"), (["migrate", "run"], ""), (["migrate", "down", "--steps", "1"], "nein"),
        ] {
            let run = try TerminalRun(arguments, in: chatdb)
            let asked = try run.terminal.read(until: "[y/N] ")
            #expect(
                asked.contains("Data that is lost") && asked.contains("notes") && asked.contains("Undo 1 migration?"))
            #expect(asked.contains("from the store") && asked.contains("DROP TABLE notes;"), "SQL not in the build")
            run.terminal.type(answer + "\n")
            let end = try run.end()
            #expect(end.code == 1 && end.shown.contains("declined") && end.answer.isEmpty, "\(end)")
            #expect(end.shown.contains("Nothing was changed."))
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("the help of run names --yes as the consent, and that of up says that it asks nothing")
    func help() throws {
        let chatdb = try ToolRun()
        let run = try chatdb("migrate", "run", "--help").output.replacing("\n", with: " ")
        #expect(run.contains("requires --yes elsewhere.") && run.contains("yes-up (as --yes)"), "\(run)")
        let up = try chatdb("migrate", "up", "--help").output.replacing("\n", with: " ")
        #expect(up.contains("Does not ask for confirmation, not even if a migration deletes data"), "\(up)")
        let plan = try chatdb("migrate", "plan", "--help").output.replacing("\n", with: " ")
        #expect(plan.contains("It does not run the migrations"), "\(plan)")
    }

    @Test("after yes the run does what the plan showed")
    func accepted() throws {
        let chatdb = try MigrationFixture.newerStore()
        let run = try TerminalRun(["migrate", "run"], in: chatdb)
        _ = try run.terminal.read(until: "[y/N] ")
        run.terminal.type("y\n")
        let end = try run.end()
        #expect(end.code == 0 && end.answer.contains("Backup"), "\(end)")
        #expect(try chatdb("migrate", "status", "--exit-code").code == 0)
    }

    @Test("on a terminal run also asks before it migrates up")
    func asksUp() throws {
        let chatdb = try MigrationFixture.oldStore()
        let run = try TerminalRun(["migrate", "run"], in: chatdb)
        #expect(try run.terminal.read(until: "[y/N] ").contains("Apply 10 migrations?"))
        run.terminal.type("yes\n")
        #expect(try run.end().code == 0)
        #expect(try chatdb("migrate", "status", "--exit-code").code == 0)
    }

    @Test("Ctrl-C at the question ends the command: exit 130, and no byte changes")
    func interruptedQuestion() throws {
        let chatdb = try MigrationFixture.oldStore()
        let before = try chatdb.folder.fingerprint()
        let run = try TerminalRun(["migrate", "run"], in: chatdb)
        _ = try run.terminal.read(until: "[y/N] ")
        run.interrupt()
        let end = try run.end()
        #expect(end.code == 130 && end.shown.contains("Nothing was changed."), "\(end)")
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("--yes permits run to migrate up, and only down to migrate down")
    func yes() throws {
        let chatdb = try MigrationFixture.newerStore()
        let refused = try chatdb("migrate", "run", "--yes", "--format", "json")
        #expect(refused.code == 78)
        #expect(try refused.refusal()["code"]?.stringValue == "needsDowngrade")
        #expect(try refused.refusal()["details"]?["migrations"]?[0]?.stringValue == MigrationFixture.newerMigration)
        #expect(try chatdb("migrate", "run", "--confirm", "yes-up").code == 78)
        #expect(try chatdb("migrate", "down", "--steps", "1", "--yes").code == 0)
        #expect(try chatdb("migrate", "status", "--exit-code").code == 0)
    }

    @Test("without a terminal run lists its plan and does nothing; up needs no consent")
    func off() throws {
        let chatdb = try MigrationFixture.oldStore()
        let before = try chatdb.folder.fingerprint()
        for arguments in [["run"], ["run", "--confirm", "error"]] {
            let outcome = try chatdb(["migrate"] + arguments + ["--format", "json"])
            #expect(outcome.code == 78)
            #expect(try outcome.refusal()["code"]?.stringValue == "needsUpgrade")
            #expect(try outcome.refusal()["details"]?["migrations"]?.arrayValue?.count == 10)
            // An option asked for the refusal in the second case.
            let saysWhy = try outcome.refusal()["message"]?.stringValue?.hasSuffix(
                "; confirmation is required, and there is no terminal to ask on")
            #expect(saysWhy == (arguments.count == 1), "\(outcome)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
        #expect(try chatdb("migrate", "up").code == 0)
    }
}
