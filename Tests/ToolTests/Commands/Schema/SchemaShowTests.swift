import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `schema show`: tables and columns, of a store or of this build.
@Suite struct SchemaShowTests {
    private static let formats = [("table", "txt"), ("json", "json"), ("csv", "csv"), ("markdown", "md")]

    @Test("a table of both databases is shown as recorded", arguments: formats)
    func shown(_ format: String, _ ending: String) throws {
        let outcome = try DemoStore.empty()("schema", "show", "store", "--format", format)
        #expect(outcome.code == 0 && outcome.errors.isEmpty)
        try Snapshot.check(outcome.output, "schema-show-store.\(ending)")
    }

    @Test("every table is listed with its meaning, the engine's own among them")
    func tables() throws {
        let chatdb = try DemoStore.empty()
        let tables = try chatdb("schema", "show", "--format", "json").answer()["tables"]?.arrayValue ?? []
        #expect(tables.count > 50 && tables.allSatisfy { $0["meaning"]?.stringValue?.isEmpty == false })
        for database in DatabaseName.allCases {
            let names = tables.filter { $0["database"] == .string(database.rawValue) }.compactMap {
                $0["name"]?.stringValue
            }
            #expect(names == names.sorted() && Set(names).isSuperset(of: ["migrations", "store", "users"]))
            let only = try chatdb("schema", "show", "--only", database.rawValue, "--format", "csv").output
            #expect(only.split(separator: "\n").count == names.count + 1)
        }
        // Those of this build equal those of a store of its version.
        let build = try chatdb(["schema", "show", "--format", "json"], environment: noStore(chatdb))
        #expect(try build.answer()["tables"]?.arrayValue == tables)
    }

    private func noStore(_ chatdb: ToolRun) -> [String: String] {
        ["CHATDB_STORE": "", "XDG_DATA_HOME": chatdb.file("data")]
    }

    @Test("with a store on the command line or in the environment, schema show reads its present schema")
    func store() throws {
        let chatdb = try DemoStore.empty()
        try chatdb.sql("CREATE TABLE extra (id INTEGER, secret TEXT)")
        #expect(try chatdb("schema", "show", "extra").code == 0)
        #expect(try chatdb(["schema", "show", "extra"], environment: noStore(chatdb)).code == 1)
        #expect(
            try chatdb(["schema", "show", "extra", "-d", chatdb.store], environment: noStore(chatdb)).code == 0)
        let table = try chatdb("schema", "show", "extra", "-v")
        #expect(table.errors == "these are the tables of \(chatdb.store)\n")
        #expect(
            try chatdb(["schema", "show", "users", "-v"], environment: noStore(chatdb)).errors
                == "these are the tables of this build; no store was named\n")
    }

    @Test("schema show lists the class of a column; an undescribed one counts as secret")
    func classes() throws {
        let chatdb = try DemoStore.empty()
        try chatdb.sql("ALTER TABLE users ADD COLUMN colour TEXT")
        let answer = try chatdb("schema", "show", "users", "--only", "chat", "--format", "json").answer()
        let columns = answer["tables"]?[0]?["columns"]?.arrayValue ?? []
        let classes = columns.reduce(into: [:]) { $0[$1["name"]?.stringValue ?? ""] = $1["class"]?.stringValue }
        #expect(classes["user_id"] == "public" && classes["local_display_name"] == "personal")
        #expect(classes["view_pwd_hash"] == "secret" && classes["colour"] == "secret")
        #expect(columns.last?["meaning"] == .null)
        #expect(try chatdb("schema", "show", "users", "--only", "chat").output.contains("secret"))
    }

    @Test("schema show lists the tables of an older and of a newer store")
    func otherVersions() throws {
        let newer = try MigrationFixture.newerStore()("schema", "show", "notes", "--format", "json").answer()
        #expect(newer["tables"]?[0]?["meaning"] == .null)
        #expect(newer["tables"]?[0]?["columns"]?[1]?["class"] == "secret")
        let older = try MigrationFixture.oldStore()("schema", "show", "protocol_servers").output
        #expect(older.contains("key_hash") && !older.contains("role_storage"))
    }

    @Test("a misspelt table gives a suggestion, one of the other database the option for it: exit 1")
    func didYouMean() throws {
        let chatdb = try DemoStore.empty()
        for (arguments, message, hint) in [
            (["chat_relay"], "there is no table \"chat_relay\"", "did you mean \"chat_relays\"?"),
            (["Users"], "there is no table \"Users\"", "did you mean \"users\"?"),
            (["xyzzy"], "there is no table \"xyzzy\"", "chatdb schema show lists them"),
            (
                ["commands", "--only", "chat"], "there is no table \"commands\" in the chat database",
                "the table is in the agent database: --only agent"
            ),
            (
                ["chat_relay", "--only", "agent"], "there is no table \"chat_relay\" in the agent database",
                "chatdb schema show --only agent lists them"
            ),
        ] {
            let outcome = try chatdb(["schema", "show", "--format", "json"] + arguments)
            #expect(outcome.code == 1 && outcome.output.isEmpty)
            let error = try outcome.refusal()
            #expect(error["code"] == "tableNotFound" && error["details"]?["name"] == .string(arguments[0]))
            #expect(error["message"]?.stringValue == message && error["hint"]?.stringValue == hint)
        }
    }

    @Test("schema show reads one database alone, with a note on the other; --only with the missing one: exit 66")
    func loneDatabase() throws {
        let chatdb = try DemoStore.empty()
        try FileManager.default.removeItem(atPath: chatdb.file("x_agent.db"))
        let outcome = try chatdb("schema", "show", "--format", "csv")
        #expect(outcome.code == 0 && !outcome.output.contains("\nagent,"))
        #expect(outcome.errors == "note: the agent database is missing (\(chatdb.file("x_agent.db")))\n")
        #expect(try chatdb("schema", "show", "--only", "chat").errors.isEmpty)
        let other = try chatdb("schema", "show", "--only", "agent", "--format", "json")
        #expect(other.code == 66)
        #expect(try other.refusal()["code"] == "incompleteStore")
    }

    @Test("on a terminal of 80 columns no line is wider, and hostile names are text")
    func terminal() throws {
        let chatdb = try DemoStore.empty()
        try chatdb.sql("CREATE TABLE \"a\u{1b}[2Jb\" (\"c\u{202e}d\" INTEGER)")
        for arguments in [["schema", "show"], ["schema", "show", "chat_items"]] {
            let run = try TerminalRun(arguments, in: chatdb, answer: .shown)
            let end = try run.end()
            #expect(end.code == 0 && end.shown.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(end.shown)")
            #expect(!end.shown.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
        }
        let shown = try chatdb("schema", "show", "a\u{1b}[2Jb").output
        #expect(shown.contains("c\\u{202e}d") && !shown.contains("\u{1b}"))
    }
}
