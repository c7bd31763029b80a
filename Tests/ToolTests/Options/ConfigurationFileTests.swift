import Foundation
import TestKit
import Testing

@testable import ChatDBTool

@Suite("configuration file")
struct ConfigurationFileTests {
    /// A folder with this configuration file.
    private static func configured(_ text: String) throws -> ToolRun {
        let chatdb = try ToolRun()
        try write(Data(text.utf8), in: chatdb)
        return chatdb
    }

    private static func write(_ data: Data, in chatdb: ToolRun) throws {
        try FileManager.default.createDirectory(
            atPath: chatdb.file("config/chatdb"), withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: chatdb.file("config/chatdb/config.toml")))
    }

    /// The value and the source of a setting in the answer of `config show`.
    private func setting(_ name: String, _ chatdb: ToolRun, _ environment: [String: String]) throws -> [String?] {
        let run = try chatdb(["config", "show", "--format", "json"], environment: environment)
        let setting = try run.answer()["settings"]?[name]
        return [setting?["value"]?.stringValue, setting?["source"]?.stringValue]
    }

    @Test("md is the format markdown")
    func shortFormat() throws {
        #expect(try setting("format", Self.configured("format = \"md\"\n"), [:]) == ["markdown", "file"])
    }

    @Test("a command without options uses the store, the format and the width of the file")
    func used() throws {
        let chatdb = try ToolRun()
        try Self.write(
            Data("store = \"\(chatdb.file("mine"))\"\nformat = \"json\"\ncolor = 'always'\n".utf8), in: chatdb)
        let unnamed = ["CHATDB_STORE": ""]
        #expect(try chatdb(["migrate", "run"], environment: unnamed).code == 0)
        #expect(FileManager.default.fileExists(atPath: chatdb.file("mine_chat.db")))
        let run = try chatdb(["user", "list"], environment: unnamed)
        #expect(try run.answer()["users"] != nil)
        #expect(try chatdb("config", "show", "--format", "table").output.contains("\u{1b}["))
        let refused = try chatdb(["user", "show", "nobody"], environment: unnamed)
        #expect(try refused.refusal()["code"] == "profileNotFound")
    }

    @Test("an option takes precedence over the environment, the environment over the file, the file over the default")
    func precedence() throws {
        let chatdb = try Self.configured("store = \"/in/file\"\nformat = \"csv\"\n")
        #expect(try setting("store", chatdb, [:]) == [chatdb.store, "environment"])
        #expect(try setting("store", chatdb, ["CHATDB_STORE": ""]) == ["/in/file", "file"])
        #expect(try setting("format", chatdb, [:]) == ["csv", "file"])
        #expect(try setting("format", chatdb, ["CHATDB_FORMAT": "markdown"]) == ["markdown", "environment"])
        #expect(try setting("color", chatdb, [:]) == ["auto", "default"])
        #expect(try chatdb(["config", "show"]).output.hasPrefix("name,value,source\n"))
        #expect(try chatdb(["config", "show"], environment: ["CHATDB_FORMAT": "markdown"]).output.contains("| "))
    }

    @Test("~ is the home folder; without XDG_CONFIG_HOME, the file is in .config of the home folder")
    func home() throws {
        let chatdb = try Self.configured("store = \"~/chats/me\"\n")
        try FileManager.default.moveItem(atPath: chatdb.file("config"), toPath: chatdb.file(".config"))
        let environment = ["CHATDB_STORE": "", "XDG_CONFIG_HOME": "", "HOME": chatdb.folder.path]
        #expect(try setting("store", chatdb, environment) == [chatdb.file("chats/me"), "file"])
        let relative = environment.merging(["XDG_CONFIG_HOME": "config"]) { $1 }
        #expect(try setting("store", chatdb, relative) == [chatdb.file("chats/me"), "file"])
    }

    @Test("comments, blanks, and quotes and backslashes in texts are read as in TOML")
    func forms() throws {
        let text = "# mine\r\n\n\t store\t=  \"/a \\\"b\\\" \\\\ # c\"  # end\r\nformat='csv'#\nwide = true\n"
        let chatdb = try Self.configured(text)
        #expect(try setting("store", chatdb, ["CHATDB_STORE": ""]) == ["/a \"b\" \\ # c", "file"])
        #expect(try setting("format", chatdb, [:]) == ["csv", "file"])
        #expect(try setting("wide", chatdb, [:])[1] == "file")
    }

    @Test("config show without a file shows the defaults, and the place of the file")
    func none() throws {
        let chatdb = try ToolRun()
        let run = try chatdb(["config", "show"], environment: ["CHATDB_STORE": "", "XDG_DATA_HOME": "/data"])
        #expect(run.code == 0)
        #expect(run.output.contains("\(chatdb.file("config/chatdb/config.toml")) (does not exist)"))
        #expect(run.output.contains("/data/chatdb/chatdb"))
        #expect(try setting("wide", chatdb, [:])[1] == "default")
    }

    @Test(
        "a wrong file is refused by every command, with the reason and its place",
        arguments: [
            ("store = ", "line 1 is no setting"), ("wide = true\nb = [", "line 2 is no setting"),
            ("sore = \"/x\"", "sore is not one of the settings"), ("store = 3", "line 1 is no setting"),
            ("store = true", "store is not a text"), ("store = \"x\"", "store is a relative path"),
            ("store = \"\"", "store is a relative path"), ("store = \"/a\"b", "line 1 is no setting"),
            ("store = \"/a", "line 1 is no setting"), ("store = '/a'\nstore = '/a'", "line 2 sets store again"),
            ("format = \"xml\"", "format is not one of table, json, csv, markdown"),
            ("wide = \"yes\"", "wide is neither true nor false"), ("color = true", "color is not one of auto"),
            ("[store]\nx = 1", "line 1 is no setting"), ("\"a\\nb\" = 1", "line 1 is no setting"),
            (String(repeating: "#", count: 70_000), "larger than 65536 bytes"),
            (String(repeating: "[", count: 60_000), "line 1 is no setting"),
            ("store = \"" + String(repeating: "\\", count: 60_000), "line 1 is no setting"),
        ])
    func refused(_ text: String, _ reason: String) throws {
        let chatdb = try Self.configured(text)
        for command in [["user", "list"], ["config", "show"], ["migrate", "run"]] {
            let run = try chatdb(command + ["--format", "json"])
            let error = try run.refusal()
            #expect(run.code == 65 && error["code"] == "configurationInvalid")
            #expect(error["message"]?.stringValue?.contains(reason) == true, "\(error)")
            #expect(error["details"]?["path"]?.stringValue == chatdb.file("config/chatdb/config.toml"))
        }
        #expect(!FileManager.default.fileExists(atPath: chatdb.file("x_chat.db")))
        #expect(try chatdb("--help").code == 0)
    }

    @Test("bytes that are no text, a folder, a FIFO and a dangling link are refused at once")
    func noFile() throws {
        let chatdb = try ToolRun()
        try Self.write(Data([0xff, 0xfe, 0]), in: chatdb)
        #expect(try chatdb("user", "list").errors.contains("not a text in UTF-8"))
        let file = "config/chatdb/config.toml"
        for line in ["mkdir \(file)", "mkfifo \(file)", "ln -s nowhere \(file)"] {
            let run = try chatdb.shell("rm -rf \(file); \(line); $CHATDB user list")
            #expect(run.code == 65 && run.errors.contains("it is not a regular file"), "\(line): \(run.errors)")
        }
        #expect(try chatdb.shell("rm \(file); : > \(file); $CHATDB config show").output.contains("default"))
    }
}
