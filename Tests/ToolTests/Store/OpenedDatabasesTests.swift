import ArgumentParser
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// A command opens each database of its store at most twice: once to look at it, once to work. Backups, private copies
/// and their verification do not count, so commands that can do without a backup run without one here.
@Suite(
    "how often commands open databases", .timeLimit(.minutes(60)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct OpenedDatabasesTests {
    /// A run of a command, and its permitted exit codes.
    private struct Case {
        let command: String
        let arguments: [String]
        let codes: Set<Int32>
        let input: String

        init(_ command: String, _ arguments: String..., codes: Set<Int32> = [0], input: String = "") {
            (self.command, self.arguments, self.codes, self.input) = (command, arguments, codes, input)
        }
    }

    /// The largest permitted number of openings of each database.
    private struct Opens: CustomStringConvertible {
        var chat = 0
        var agent = 0
        var description: String { "(chat: \(chat), agent: \(agent))" }
    }

    private static let link = "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    private static let server = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org"

    private static let loopback = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@127.0.0.1:1"

    /// The same server with another port.
    private static let moved = server + ":5224"

    /// Every command once, in an order in which each has something to do.
    private static let cases = [
        Case("find", "--below", "FOLDER"), Case("completion", "bash"),
        Case("config show"), Case("inspect"), Case("check", codes: [0, 1]),
        Case("diagnose"),
        Case("bundle write", "FOLDER/a.json"), Case("bundle diff", "FOLDER/a.json", "FOLDER/a.json"),
        Case("query", "SELECT 1"),
        Case("schema show"), Case("schema diff"), Case("schema dump"), Case("schema docs"),
        Case("user list"), Case("user show", "alice"), Case("operator list"), Case("server list"),
        Case("relay list"), Case("relay show", "mine", "-u", "alice"), Case("relay usage"), Case("group list"),
        Case("group show", "news", "-u", "alice"), Case("group members", "news", "-u", "alice"),
        Case("group relays", "news", "-u", "alice"), Case("preset list"), Case("preset show"),
        Case("preset export", "-u", "alice", "-o", "FOLDER/preset.json"),
        Case("preset diff", "-u", "alice", "--with-user", "work"), Case("preset validate", "FOLDER/preset.json"),
        Case("archive check", "FOLDER/archive.zip", codes: [1]),
        Case("archive unpack", "FOLDER/archive.zip", "--to", "FOLDER/unpacked"),
        Case("archive pack", "--output", "FOLDER/new.zip", codes: [1]),
        Case("migrate status"), Case("migrate plan"), Case("migrate verify", "--only", "agent"),
        Case("conditions list"), Case("conditions accept", "--yes", codes: [1]), Case("contact list", "-u", "alice"),
        Case("contact show", "nobody", "-u", "alice", codes: [1]), Case("settings get"),
        Case("settings set", "chatItemTtl", "30d", "--yes"), Case("search", "word"),
        Case("notification target", "smp.example.org/abc", codes: [1]),
        Case("user add", "bob"), Case("user activate", "alice"), Case("user rename", "work", "office"),
        Case("user edit", "office", "--full-name", "Office"),
        Case("user hide", "office", "--password-stdin", input: "secret"),
        Case("user unhide", "office", "--password-stdin", input: "secret"),
        Case("operator disable", "2"), Case("operator enable", "2"),
        Case("operator set-roles", "2", "--smp", "storage,proxy"),
        Case("server show", "id:1"), Case("server set-roles", "id:1", "proxy"),
        Case("server mark-tested", "id:1", "passed"),
        // Nothing listens at the port.
        Case("server add", loopback), Case("server test", "127.0.0.1", "--record", codes: [1, 69]),
        Case("relay test", "none", codes: [1]),
        Case("server add", server), Case("server disable", "smp.example.org"),
        Case("server edit", "smp.example.org", "--address", moved, "--yes"),
        Case("server enable", "smp.example.org"), Case("server delete", "smp.example.org", "--yes"),
        Case("relay add", DemoStore.otherRelay), Case("relay edit", "other.example.net", "--name", "one"),
        Case("relay disable", "one"), Case("relay enable", "one"), Case("relay mark-tested", "one", "failed"),
        Case("relay delete", "one", "--yes"),
        Case("group create", "talk", "--relay", "smp5.simplex.im"),
        Case("group relay add", "talk", "mine"), Case("group relay invite", "talk", "mine"),
        Case("group relay accept", "talk", "mine", "--link", GroupNounTests.channelLink),
        Case("group relay acknowledge", "talk", "mine"),
        Case("group relay activate", "talk", "mine"), Case("group relay reject", "talk", "mine", codes: [1]),
        Case("group relay deactivate", "talk", "mine"),
        Case("group relay remove", "talk", "mine", "--yes"),
        Case("group set-link", "talk", GroupNounTests.channelLink),
        Case("group finish", "talk", "--link", GroupNounTests.channelLink), Case("group prepare", link, "--name", "w"),
        Case("group cancel", "w", "--yes", "--no-backup"), Case("group prepare", link, "--name", "w"),
        Case("group start", "w"),
        Case("group leave", "w", "--yes", codes: [0, 1]), Case("group delete", "talk", "--yes", "--no-backup"),
        Case("preset import", "FOLDER/preset.json", "--yes", "-u", "bob", "--mode", "replace"),
        Case("preset sync", "--yes", "-u", "bob"), Case("user delete", "bob", "--yes", "--no-backup"),
        Case("migrate new", "words", "--only", "chat", "--migrations-dir", "FOLDER"),
        Case("migrate baseline", "--to", "x", "--migrations-dir", "FOLDER", codes: [78]),
        // From files to files.
        Case("copy", "--to", "FOLDER/copied", codes: [64]),
        Case("salvage", "--output", "FOLDER/saved"), Case("backup make", "FOLDER/backups"),
        Case("backup list", "FOLDER/backups"), Case("backup verify", "FOLDER/backups"),
        Case("backup prune", "FOLDER/backups", "--keep", "1", "--yes"),
        Case("restore", "BACKUP", "--yes"),
        Case("migrate down", "--steps", "1", "--yes", "--no-backup"), Case("migrate up", "--no-backup"),
        Case("migrate run", "--no-backup"), Case("serve", input: ""),
        Case("passphrase set", "--new-passphrase-file", "FOLDER/key", "--yes"),
        Case("passphrase change", "--passphrase-file", "FOLDER/key", "--new-passphrase-file", "FOLDER/key2", "--yes"),
        Case("passphrase remove", "--passphrase-file", "FOLDER/key2", "--yes"),
    ]

    @Test("the list of runs contains every command")
    func complete() {
        func names(_ command: any ParsableCommand.Type, _ path: [String]) -> [String] {
            let below = command.configuration.subcommands
            if below.isEmpty { return [path.joined(separator: " ")] }
            return below.flatMap { names($0, path + [$0._commandName]) }
        }
        #expect(Set(Self.cases.map(\.command)) == Set(names(Chatdb.self, [])))
    }

    @Test("no command opens a database more than twice")
    func opens() throws {
        let store = try DemoStore.make()
        for folder in ["chat", "agent", "backups"] {
            try FileManager.default.createDirectory(atPath: store.file(folder), withIntermediateDirectories: false)
        }
        try store.archive()
        #expect(try store.shell("echo \"x'\(String(repeating: "2f", count: 32))'\" > key; chmod 600 key").code == 0)
        #expect(try store.shell("sed s/2f/3f/g key > key2; chmod 600 key2").code == 0)
        for tried in Self.cases {
            let opens = try opens(tried, store)
            #expect(opens.chat <= 2 && opens.agent <= 2, "\(tried.command): \(opens)")
        }
    }

    /// The number of times that SQLite opened each database of the store while the command ran.
    private func opens(_ tried: Case, _ store: ToolRun) throws -> Opens {
        let scratch = try TemporaryFolder()
        let log = URL(fileURLWithPath: scratch.file("opens"))
        let backup = try FileManager.default.contentsOfDirectory(atPath: store.file("backups")).first ?? ""
        let arguments =
            tried.command.split(separator: " ").map(String.init)
            + tried.arguments.map {
                $0 == "BACKUP"
                    ? store.file("backups/\(backup)") : $0.replacing("FOLDER", with: store.folder.path)
            }
        let command = FaultCommand(
            try BuiltTool.find(), environment: ["CHATDB_STORE": store.store, "XDG_DATA_HOME": scratch.path],
            input: { [input = tried.input] _ in input }
        ) { _ in arguments }
        let run = FaultRun(
            command, in: URL(fileURLWithPath: store.folder.path), scratch: URL(fileURLWithPath: scratch.path),
            plan: .watch(to: log))
        let outcome = try run.run()
        guard case .exit(let code) = outcome.termination, tried.codes.contains(code) else {
            throw ToolRun.Failure(description: "\(arguments): \(outcome.termination) \(outcome.errors)")
        }
        let opened = try HeldFiles(contentsOf: log).opens
        return Opens(chat: opened["x_chat.db"] ?? 0, agent: opened["x_agent.db"] ?? 0)
    }
}
