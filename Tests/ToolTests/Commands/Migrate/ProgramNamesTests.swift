import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Commands whose store is named as if it were the database of a program.
@Suite struct ProgramNamesTests {
    let chatdb: ToolRun

    /// The database `app.db` of a program, and its migrations in the folder `m`.
    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE t (a)", in: "app.db")
        try FileManager.default.createDirectory(atPath: chatdb.file("m/chat"), withIntermediateDirectories: true)
        try MigrationFixture.write(
            ["20260101_first.up.sql": "CREATE TABLE t (a);", "20260201_more.up.sql": "ALTER TABLE t ADD COLUMN b;"],
            to: chatdb.file("m/chat"))
    }

    @Test("a run makes no store with the name of a database file without --create, and names the file")
    func noStore() throws {
        let before = try chatdb.folder.fingerprint()
        for (name, file) in [("app", "app.db"), ("nothere.db", "nothere.db"), ("a.sqlite3", "a.sqlite3")] {
            let folder = ["--migrations-dir", chatdb.file("m"), "-d", chatdb.file(name)]
            for command in [["run"], ["run", "--encrypt"], ["up"], ["up", "--dry-run"], ["plan"]] {
                let refused = try chatdb(["migrate"] + command + ["--format", "json"] + folder)
                let refusal = try refused.refusal()
                #expect(refused.code == 66 && refusal["code"] == "storeNotFound", "\(command): \(refusal)")
                let hint = refusal["hint"]?.stringValue ?? ""
                #expect(hint.contains("--database 'chat=\(chatdb.file(file))'"), "\(command): \(hint)")
                #expect(hint.contains("migrate run --create -d \(chatdb.file(name))"), "\(command): \(hint)")
            }
            let read = try chatdb("inspect", "-d", chatdb.file(name))
            #expect(read.code == 66 && read.errors.contains("--database 'chat="), "\(read.errors)")
        }
        #expect(try chatdb.folder.fingerprint() == before)
    }

    @Test("with --create a run makes such a store, and later runs need no --create")
    func create() throws {
        let folder = ["--migrations-dir", chatdb.file("m"), "-d", chatdb.file("app")]
        #expect(try chatdb(["migrate", "run", "--create"] + folder).code == 0)
        #expect(FileState(at: chatdb.file("app_chat.db")).bytes != nil)
        for command in [["run"], ["plan"], ["up"]] {
            #expect(try chatdb(["migrate"] + command + folder).code == 0, "\(command)")
        }
    }
}
