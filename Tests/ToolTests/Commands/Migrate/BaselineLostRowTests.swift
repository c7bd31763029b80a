import ChatDBKit
import Foundation
import Testing

/// An adopted database that lost the row of its table `store`. Rule: docs/checks.md, "A lost row of the table store".
@Suite("an adopted database that lost the row of its table store")
struct BaselineLostRowTests {
    private let chatdb: ToolRun
    private let arguments = ["--migrations-dir", "migrations", "--database", "chat=app.sqlite"]

    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT)", in: "app.sqlite")
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, sql) in [
            ("20260101_first.up", "CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT);"),
            ("20260201_colour.up", "ALTER TABLE users ADD COLUMN colour TEXT;"),
            ("20260201_colour.down", "ALTER TABLE users DROP COLUMN colour;"),
        ] {
            try sql.write(toFile: "\(folder)/\(name).sql", atomically: false, encoding: .utf8)
        }
        let made = try chatdb(["migrate", "baseline", "--yes", "--to", "20260101_first"] + arguments)
        try #require(made.code == 0, "\(made.errors)")
    }

    private func loseRow() throws { try chatdb.sql("DELETE FROM store", in: "app.sqlite") }

    private func finding() throws -> JSONValue? {
        try chatdb(["check", "--format", "json"] + arguments).answer()["findings"]?.arrayValue?
            .first { $0["id"] == "mismatchedPair" }
    }

    @Test("every command that changes the database refuses it before it makes a backup")
    func refused() throws {
        try loseRow()
        let before = try chatdb.folder.fingerprint()
        for command in [
            ["run", "--yes"], ["up"], ["down", "--steps", "1", "--yes"], ["plan"],
            ["baseline", "--to", "20260101_first", "--yes"],
        ] {
            let run = try chatdb(["migrate"] + command + ["--format", "json"] + arguments)
            #expect(run.code == 78, "\(command): \(run)")
            #expect(try run.refusal()["code"] == "lostStoreRow", "\(command): \(run)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("status, inspect and check name the row")
    func named() throws {
        try loseRow()
        let status = try chatdb(["migrate", "status", "--exit-code"] + arguments)
        #expect(status.code == 78)
        #expect((status.output + status.errors).contains("lost the row of its table store"), "\(status)")
        let page = try chatdb(["inspect"] + arguments)
        #expect((page.output + page.errors).contains("lost the row of its table store"), "\(page)")
        let found = try #require(try finding())
        #expect(found["sample"]?.texts == ["chat: its table store has no row"], "\(found)")
        #expect(found["message"] == "databases that have lost the row of their table store", "\(found)")
        let made = try chatdb(["backup", "make"] + arguments)
        #expect(made.output.contains("the table store of the database has no row"), "\(made)")
    }

    @Test("the statement of the remedy writes the row again")
    func written() throws {
        try loseRow()
        let remedy = try finding()?["remedy"]?.stringValue ?? ""
        let command = try #require(remedy.firstMatch(of: #/(sqlite3 .*VALUES \('ID', 1\)")\./#)).1
        #expect(try chatdb.shell(String(command)).code == 0, "\(command)")
        #expect(try finding() == nil)
        let run = try chatdb(["migrate", "run", "--yes", "--format", "json"] + arguments).answer()
        let backup = try #require(run["chat"]?["backup"]?.stringValue)
        let restored = try chatdb(["restore", backup, "--yes"] + arguments)
        #expect(restored.code == 0, "\(restored)")
    }
}
