import ChatDBKit
import Foundation
import TestKit
import Testing

/// `salvage` as a user runs it. Rule: docs/support.md, "Salvage a damaged store".
@Suite("salvage") struct SalvageCommandTests {
    /// Overwrites the first page of the tree of a table.
    private func overwriteRoot(of table: String, in store: ToolRun, _ file: String = "x_chat.db") throws {
        let page = try #require(
            Int(try store.sql("SELECT rootpage FROM sqlite_master WHERE name = '\(table)'", in: file)))
        let url = URL(fileURLWithPath: store.file(file))
        var bytes = Array(try Data(contentsOf: url))
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        bytes.replaceSubrange((page - 1) * size..<page * size, with: [UInt8](repeating: 0xEE, count: size))
        try Data(bytes).write(to: url)
    }

    private func rows(_ store: ToolRun, _ file: String) throws -> String {
        try store.sql("SELECT * FROM chat_relays ORDER BY 1; SELECT * FROM users ORDER BY 1", in: file)
    }

    @Test("a store in order is copied; with --only a database is saved row by row, and is the same")
    func healthy() throws {
        let store = try DemoStore.finished()
        let before = try store.folder.fingerprint()
        let copied = try store("salvage", "--output", "new", "--format", "json")
        let answer = try copied.answer()
        #expect(copied.code == 0 && answer["chat"]?["method"] == "copied" && answer["agent"]?["method"] == "copied")
        #expect(answer["ok"] == true && answer["check"]?["findings"] == [])
        let saved = try store("salvage", "--output", "again", "--only", "chat", "--format", "json")
        #expect(saved.code == 0, "\(saved.output) \(saved.errors)")
        #expect(try saved.answer()["chat"]?["method"] == "salvaged" && saved.answer()["check"]?["findings"] == [])
        #expect(try rows(store, "again_chat.db") == rows(store, "x_chat.db"))
        #expect(try store("check", "-d", "again").code == 0 && store("user", "list", "-d", "again").code == 0)
        #expect(try store("user", "add", "bob", "-d", "again").code == 0)
        let after = try store.folder.fingerprint()
        #expect(before.allSatisfy { after[$0.key] == $0.value })
        let names = Set(after.keys).subtracting(before.keys).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
        #expect(names == ["new_chat.db", "new_agent.db", "again_chat.db", "again_agent.db"])
    }

    @Test("rows of a table whose first page is lost come back, and the report says what is not certain")
    func damaged() throws {
        let store = try DemoStore.finished()
        let good = try rows(store, "x_chat.db")
        let relays = try #require(Int(try store.sql("SELECT count(*) FROM chat_relays")))
        try overwriteRoot(of: "chat_relays", in: store)
        let before = try store.folder.fingerprint()
        let run = try store("salvage", "--output", "new", "--format", "json")
        let answer = try run.answer()
        #expect(run.code == 1 && answer["ok"] == false, "\(run.output) \(run.errors)")
        #expect(answer["agent"]?["method"] == "copied" && answer["chat"]?["schemaWhole"] == true)
        let table = try #require(answer["chat"]?["tables"]?.arrayValue?.first { $0["table"] == "chat_relays" })
        let numbers = ["saved", "doubtful", "setAside", "lost"].compactMap { table[$0]?.integerValue }
        #expect(table["damaged"] == true && numbers.reduce(0, +) == relays, "\(table)")
        #expect(try store.folder.fingerprint().filter { before[$0.key] != nil } == before)
        // The other tables are as they were.
        #expect(try store.sql("SELECT * FROM users ORDER BY 1", in: "new_chat.db").isEmpty == false)
        #expect(good.hasSuffix(try store.sql("SELECT * FROM users ORDER BY 1", in: "new_chat.db")))
        let shown = try store("salvage", "--output", "shown")
        #expect(shown.output.contains("chat_relays") && shown.output.contains("saved in part"), "\(shown.output)")
        let csv = try store("salvage", "--output", "csv", "--format", "csv")
        #expect(csv.output.hasPrefix("database,table,saved,lost,doubtful,"), "\(csv.output.prefix(80))")
    }

    @Test("a table and an index that call a function for JSON are saved, in whatever case they name the function")
    func json() throws {
        let store = try DemoStore.finished()
        try store.sql(
            """
            CREATE TABLE notes (a, b AS (JSON_EXTRACT(a, '$.x'))); CREATE INDEX by_y ON notes (Json_Extract(a, '$.y'));
            INSERT INTO notes (a) VALUES ('{"x": 7}');
            """)
        let answer = try store("salvage", "--output", "new", "--only", "chat", "--format", "json").answer()
        #expect(answer["chat"]?["method"] == "salvaged" && answer["chat"]?["leftOut"] == [], "\(answer)")
        #expect(try store.sql("SELECT b FROM notes", in: "new_chat.db") == "7")
        #expect(try store.sql("SELECT count(*) FROM sqlite_schema WHERE name = 'by_y'", in: "new_chat.db") == "1")
    }

    @Test("a table whose definition is lost gets this build's")
    func definition() throws {
        let store = try DemoStore.finished()
        let url = URL(fileURLWithPath: store.file("x_chat.db"))
        let page = try #require(
            Int(
                try store.sql(
                    "SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' AND pagetype = 'leaf' ORDER BY path LIMIT 1"
                )))
        var bytes = Array(try Data(contentsOf: url))
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: [UInt8](repeating: 0xEE, count: 4096))
        try Data(bytes).write(to: url)
        let run = try store("salvage", "--output", "new", "--format", "json")
        let answer = try run.answer()
        #expect(run.code == 1 && answer["chat"]?["schemaWhole"] == false, "\(run.errors)")
        let tables = answer["chat"]?["tables"]?.arrayValue ?? []
        #expect(tables.contains { $0["definitionLost"] == true && ($0["saved"]?.integerValue ?? 0) > 0 }, "\(tables)")
    }

    @Test("a store without its header keeps its mark")
    func lostHeader() throws {
        let store = try DemoStore.finished()
        let url = URL(fileURLWithPath: store.file("x_chat.db"))
        var bytes = Array(try Data(contentsOf: url))
        bytes.replaceSubrange(0..<100, with: [UInt8](repeating: 0, count: 100))
        try Data(bytes).write(to: url)
        let run = try store("salvage", "--output", "new", "--format", "json")
        #expect(run.code == 0, "\(run.output) \(run.errors)")
        #expect(try run.answer()["chat"]?["headerWhole"] == true)
        #expect(try store.sql("PRAGMA application_id", in: "new_chat.db") == String(0x6368_7443))
        #expect(try store.sql("PRAGMA journal_mode", in: "new_chat.db") == "wal")
    }

    @Test("a store of SimpleX Chat is saved with every row", arguments: [0, SimplexStore.newestIndex])
    func simplex(_ version: Int) throws {
        let store = try ToolRun()
        _ = try SimplexStore(SimplexStore.versions[version], in: store.folder, prefix: "s")
        for database in ["chat", "agent"] {
            let run = try store(
                "salvage", "-d", "s", "--output", "new\(database)", "--only", database, "--format", "json")
            #expect(run.code == 0, "\(run.output.prefix(2000)) \(run.errors)")
            let tables = try store.sql(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
                in: "s_\(database).db")
            for table in tables.split(separator: "\n") {
                let all = "SELECT * FROM \"\(table)\" ORDER BY 1"
                #expect(
                    try store.sql(all, in: "s_\(database).db") == store.sql(all, in: "new\(database)_\(database).db"),
                    "\(table)")
            }
        }
    }

    @Test("the other database is left out with --only when it is damaged too")
    func onlyOne() throws {
        let store = try DemoStore.finished()
        try overwriteRoot(of: "users", in: store)
        try overwriteRoot(of: "users", in: store, "x_agent.db")
        let run = try store("salvage", "--output", "new", "--only", "chat", "--format", "json")
        #expect(run.code == 1, "\(run.errors)")
        #expect(try run.answer()["agent"]?["method"] == "leftOut" && run.answer()["agent"]?["path"] == .null)
        #expect(!FileManager.default.fileExists(atPath: store.file("new_agent.db")))
        // The other database is whole, and the store is not.
        let sound = try DemoStore.finished()
        try overwriteRoot(of: "users", in: sound, "x_agent.db")
        let part = try sound("salvage", "--output", "new", "--only", "chat", "--format", "json")
        let answer = try part.answer()
        #expect(part.code == 1 && answer["ok"] == false, "\(part.output)")
        #expect(answer["notes"]?.texts?.contains { $0.hasPrefix("agent: the database was left out") } == true)
        #expect(try sound("salvage", "--output", "shown", "--only", "chat").output.contains("saved in part"))
    }

    @Test("changes in a log that was not checkpointed are saved, and the log stays")
    func log() throws {
        let store = try DemoStore.finished()
        let crashed = try store.shell(
            """
            sqlite3 x_chat.db "PRAGMA wal_autocheckpoint = 0; UPDATE chat_relays SET display_name = 'in the log'" \
            ".shell kill -9 \\$PPID"
            ls x_chat.db-wal
            """)
        try #require(crashed.output.contains("x_chat.db-wal"), "\(crashed.errors)")
        let before = try store.folder.fingerprint()
        let run = try store("salvage", "--output", "new", "--only", "chat", "--format", "json")
        #expect(run.code == 0, "\(run.output.prefix(500)) \(run.errors)")
        #expect(try store.sql("SELECT DISTINCT display_name FROM chat_relays", in: "new_chat.db") == "in the log")
        #expect(try store.folder.fingerprint().filter { before[$0.key] != nil } == before)
    }

    @Test("what exists is not replaced, and nothing is left after a refusal")
    func refusals() throws {
        let store = try DemoStore.finished()
        try Data("x".utf8).write(to: URL(fileURLWithPath: store.file("a_agent.db")))
        try FileManager.default.createDirectory(atPath: store.file("f"), withIntermediateDirectories: false)
        try Data(count: 65_536).write(to: URL(fileURLWithPath: store.file("zero_chat.db")))
        let before = try store.folder.fingerprint()
        for (arguments, code) in [
            (["--output", "a"], "fileExists"), (["--output", "f"], "fileExists"),
            (["--output", "missing/a"], "cannotWrite"), (["--output", "x"], "fileExists"),
            (["--output", "b", "-d", "nothing"], "storeNotFound"),
            (["--output", "b", "-d", "zero_chat.db"], "notADatabase"),
        ] {
            let run = try store(["salvage"] + arguments + ["--format", "json"])
            #expect(try run.refusal()["code"]?.stringValue == code, "\(arguments): \(run.errors)")
            #expect(try store.folder.fingerprint() == before, "\(arguments)")
        }
    }

    @Test("if one file is no database, the hint names --only with the other one", arguments: ["", "a text\n"])
    func onlyOther(_ content: String) throws {
        let store = try DemoStore.finished()
        try Data(content.utf8).write(to: URL(fileURLWithPath: store.file("x_agent.db")))
        let run = try store("salvage", "--output", "new", "--format", "json")
        #expect(try run.refusal()["hint"]?.stringValue?.contains("--only chat") == true, "\(run.errors)")
        let advice = "salvage --output NEW --only \(content.isEmpty ? "chat" : "DATABASE")"
        #expect(try store("check").output.replacing("\n", with: " ").contains(advice))
        #expect(try store("salvage", "--output", "new", "--only", "chat").code == 1)
        try Data(content.utf8).write(to: URL(fileURLWithPath: store.file("x_chat.db")))
        let neither = try store("salvage", "--output", "other", "--format", "json")
        #expect(try neither.refusal()["hint"]?.stringValue?.contains("--only") != true, "\(neither.errors)")
    }

    @Test(
        "an encrypted store is refused, and nothing is written",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"),
        arguments: ["y", "archive.zip"])
    func encrypted(_ name: String) throws {
        let store = try EncryptedStore()
        let before = try store.run.folder.fingerprint()
        let run = try store.run(["salvage", "-d", name, "--output", store.run.file("new"), "--format", "json"])
        #expect(try run.code == 66 && run.refusal()["code"] == "encryptedUnsupported", "\(run.errors)")
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("an archive is read as a store")
    func archive() throws {
        let store = try DemoStore.finished()
        try store.archive()
        let run = try store("salvage", "-d", "archive.zip", "--output", "new", "--only", "chat", "--format", "json")
        #expect(run.code == 0, "\(run.errors)")
        #expect(try rows(store, "new_chat.db") == rows(store, "x_chat.db"))
    }

    @Test(
        "a salvage that is killed leaves no file of the new store, and the next one removes the rest",
        .enabled(if: FaultShimLibrary.isSupported))
    func killed() throws {
        let store = try DemoStore.finished()
        let scratch = try TemporaryFolder()
        let command = FaultCommand(try BuiltTool.find()) { folder in
            ["salvage", "-d", folder.path + "/x", "--output", folder.path + "/new", "--only", "chat"]
        }
        func run(_ plan: FaultPlan) throws -> FaultOutcome {
            try FaultRun(
                command, in: URL(fileURLWithPath: store.folder.path), scratch: URL(fileURLWithPath: scratch.path),
                plan: plan
            ).run()
        }
        let count = try run(.count).operations
        for name in ["new_chat.db", "new_agent.db"] { try FileManager.default.removeItem(atPath: store.file(name)) }
        for number in FaultSample.everyIfTortured(else: 8).pick(Array(1...max(1, count))) {
            let outcome = try run(.kill(at: number))
            if outcome.termination == .exit(0) { break }
            let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
            // Once the first file has its name, all are complete.
            let isMoving = names.contains("new_agent.db")
            #expect(isMoving || !names.contains { $0.hasPrefix("new_") }, "\(number): \(names)")
            for name in names where name.hasPrefix("new_") {
                try FileManager.default.removeItem(atPath: store.file(name))
            }
        }
        #expect(try store("salvage", "--output", "new").code == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
        #expect(!names.contains { $0.hasPrefix("chatdb-") }, "\(names)")
    }
}
