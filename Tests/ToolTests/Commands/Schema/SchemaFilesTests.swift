import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `schema dump` and `schema docs`: the schema as SQL and as Markdown.
@Suite struct SchemaFilesTests {
    @Test("what is dumped makes the schema again, in the sqlite3 shell")
    func dump() throws {
        let chatdb = try ToolRun()
        for database in ["chat", "agent"] {
            let run = try chatdb.shell(
                "set -o pipefail; \"$CHATDB\" schema dump --only \(database) | sqlite3 -bail \(database).db")
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            #expect(try Int(chatdb.sql("SELECT count(*) FROM sqlite_schema", in: "\(database).db")) ?? 0 > 20)
        }
        let both = try chatdb("schema", "dump").output
        #expect(both.hasPrefix("-- The chat database\n\nCREATE TABLE ") && both.contains("\n-- The agent database\n"))
    }

    @Test("the same text in every format")
    func dumpFormats() throws {
        let chatdb = try ToolRun()
        let text = try chatdb("schema", "dump", "--only", "agent").output
        #expect(
            try chatdb("schema", "dump", "--only", "agent", "--format", "json").answer() == ["agent": .string(text)])
        #expect(try chatdb("schema", "dump", "--format", "json").answer().members?.map(\.name) == ["chat", "agent"])
        #expect(
            try chatdb("schema", "dump", "--only", "agent", "--format", "markdown").output == "```sql\n\(text)```\n")
        #expect(try chatdb("schema", "dump", "--format", "csv").output.hasPrefix("database,sql\nchat,\"CREATE TABLE "))
    }

    @Test("migrations of a folder are dumped, with the quotes that their names need")
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

    @Test("the reference is Markdown whatever the format, and a text for programs")
    func docs() throws {
        let chatdb = try ToolRun()
        let text = try chatdb("schema", "docs", "--only", "chat").output
        #expect(text.hasPrefix("# The chat database\n") && text.contains("\n## migrations\n"))
        #expect(try chatdb("schema", "docs", "--only", "chat", "--format", "markdown").output == text)
        #expect(try chatdb("schema", "docs", "--only", "chat", "--format", "json").answer() == ["chat": .string(text)])
        #expect(try chatdb("schema", "docs", "--format", "csv").output.hasPrefix("database,markdown\nchat,"))
    }

    @Test("files are written once, and replaced only with --force: 73, and then none is written")
    func docsFiles() throws {
        let chatdb = try ToolRun()
        let folder = chatdb.file("docs")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // The second of two is there: the first is not made either.
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

    @Test("a name that cannot be looked at is told with the reason, and not as a file that is there")
    func unreachable() throws {
        let chatdb = try ToolRun()
        let run = try chatdb("schema", "docs", "-o", String(repeating: "x", count: 300), "--format", "json")
        #expect(run.code == 73)
        #expect(try run.refusal()["code"] == "cannotWrite" && run.refusal()["hint"] == nil)
        #expect(try run.refusal()["message"]?.stringValue?.contains("file name too long") == true)
    }

    @Test("a reader that goes away is no error, and needs no store", arguments: ["dump", "docs", "show"])
    func pipe(_ verb: String) throws {
        let run = try ToolRun().shell(
            "unset CHATDB_STORE; XDG_DATA_HOME=$PWD \"$CHATDB\" schema \(verb) | head -1 > /dev/null; "
                + "echo ${PIPESTATUS[0]}")
        #expect(run.output == "0\n" && run.errors.isEmpty)
    }
}

extension [JSONValue] {
    fileprivate var json: JSONValue { .array(self) }
}
