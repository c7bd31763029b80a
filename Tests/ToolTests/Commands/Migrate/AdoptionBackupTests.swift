import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// The way back from an adoption, if backups of an earlier file lie beside the database. Rule: docs/backups.md, "What a
/// backup is".
@Suite("the backup of an adoption") struct AdoptionBackupTests {
    private let chatdb: ToolRun
    private let database = ["--database", "chat=app.sqlite"]
    private let arguments = ["--migrations-dir", "migrations", "--database", "chat=app.sqlite"]

    init() throws {
        chatdb = try ToolRun()
        try make("ann")
        let folder = chatdb.file("migrations/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let first = try chatdb(["schema", "dump"] + database)
        try first.output.write(toFile: folder + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
    }

    /// Makes a database with the same tables, and with this row.
    private func make(_ name: String) throws {
        try chatdb.sql("CREATE TABLE users(id INTEGER PRIMARY KEY, name TEXT)", in: "app.sqlite")
        try chatdb.sql("INSERT INTO users(name) VALUES ('\(name)')", in: "app.sqlite")
    }

    private func adopt(_ more: String...) throws -> JSONValue {
        let words = ["migrate", "baseline", "--to", "20260101_first", "--yes", "--format", "json"]
        let made = try chatdb(words + more + arguments)
        try #require(made.code == 0, "\(made.errors)")
        return try made.answer()
    }

    /// Removes the database, and leaves its backups.
    private func lose() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: chatdb.folder.path)
        where name.hasPrefix("app.sqlite") && !name.hasSuffix(".backups") {
            try FileManager.default.removeItem(atPath: chatdb.file(name))
        }
    }

    /// Whether `backup list` has a text.
    private func isListed(_ text: String) throws -> Bool {
        try chatdb(["backup", "list"] + database).output.contains(text)
    }

    @Test("backup list names the backup of this adoption, and not that of an earlier file at the same place")
    func earlierFile() throws {
        let old = try #require(try adopt()["backup"]?.stringValue)
        #expect(try isListed("To undo the adoption\nchatdb restore \(old) "))
        try lose()
        try make("bob")
        // Without a backup of its own, or with one elsewhere, there is no way back in this folder.
        _ = try adopt("--no-backup")
        #expect(try !isListed("To undo the adoption"))
        let plan = try chatdb(["restore", old, "--dry-run"] + database).output
        #expect(plan.contains("the backup does not say that this adoption made it, so chatdb cannot tell"), "\(plan)")
        try lose()
        try make("bob")
        let new = try #require(try adopt()["backup"]?.stringValue)
        #expect(new != old)
        #expect(try isListed("To undo the adoption\nchatdb restore \(new) "))
        let own = try chatdb(["restore", new, "--dry-run"] + database).output
        #expect(own.contains("the backup is from before the adoption; the restore undoes the adoption"), "\(own)")
        #expect(try chatdb(["restore", new, "--yes"] + database).code == 0)
        #expect(try chatdb.sql("SELECT name FROM users", in: "app.sqlite") == "bob")
    }

    @Test("each adoption of the same content has a way back, also if it takes an earlier backup")
    func reused() throws {
        #expect(try chatdb(["backup", "make"] + database).code == 0)
        for _ in 0..<2 {
            let backup = try #require(try adopt()["backup"]?.stringValue)
            #expect(try isListed("To undo the adoption\nchatdb restore \(backup) "))
            #expect(try chatdb("backup", "verify", backup).code == 0)
            #expect(try chatdb(["restore", backup, "--yes"] + database).code == 0)
            #expect(try chatdb.sql("SELECT group_concat(name) FROM sqlite_master", in: "app.sqlite") == "users")
        }
    }
}
