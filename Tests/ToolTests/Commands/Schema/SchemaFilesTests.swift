import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `schema dump` and `schema docs`: the schema as SQL and as Markdown.
@Suite struct SchemaFilesTests {
    @Test("the output of schema dump creates the schema in the sqlite3 shell")
    func dump() throws {
        let chatdb = try ToolRun()
        for database in ["chat", "agent"] {
            let run = try chatdb.shell(
                "set -o pipefail; unset CHATDB_STORE; "
                    + "\"$CHATDB\" schema dump -q --only \(database) | sqlite3 -bail \(database).db")
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try Int(chatdb.sql("SELECT count(*) FROM sqlite_schema", in: "\(database).db")) ?? 0 > 20)
        }
        let both = try chatdb(["schema", "dump"], environment: ["CHATDB_STORE": ""])
        #expect(both.output.hasPrefix("-- The chat database\n\nCREATE TABLE "))
        #expect(both.output.contains("\n-- The agent database\n"))
        #expect(both.errors == "note: this is the schema of this build; no store was named\n")
    }

    @Test("schema dump writes the schema of the store that the environment or the configuration names")
    func dumpOfNamedStore() throws {
        let chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT)", in: "app.sqlite")
        let expected = "CREATE TABLE note (\n    id INTEGER PRIMARY KEY,\n    body TEXT\n);\n"
        let named = ["CHATDB_STORE": "chat=" + chatdb.file("app.sqlite")]
        let dump = try chatdb(["schema", "dump"], environment: named)
        #expect(dump.output == expected && dump.errors.isEmpty, "\(dump.errors)")
        let told = try chatdb(["schema", "dump", "-v"], environment: named)
        #expect(told.errors == "this is the schema of \(chatdb.file("app.sqlite"))\n")
        // With --migrations-dir the answer is about the folder, whatever else is named.
        let folder = chatdb.file("own/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try MigrationFixture.write(["20300101_own.up.sql": "-- Why: x.\nCREATE TABLE own (id INTEGER);"], to: folder)
        let own = try chatdb(
            ["schema", "dump", "--only", "chat", "--migrations-dir", chatdb.file("own")], environment: named)
        #expect(own.output == "CREATE TABLE own (\n    id INTEGER\n);\n" && own.errors.isEmpty, "\(own.errors)")
        let help = try chatdb("schema", "dump", "--help").output.split(whereSeparator: \.isWhitespace)
        #expect(help.joined(separator: " ").contains("create, whatever CHATDB_STORE or the configuration file names"))
        let missing = try chatdb("schema", "dump", "--format", "json")
        #expect(missing.code == 66 && missing.output.isEmpty)
        #expect(try missing.refusal()["code"] == "storeNotFound")
    }

    @Test("what schema dump writes of another program's database works as the original: texts in quotes, FTS, triggers")
    func dumpOfOthers() throws {
        let chatdb = try ToolRun()
        try chatdb.sql(
            """
            CREATE TABLE log (text TEXT);
            CREATE TABLE task (id INTEGER PRIMARY KEY, state TEXT);
            CREATE INDEX by_state ON task(Substr(state, 1, 3) COLLATE NOCASE DESC) WHERE JSON_VALID(state) = 0;
            CREATE TRIGGER done AFTER UPDATE ON task WHEN new.state = "done"
                BEGIN INSERT INTO log VALUES ("finished"); END;
            CREATE VIEW a_view AS SELECT id FROM task WHERE state <> "done";
            CREATE TRIGGER a_trigger INSTEAD OF INSERT ON a_view
                BEGIN INSERT INTO task (id, state) VALUES (new.id, 'open'); END;
            CREATE VIRTUAL TABLE found USING FTS4(state TEXT, content=`task`, prefix="2,4");
            """, in: "app.sqlite")
        let dump = try chatdb.succeed("schema", "dump", "--database", "chat=" + chatdb.file("app.sqlite")).output
        let index = "ON task (Substr(state, 1, 3) COLLATE NOCASE DESC) WHERE JSON_VALID(state) = 0;"
        #expect(dump.contains("CREATE INDEX by_state \(index)\n"), "\(dump)")
        try Data(dump.utf8).write(to: URL(fileURLWithPath: chatdb.file("dump.sql")))
        let loaded = try chatdb.shell("sqlite3 -bail new.sqlite < dump.sql")
        #expect(loaded.code == 0, "\(loaded.errors)\(dump)")
        let use = "INSERT INTO a_view VALUES (1); UPDATE task SET state = 'done'; SELECT text FROM log"
        #expect(try chatdb.sql(use, in: "new.sqlite") == "finished")
        #expect(try chatdb.sql("SELECT count(*) FROM a_view", in: "new.sqlite") == "0")
    }

    @Test("schema dump warns of each view and trigger that lacks what it needs, and names no migration")
    func dumpOfBrokenDefinitions() throws {
        let chatdb = try ToolRun()
        try chatdb.sql(
            """
            CREATE TABLE t (a); CREATE VIEW v AS SELECT a FROM u;
            CREATE TRIGGER r AFTER INSERT ON t BEGIN DELETE FROM log; END;
            """, in: "app.db")
        let dump = try chatdb.succeed("schema", "dump", "--database", "chat=app.db")
        for (name, table) in [("view v", "u"), ("trigger r", "log")] {
            let warning = "the \(name) of the chat database lacks what it needs (no such table: main.\(table))"
            #expect(dump.errors.contains(warning), "\(dump.errors)")
        }
        #expect(!dump.errors.contains("20260101"), "\(dump.errors)")
    }

    @Test("schema dump warns of a statement that no migration may have, with its line")
    func dumpOfRefusedStatement() throws {
        let chatdb = try ToolRun()
        let trigger = "CREATE TRIGGER r AFTER INSERT ON t BEGIN INSERT INTO store VALUES (1); END"
        try chatdb.sql("CREATE TABLE t (a); \(trigger)", in: "app.db")
        let dump = try chatdb.succeed("schema", "dump", "--database", "chat=app.db")
        let warning = "in line 5 of the chat database's SQL, store is the name of a table"
        #expect(dump.errors.contains(warning), "\(dump.errors)")
        #expect(!dump.errors.contains("20260101"), "\(dump.errors)")
        try chatdb.sql("PRAGMA user_version = 1", in: "empty.db")
        let empty = try chatdb.succeed("schema", "dump", "--database", "chat=empty.db")
        #expect(empty.errors.isEmpty, "a database without tables: \(empty.errors)")
    }

    @Test("schema dump writes the schema of the store that the configuration file names")
    func dumpOfConfiguredStore() throws {
        let chatdb = try DemoStore.empty()
        try chatdb.sql("CREATE TABLE extra (id INTEGER)")
        let folder = chatdb.file("config/chatdb")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("store = \"\(chatdb.store)\"\n".utf8).write(to: URL(fileURLWithPath: folder + "/config.toml"))
        let dump = try chatdb(["schema", "dump", "--only", "chat"], environment: ["CHATDB_STORE": ""])
        #expect(dump.output.contains("CREATE TABLE extra (") && dump.errors.isEmpty, "\(dump.errors)")
    }

    @Test("schema dump writes the same SQL in every format")
    func dumpFormats() throws {
        let chatdb = try ToolRun()
        func dump(_ arguments: String...) throws -> ToolRun.Outcome {
            try chatdb(["schema", "dump"] + arguments, environment: ["CHATDB_STORE": ""])
        }
        let text = try dump("--only", "agent").output
        #expect(try dump("--only", "agent", "--format", "json").answer() == ["agent": .string(text)])
        #expect(try dump("--format", "json").answer().members?.map(\.name) == ["chat", "agent"])
        #expect(try dump("--only", "agent", "--format", "markdown").output == "```sql\n\(text)```\n")
        #expect(try dump("--format", "csv").output.hasPrefix("database,sql\nchat,\"CREATE TABLE "))
    }

    @Test("schema dump takes migrations of a folder, and quotes their names where needed")
    func dumpFolder() throws {
        let chatdb = try ToolRun()
        let folder = chatdb.file("own")
        try FileManager.default.createDirectory(atPath: folder + "/chat", withIntermediateDirectories: true)
        try MigrationFixture.write(
            ["20300101_own.up.sql": "-- Why: a test.\nCREATE TABLE \"order\" (\"group\" INTEGER, plain TEXT);"],
            to: folder + "/chat")
        let text = try chatdb("schema", "dump", "--migrations-dir", folder, "--only", "chat").output
        #expect(text == "CREATE TABLE \"order\" (\n    \"group\" INTEGER,\n    plain TEXT\n);\n")
        let missing = try chatdb("schema", "dump", "--migrations-dir", chatdb.file("nothing"))
        #expect(missing.code == 66 && missing.errors.contains("hint: --migrations-dir names the folder"))
    }

    @Test("schema docs writes Markdown, as a string in JSON and a field in CSV")
    func docs() throws {
        let chatdb = try ToolRun()
        let text = try chatdb("schema", "docs", "--only", "chat").output
        #expect(text.hasPrefix("# The chat database\n") && text.contains("\n## migrations\n"))
        #expect(try chatdb("schema", "docs", "--only", "chat", "--format", "markdown").output == text)
        #expect(try chatdb("schema", "docs", "--only", "chat", "--format", "json").answer() == ["chat": .string(text)])
        #expect(try chatdb("schema", "docs", "--format", "csv").output.hasPrefix("database,markdown\nchat,"))
    }

    @Test("only --force replaces existing files; without it exit 73, and no file is written")
    func docsFiles() throws {
        let chatdb = try ToolRun()
        let folder = chatdb.file("docs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The second of two files exists: the command does not create the first.
        try Data("mine".utf8).write(to: URL(fileURLWithPath: folder + "/agent.md"))
        let refused = try chatdb("schema", "docs", "-o", folder, "--format", "json")
        #expect(refused.code == 73 && refused.output.isEmpty)
        #expect(try refused.refusal()["code"] == "fileExists" && refused.refusal()["state"] == "Nothing was written.")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["agent.md"])
        let written = try chatdb("schema", "docs", "-o", folder, "--force", "--format", "json")
        #expect(written.code == 0)
        #expect(
            try written.answer() == ["files": JSONValue(["\(folder)/chat.md", "\(folder)/agent.md"])])
        let agent = try String(contentsOfFile: folder + "/agent.md", encoding: .utf8)
        #expect(try agent == chatdb("schema", "docs", "--only", "agent").output)
        #expect(try chatdb("schema", "docs", "-o", folder).code == 73)
        #expect(try chatdb("schema", "docs", "-o", folder, "--only", "chat", "--force").output.hasSuffix("chat.md\n"))
        #expect(try chatdb("schema", "docs", "-o", chatdb.file("nothing")).code == 73)
        #expect(try chatdb("schema", "docs", "--force").code == 64)
    }

    @Test("a path that cannot be examined is reported with the reason, not as an existing file")
    func unreachable() throws {
        let chatdb = try ToolRun()
        let run = try chatdb("schema", "docs", "-o", String(repeating: "x", count: 300), "--format", "json")
        #expect(run.code == 73)
        #expect(try run.refusal()["code"] == "cannotWrite" && run.refusal()["hint"] == nil)
        #expect(try run.refusal()["message"]?.stringValue?.contains("file name too long") == true)
    }

    @Test(
        "a reader that closes the pipe is no error, and these commands need no store",
        arguments: ["dump", "docs", "show"])
    func pipe(_ verb: String) throws {
        let run = try ToolRun().shell(
            "unset CHATDB_STORE; XDG_DATA_HOME=$PWD \"$CHATDB\" schema \(verb) | head -1 > /dev/null; "
                + "echo ${PIPESTATUS[0]}")
        // `dump` says that its schema is of no store.
        #expect(run.output == "0\n" && run.errors.hasPrefix("note: ") == (verb == "dump"), "\(run.errors)")
    }
}

extension [JSONValue] {
    fileprivate var json: JSONValue { .array(self) }
}
