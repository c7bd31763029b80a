import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// The file of an applied migration that is empty, or has only blanks. Rule: docs/migrations.md, "Edited migrations".
@Suite struct EmptiedMigrationTests {
    private static let name = "20991231_notes"
    private static let sentence = "the file of the applied migration \(name) is empty"

    /// A store with a migration of the folder, whose file now has this text.
    private func emptied(_ text: String) throws -> (chatdb: ToolRun, options: [String]) {
        let chatdb = try ToolRun()
        let folder = try MigrationFixture.migrationsFolder(in: chatdb)
        try MigrationFixture.write(
            [
                "\(Self.name).up.sql": "-- Why: a test.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n",
                "\(Self.name).down.sql": "DROP TABLE notes;\n",
            ], to: folder + "/chat")
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
        try MigrationFixture.write(["\(Self.name).up.sql": text], to: folder + "/chat")
        return (chatdb, ["--migrations-dir", folder])
    }

    @Test(
        "status, plan and run say that the file is empty, and do not propose to accept it",
        arguments: ["", " \n\t\r\n"])
    func shown(_ text: String) throws {
        let (chatdb, options) = try emptied(text)
        for command in [["status"], ["plan"], ["run", "--yes"], ["run", "--dry-run"]] {
            let run = try chatdb(["migrate"] + command + options)
            let shown = run.output + run.errors
            #expect(run.code == 0, "\(command): \(run)")
            #expect(shown.contains("\(Self.sentence), and the store is as the whole file left it"), "\(shown)")
            #expect(shown.contains("chatdb schema dump -d STORE shows, leave out what later migra"), "\(shown)")
            #expect(shown.components(separatedBy: " is empty").count == 2, "one warning: \(shown)")
            #expect(!shown.contains("refuse to apply") && !shown.contains("edited after being applied"), "\(shown)")
            #expect(shown.contains("accept the file with chatdb migrate run --accept-edited"), "\(shown)")
        }
        #expect(
            try chatdb(["migrate", "status", "--format", "json"] + options).answer()["chat"]?["edited"] == [
                "20991231_notes"
            ])
    }

    @Test("a run that would need the file, or accept it, is refused with the state and the way back")
    func refused() throws {
        let (chatdb, options) = try emptied("")
        func expectRefusal(_ command: [String]) throws {
            let run = try chatdb(command + options)
            #expect(run.code == 78 && run.errors.contains("error: \(Self.sentence)\n"), "\(command): \(run)")
            let isPlan = command.contains("plan")
            #expect(run.errors.contains("Nothing was changed.\n") != isPlan, "\(command): \(run.errors)")
            #expect(run.errors.contains("hint: restore the text of the file from the place"), "\(run.errors)")
            #expect(!run.errors.contains("the checksum"), "\(run.errors)")
        }
        let before = try chatdb.folder.fingerprint()
        for accepted in [["plan"], ["run", "--yes"], ["down", "--steps", "1", "--yes"]] {
            try expectRefusal(["migrate"] + accepted + ["--accept-edited"])
        }
        #expect(try chatdb.folder.fingerprint() == before)
        try MigrationFixture.write(
            ["21000101_more.up.sql": "-- Why: a test.\nCREATE TABLE more (id INTEGER) STRICT;\n"],
            to: options[1] + "/chat")
        for pending in [
            ["migrate", "plan"], ["migrate", "run", "--yes"], ["migrate", "run", "--yes", "--accept-edited"],
        ] {
            try expectRefusal(pending)
        }
        // The way back.
        try MigrationFixture.write(
            ["\(Self.name).up.sql": "-- Why: a test.\nCREATE TABLE notes (id INTEGER PRIMARY KEY) STRICT;\n"],
            to: options[1] + "/chat")
        let run = try chatdb(["migrate", "run", "--yes"] + options)
        #expect(run.code == 0 && !run.errors.contains("empty"), "\(run)")
    }

    @Test("verify says that the file is empty; with a store, that it is the file of an applied migration")
    func verified() throws {
        let (chatdb, options) = try emptied("\n")
        let alone = try chatdb(["migrate", "verify"] + options)
        #expect(alone.code == 65 && alone.errors.contains("the file is empty; restore its text if"), "\(alone)")
        let run = try chatdb(["migrate", "verify", "--data", chatdb.store] + options)
        #expect(run.code == 78 && run.errors.contains("error: \(Self.sentence)"), "\(run)")
        #expect(run.errors.contains("The store was only read"), "\(run)")
        #expect(run.errors.contains("hint: restore the text of the file"), "\(run)")
    }

    @Test("check has a finding with the way back, and says that it did not compare the schema")
    func checked() throws {
        let (chatdb, options) = try emptied("")
        let answer = try chatdb(["check", "--format", "json"] + options).answer()
        let finding = answer["findings"]?.arrayValue?.first { $0["id"] == "editedMigration" }
        #expect(finding?["sample"]?.texts == [Self.name], "\(answer)")
        let remedy = finding?["remedy"]?.stringValue ?? ""
        let start = "The file of the applied migration \(Self.name) is empty: restore the text of the file"
        #expect(remedy.hasPrefix(start), "\(remedy)")
        let leftOut = answer["leftOut"]?.arrayValue ?? []
        #expect(leftOut.contains { $0["id"] == "chatSchemaDrift" && $0["reason"] == "failed" }, "\(leftOut)")
        let text = try chatdb(["check"] + options)
        #expect(text.output.contains("not checked: \(Self.sentence)"), "\(text)")
        let page = try chatdb("inspect", "--migrations-dir", options[1])
        #expect(page.output.contains("migrations of the chat database have an empty file: \(Self.name)"), "\(page)")
    }
}
