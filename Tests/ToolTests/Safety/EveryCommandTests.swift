import ArgumentParser
import Foundation
import Testing

@testable import ChatDBTool

/// Safety S05, S06: every command of the tool, on a store with names, texts, tables and paths that control a terminal
/// or
/// look like SQL.
@Suite("every command on a hostile store", .timeLimit(.minutes(60))) struct EveryCommandTests {
    /// The arguments of a run, and its exit code if that is not 0.
    private struct Case {
        let command: String
        let arguments: [String]
        let code: Int32
        let codeOffTerminal: Int32

        init(_ command: String, _ arguments: String..., code: Int32 = 0, offTerminal: Int32? = nil) {
            (self.command, self.arguments) = (command, arguments)
            (self.code, codeOffTerminal) = (code, offTerminal ?? code)
        }
    }

    private static let link = "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    private static let server = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org"
    private static let steering = HostileStore.steering

    /// Commands that change nothing.
    private static let reading = [
        Case("find", "--below", "FOLDER"), Case("inspect", "--sizes"), Case("check", code: 1),
        Case("bundle write", "--preview", "--include", "hosts"), Case("bundle diff", "FILE", "FILE", code: 65),
        Case("diagnose"),
        Case("query", "SELECT * FROM users, chat_relays", "--show", "personal"),
        Case("schema show", HostileStore.statement), Case("schema diff"), Case("schema dump"), Case("schema docs"),
        Case("user list"), Case("user show", "id:1"), Case("operator list", "-u", "id:1"),
        Case("server show", "id:1", "-u", "id:1"),
        // These connect to nothing: no server and no relay has that name.
        Case("server test", steering, "-u", "id:1", code: 1), Case("relay test", steering, "-u", "id:1", code: 1),
        Case("server list", "-u", "id:2"), Case("relay list", "-u", "id:2"), Case("relay show", "7", "-u", "id:1"),
        Case("relay usage", "-u", "id:1"), Case("group list", "-u", "id:1"), Case("group show", "id:1", "-u", "id:1"),
        Case("group members", "id:1", "-u", "id:1", "--past"), Case("group relays", "id:1", "-u", "id:1"),
        Case("conditions list"), Case("contact list", "-u", "id:1"), Case("contact show", "x", "-u", "id:1", code: 1),
        Case("settings get", "-u", "id:1"), Case("search", steering + " " + HostileStore.text, "-u", "id:1"),
        Case("notification target", "smp.example.org/" + steering.replacing("/", with: ""), code: 1),
        Case("preset list"), Case("preset show"), Case("preset export", "-u", "id:1", "--with-origin"),
        Case("preset diff", "-u", "id:1", "--with-user", "id:2"),
        // A store can contain such names, but no command accepts them.
        Case("preset validate", "FILE", code: 65),
        Case("migrate status"), Case("migrate plan"), Case("migrate verify", "--only", "agent"), Case("migrate run"),
        Case("archive check", "FILE", code: 66), Case("archive unpack", "FILE", "--to", "FOLDER/new", code: 66),
        Case("archive pack", "--output", "SAVED", code: 1),
    ]

    /// Commands that write, in order.
    private static let writing = [
        // The store has a row of a profile that it lacks.
        Case("user add", "bob", code: 1), Case("user activate", "id:1"), Case("user rename", "id:2", "carol"),
        Case("user edit", "id:2", "--full-name", "C", "--yes"),
        Case("user hide", "id:2", offTerminal: 64), Case("user unhide", "id:2", offTerminal: 64),
        Case("settings set", "appSettings", "FILE", "-u", "id:1", code: 0),
        Case("conditions accept", "--yes", code: 1),
        Case("operator disable", "2", "-u", "id:1"), Case("operator enable", "2", "-u", "id:1"),
        Case("operator set-roles", "2", "-u", "id:1", "--smp", "storage,proxy"),
        Case("server add", server, "-u", "id:1"), Case("server disable", "smp.example.org", "-u", "id:1"),
        Case("server edit", "smp.example.org", "--address", server + ":5224", "-u", "id:1"),
        Case("server set-roles", "smp.example.org", "proxy", "-u", "id:1"),
        Case("server mark-tested", "smp.example.org", "passed", "-u", "id:1"),
        Case("server enable", "smp.example.org", "-u", "id:1"),
        Case("server delete", "smp.example.org", "--yes", "-u", "id:1"),
        Case("relay add", DemoStore.otherRelay, "-u", "id:1"), Case("relay edit", "7", "--name", "one", "-u", "id:1"),
        Case("relay disable", "7", "-u", "id:1"), Case("relay enable", "7", "-u", "id:1"),
        Case("relay mark-tested", "7", "failed", "-u", "id:1"),
        Case("relay delete", "7", "--yes", "--no-backup", "-u", "id:1"),
        Case("group create", "talk", "--relays", "1", "-u", "id:1"),
        Case("group set-link", "id:1", GroupNounTests.channelLink, "-u", "id:1"),
        Case("group relay add", "id:1", "id:3", "-u", "id:1"),
        Case("group relay invite", "id:1", "row:1", "-u", "id:1"),
        Case(
            "group relay accept", "id:1", "row:1", "--link",
            "https://relay.example.org/c#DEQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM", "-u", "id:1"),
        Case("group relay acknowledge", "id:1", "row:1", "-u", "id:1"),
        Case("group relay activate", "id:1", "row:1", "-u", "id:1"),
        Case("group relay reject", "id:1", "row:1", "-u", "id:1", code: 1),
        Case("group relay deactivate", "id:1", "row:1", "-u", "id:1"),
        Case("group relay remove", "id:1", "row:2", "--yes", "-u", "id:1"),
        Case("group finish", "id:1", "--link", GroupNounTests.channelLink, "-u", "id:1"),
        Case("group prepare", link, "--name", "w", "-u", "id:1"), Case("group start", "w", "-u", "id:1"),
        Case("group cancel", "w", "-u", "id:1", code: 1), Case("group leave", "id:1", "--yes", "-u", "id:1", code: 1),
        Case("group delete", "id:1", "--yes", "-u", "id:1"),
        Case("preset import", "FILE", "--yes", "-u", "id:1", code: 65),
        Case("preset sync", "--yes", "--no-before", "-u", "id:1"),
        Case("user delete", "id:2", "--yes"),
        Case("migrate new", "words", "--only", "chat", "--migrations-dir", "FOLDER"),
        Case("migrate baseline", "--to", "x", "--yes", "--migrations-dir", "FOLDER", code: 78),
        Case("copy", "--to", "SAVED", code: 64), Case("salvage", "--output", "SAVED"), Case("backup make", "FOLDER"),
        Case("backup list"),
        Case("completion", "bash"), Case("config show"),
        Case("backup verify"), Case("backup prune", "--keep", "1", "--yes"), Case("restore", "BACKUP", "--yes"),
        Case("migrate down", "--steps", "1", "--yes"),
        Case("migrate up", "--yes"),
        // The file has several lines, and the store is not encrypted.
        Case("passphrase set", "--new-passphrase-file", "FILE", "--yes", code: 65),
        Case("passphrase change", "--yes", code: 1), Case("passphrase remove", "--yes", code: 1),
    ]

    @Test("S05, S06: the list of runs contains every command")
    func complete() {
        func names(_ command: any ParsableCommand.Type, _ path: [String]) -> [String] {
            let below = command.configuration.subcommands
            if below.isEmpty { return [path.joined(separator: " ")] }
            return below.flatMap { names($0, path + [$0._commandName]) }
        }
        // serve answers in JSON only, and waits for its clients.
        let listed = (Self.reading + Self.writing).map(\.command) + ["serve"]
        #expect(listed.sorted() == names(Chatdb.self, []).sorted())
    }

    @Test(
        "S05, S06: hostile text does not act on the reader, on a terminal or off it, and does not run as SQL",
        arguments: [false, true])
    func commands(_ onTerminal: Bool) throws {
        let store = try HostileStore()
        let preset = store.folder + "/preset.json"
        let exported = try store(["preset", "export", "-u", "id:1", "-o", preset], onTerminal: false)
        try #require(exported.code == 0, "\(exported.errors)")
        try FileManager.default.createDirectory(
            atPath: store.folder + "/chat", withIntermediateDirectories: false)
        let before = try store.run.folder.fingerprint()
        for tried in Self.reading { try run(tried, store, onTerminal) }
        #expect(try store.run.folder.fingerprint() == before)
        for tried in Self.writing { try run(tried, store, onTerminal) }
        for database in ["_chat.db", "_agent.db"] {
            #expect(try store.sql("SELECT count(*) FROM victims", in: database) == "3")
        }
    }

    @Test("S05, S06: nor in CSV and Markdown", arguments: ["csv", "markdown"])
    func otherFormats(_ format: String) throws {
        let store = try HostileStore()
        let group = ["id:1", "-u", "id:1"]
        for command in [
            ["inspect"], ["relay", "list", "-u", "id:1"], ["group", "show"] + group, ["group", "members"] + group,
            ["group", "relays"] + group,
        ] {
            let run = try store(command + ["--format", format], onTerminal: false)
            #expect(run.code == 0 && HostileStore.unsafe(in: run.output + run.errors).isEmpty, "\(command)")
        }
    }

    private func run(_ tried: Case, _ store: HostileStore, _ onTerminal: Bool) throws {
        let arguments = try tried.arguments.map { argument in
            switch argument {
            case "FILE": return store.folder + "/preset.json"
            case "FOLDER": return store.folder
            case "SAVED": return store.folder + "/saved"
            case "BACKUP":
                let names = try FileManager.default.contentsOfDirectory(atPath: store.folder)
                    .map { "\(store.folder)/\($0)" }
                return names.first { FileManager.default.fileExists(atPath: $0 + "/backup.json") } ?? ""
            default: return argument
            }
        }
        let words = tried.command.split(separator: " ").map(String.init) + arguments
        // A script for a shell has no other format.
        let format =
            tried.command == "completion" ? [] : ["--format", onTerminal ? "table" : "json", "--no-progress"]
        let questions =
            ["user hide": ["Password for carol: ", "Again: "], "user unhide": ["Password: "]][tried.command] ?? []
        let run = try store(words + format, onTerminal: onTerminal, asked: questions)
        let unsafe = HostileStore.unsafe(in: run.output + run.errors)
        #expect(unsafe.isEmpty, "\(tried.command): \(unsafe)")
        let code = onTerminal ? tried.code : tried.codeOffTerminal
        #expect(run.code == code, "\(tried.command): \(run.code) \(run.output.suffix(300)) \(run.errors)")
    }
}
