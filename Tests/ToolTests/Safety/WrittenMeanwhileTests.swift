import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// A change that makes a backup first, while another program writes to the store. Rule: docs/backups.md, "Undoing a
/// deletion".
@Suite(
    "writing between a backup and the change after it", .timeLimit(.minutes(60)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct WrittenMeanwhileTests {
    struct Case: CustomTestStringConvertible {
        let command: String
        let journal: String

        var testDescription: String { "\(command), \(journal)" }
    }

    private static let commands = [
        "group delete news -u alice", "group cancel news -u alice", "user delete alice", "check --fix",
    ]
    private static let cases = commands.flatMap { command in
        ["wal", "delete"].map { Case(command: command, journal: $0) }
    }

    private static let seed = Result { () throws -> ToolRun in
        let demo = try DemoStore.make()
        try demo.succeed(
            "server", "add", "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org", "-u", "alice")
        // A finding that check --fix repairs.
        try demo.sql("UPDATE groups SET conn_link_started_connection = 1")
        return demo
    }

    private static let message = """
        INSERT INTO chat_items (user_id, group_id, item_sent, item_content, item_content_tag, item_text, item_status,
            item_ts, created_at, updated_at)
        VALUES (1, 1, 0, '{}', 'rcvMsgContent', 'between', 'rcv_new', '2026-01-01 00:00:00', '2026-01-01 00:00:00',
            '2026-01-01 00:00:00');
        """
    private static let agentUser = "INSERT INTO users (user_id) VALUES (77)"

    /// A copy of the store in a folder of its own.
    private func store(_ journal: String) throws -> ToolRun {
        let (seed, copy) = (try Self.seed.get(), try ToolRun())
        for name in ["x_chat.db", "x_agent.db"] {
            try FileManager.default.copyItem(atPath: seed.file(name), toPath: copy.file(name))
            try copy.sql("PRAGMA journal_mode = \(journal)", in: name)
        }
        return copy
    }

    private func run(
        _ command: String, in store: ToolRun, _ scratch: TemporaryFolder, _ plan: FaultPlan, format: String = "json"
    ) throws
        -> FaultRun
    {
        let words = command.split(separator: " ").map(String.init)
        return FaultRun(
            FaultCommand(try BuiltTool.find()) { words + ["--yes", "--format", format, "-d", $0.path + "/x"] },
            in: URL(fileURLWithPath: store.folder.path), scratch: URL(fileURLWithPath: scratch.file("run")), plan: plan)
    }

    /// The number of the last operation in a folder of backups that such a command makes.
    private func lastOfBackup(_ tried: Case) throws -> Int {
        let (store, scratch) = (try store(tried.journal), try TemporaryFolder())
        let log = URL(fileURLWithPath: scratch.file("log"))
        _ = try run(tried.command, in: store, scratch, .log(to: log)).run()
        let last = try OperationLog(contentsOf: log).operations.last { $0.path.hasPrefix("x.backups/") }
        return try #require(last).number
    }

    @Test("what another program wrote is in the backup or still in the store", arguments: cases)
    func between(_ tried: Case) throws {
        let (store, scratch) = (try store(tried.journal), try TemporaryFolder())
        let process = try run(tried.command, in: store, scratch, .stop(at: try lastOfBackup(tried))).start()
        #expect(process.waitUntilStopped())
        let written = try [("x_chat.db", Self.message), ("x_agent.db", Self.agentUser)].map { database, statement in
            let shell = try store.shell("sqlite3 \(database) \"\(statement)\"")
            #expect(shell.code == 0 || shell.errors.contains("locked"), "\(shell.errors)")
            return shell.code == 0
        }
        process.resume()
        let outcome = try process.finish()
        #expect([.exit(0), .exit(1)].contains(outcome.termination), "\(outcome.errors)")
        let backups = try FileManager.default.contentsOfDirectory(atPath: store.file("x.backups"))
        // Both databases were locked together: a program can write neither of them.
        #expect(written == [false, false] && backups.count == 1)
    }

    @Test(
        "while another program reads one of the databases, neither of them is changed, and the error names the backup",
        arguments: ["chat", "agent"])
    func reader(_ database: String) throws {
        let store = try store("delete")
        let run = try store.shell(
            """
            mkfifo go
            python3 -c "import sqlite3, sys; c = sqlite3.connect('x_\(database).db'); c.execute('BEGIN')
            c.execute('SELECT count(*) FROM users').fetchall(); print('held', flush=True); sys.stdin.read()" < go > seen &
            exec 3> go
            until grep -q held seen; do :; done
            $CHATDB user delete alice --yes --format json -d x
            code=$?; exec 3>&-; wait; exit $code
            """)
        let error = try JSONValue(parsing: run.errors.split(separator: "\n").last.map(String.init) ?? "")["error"]
        #expect(error?["code"] == "storeLocked", "\(run.errors)")
        let users = try ["x_chat.db", "x_agent.db"].map { try store.sql("SELECT count(*) FROM users", in: $0) }
        let kept = error?["details"]?["kept"]
        #expect(error?["state"] == "Nothing was changed." && users == ["2", "2"], "\(run.errors) \(users)")
        #expect(error?["message"]?.stringValue?.contains("python") == true, "\(run.errors)")
        #expect(kept != nil && !run.errors.contains("to restore it"))
    }

    @Test(
        "while another program reads one of the databases, user add changes neither of them",
        arguments: ["chat", "agent"])
    func readerWhileAdding(_ database: String) throws {
        let store = try store("delete")
        let held = try HeldShell(store, "x_\(database).db")
        try held.run("BEGIN; SELECT count(*) FROM users;")
        let databases = ["x_chat.db", "x_agent.db"]
        let before = try databases.map { try store.sql(".dump", in: $0) }
        let run = try store("user", "add", "carol", "--format", "json")
        let error = try run.refusal()
        #expect(run.code == 75 && error["code"] == "storeLocked", "\(run.errors)")
        #expect(error["state"] == "Nothing was changed.", "\(run.errors)")
        #expect(try databases.map { try store.sql(".dump", in: $0) } == before)
        held.end()
        #expect(try store("user", "add", "carol").code == 0)
    }

    @Test("after an error the backup is named, and is the only one on the disk", arguments: cases)
    func failed(_ tried: Case) throws {
        let number = try lastOfBackup(tried) + 1
        let (store, scratch) = (try store(tried.journal), try TemporaryFolder())
        let before = try store.sql(".dump")
        let outcome = try run(tried.command, in: store, scratch, .fail(at: number, errno: EIO, sticky: true)).run()
        #expect(outcome.termination == .exit(74), "\(outcome.termination) \(outcome.errors)")
        let error = try #require(
            try JSONValue(parsing: outcome.errors.split(separator: "\n").last.map(String.init) ?? "")["error"])
        let kept = try #require(error["details"]?["kept"], "\(outcome.errors)")
        let backups = try FileManager.default.contentsOfDirectory(atPath: store.file("x.backups"))
        #expect(backups.map { store.file("x.backups/\($0)") } == [kept["path"]?.stringValue])
        #expect(error["state"] != nil)
        if error["state"] == "Nothing was changed." { #expect(try store.sql(".dump") == before) }
    }

    @Test("the error has the backup in its text too, with the command only if the change may have been made")
    func text() throws {
        let location = try StoreLocation(prefix: "/data/x")
        let copy = KeptCopy(backup: "/data/x.backups/1", in: "/data/x.backups", of: location)
        var report = ErrorReport("inputOutput", "no", state: "Nothing was changed.", exit: .ioError)
        for isUnchanged in [true, false] {
            #expect(
                copy.named(in: report, isUnchanged: isUnchanged).lines == [
                    "the backup that was made is in /data/x.backups/1"
                ])
        }
        report.state = "chatdb cannot determine whether anything was changed."
        let lines = copy.named(in: report, isUnchanged: false).lines
        #expect(lines.count == 2 && lines[1] == "chatdb restore /data/x.backups/1 -d /data/x")
    }

    @Test("a preset file that a failed deletion leaves is named in the error, and otherwise there is none")
    func presets() throws {
        for command in ["relay delete mine -u alice", "server delete smp.example.org -u alice"] {
            let scratch = try TemporaryFolder()
            // With a rollback journal, a commit can fail that was made.
            let counted = try self.store("delete")
            let count = try run(command, in: counted, scratch, .count).run()
            #expect(count.termination == .exit(0), "\(count.errors)")
            let last = max(1, count.operations)
            for number in FaultSample.everyIfTortured(else: 5).pick(Array(1...last)) + [last - 1] {
                let store = try self.store("delete")
                let outcome = try run(
                    command, in: store, scratch, .fail(at: number, errno: EIO, sticky: true), format: "table"
                ).run()
                if outcome.termination == .exit(0) { continue }
                let left = try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
                    .filter { $0.hasPrefix("x-deleted-") && $0.hasSuffix(".json") }
                #expect(
                    left.allSatisfy { outcome.errors.contains($0) }, "\(command) \(number): \(left) \(outcome.errors)")
                let noun = command.split(separator: " ")[0]
                if outcome.errors.contains("cannot determine") {
                    #expect(outcome.errors.contains("whether the \(noun) was deleted"))
                    #expect(outcome.errors.contains("chatdb \(noun) list"))
                }
            }
        }
    }
}
