import ArgumentParser
import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Every command that writes, on a disk that is full from some operation on. Rule: docs/errors.md, "Full disks".
@Suite(
    "a full disk", .timeLimit(.minutes(60)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct FullDiskTests {
    private static let link = "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    private static let server = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org"

    /// Each command that writes, with something to do. `FOLDER` is the folder of the store.
    private static let writing = [
        "user add bob", "user activate alice", "user rename work office", "user hide alice --password-stdin",
        "user unhide hidden --password-stdin", "user delete work --yes", "operator disable 2", "operator enable 1",
        "operator set-roles 2 --smp storage", "server add \(server)", "server disable id:1 -u alice",
        "server enable id:2 -u alice", "server delete mine.example -u alice --yes", "relay add \(DemoStore.otherRelay)",
        "relay edit mine --name ours -u alice", "relay disable mine -u alice", "relay enable id:1 -u alice",
        "relay mark-tested mine failed -u alice", "relay delete mine -u alice --yes",
        "group create talk --relays 1", "group finish news --link \(GroupNounTests.channelLink) -u alice",
        "group prepare \(link) --name v -u work", "group start w -u alice",
        "group cancel w -u alice --yes", "group leave id:3 -u alice --yes", "group delete news -u alice --yes",
        "preset import FOLDER/empty.json -u alice --mode replace --yes", "preset sync -u alice --yes",
        "preset export -u alice -o FOLDER/export.json", "bundle write FOLDER/bundle.json", "backup make FOLDER/backups",
        "restore FOLDER/kept --yes", "migrate down --steps 1 --yes", "migrate up", "migrate run -d FOLDER/new/y",
        "migrate new words --only chat --migrations-dir FOLDER/migrations",
        "migrate baseline --to 20260101_first --migrations-dir FOLDER/app --database chat=FOLDER/app.db --yes",
        "check --fix --yes",
        "archive unpack FOLDER/archive.zip --to FOLDER/unpacked", "salvage --output FOLDER/saved --only chat",
        "user edit work --full-name Work",
        "settings set showNtfs off -u alice", "conditions accept --yes",
        "server edit mine.example --address \(server):5224 -u alice", "server set-roles id:1 proxy -u alice",
        "server mark-tested id:1 passed -u alice", "group set-link news \(GroupNounTests.channelLink) -u alice",
        "group relay add news id:3 -u alice", "group relay invite news row:1 -u alice",
        "group relay accept news row:2 --link \(GroupNounTests.channelLink) -u alice",
        "group relay reject news row:2 -u alice",
        "group relay acknowledge steps row:3 -u alice", "group relay activate steps row:3 -u alice",
        "group relay deactivate steps row:3 -u alice", "group relay remove steps row:3 -u alice --yes",
        "archive pack -d FOLDER/simplex_v1 --output FOLDER/new.zip",
        "passphrase set --new-passphrase-file FOLDER/key --yes",
        "passphrase change -d FOLDER/y --passphrase-file FOLDER/key --new-passphrase-file FOLDER/key2 --yes",
        "passphrase remove -d FOLDER/y --passphrase-file FOLDER/key --yes",
    ]

    /// Commands that write at most to standard output: those that change nothing, or only remove files. The tests of
    /// servers write with --record, and then as mark-tested does; the faults would break their connections too. What
    /// serve writes is what the methods of the repositories write. A copy needs a server, and has the faults of
    /// `CopyTortureTests`.
    private static let reading: Set = [
        "inspect", "query", "schema show", "schema diff", "schema dump", "schema docs", "user list", "user show",
        "operator list", "server list", "relay list", "relay show", "relay usage", "group list", "group show",
        "group members", "group relays", "preset list", "preset show", "preset diff", "preset validate",
        "migrate status", "migrate plan", "migrate verify", "archive check", "find", "conditions list", "contact list",
        "contact show", "settings get", "search", "notification target", "server show", "diagnose", "backup list",
        "backup verify", "backup prune", "completion", "config show",
        "bundle diff", "server test", "relay test", "serve", "copy",
    ]

    @Test("the list contains every command that writes")
    func complete() {
        let tree = Set(CommandTree.leaves.map { $0.words.dropFirst().joined(separator: " ") })
        let listed = tree.filter { name in Self.writing.contains { $0 == name || $0.hasPrefix(name + " ") } }
        #expect(listed.union(Self.reading) == tree && listed.isDisjoint(with: Self.reading))
    }

    private static let seed = Result { () throws -> ToolRun in
        let demo = try DemoStore.make()
        let prepared = try demo.shell(
            """
            set -e
            $CHATDB user add hidden; $CHATDB user activate work
            printf secret | $CHATDB user hide hidden --password-stdin
            $CHATDB server add '\(server.replacing("smp.example.org", with: "mine.example"))' -u alice
            $CHATDB group prepare '\(link)' --name w -u alice
            $CHATDB group create steps --relay mine -u alice
            sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'invited' WHERE group_relay_id = 2"
            sqlite3 x_chat.db "UPDATE group_relays SET relay_status = 'accepted', relay_link = 'x' WHERE group_relay_id = 3"
            sqlite3 x_chat.db "INSERT INTO usage_conditions (conditions_commit) VALUES ('abc')"
            printf '{"format":"chatdb-preset","version":1,"custom":{"relays":[],"smpServers":[]}}' > empty.json
            mkdir new migrations migrations/chat migrations/agent
            $CHATDB backup b; mv b/* kept; rmdir b
            sqlite3 app.db 'CREATE TABLE t (a)'; mkdir -p app/chat
            echo 'CREATE TABLE t (a);' > app/chat/20260101_first.up.sql
            sqlite3 x_chat.db "UPDATE groups SET conn_link_started_connection = 1 WHERE group_id = 1"
            sqlite3 x_chat.db "UPDATE chat_relays SET display_name = 'old' WHERE chat_relay_id = 2"
            sqlite3 x_chat.db "UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id = 1"
            echo "x'\(String(repeating: "2f", count: 32))'" > key; chmod 600 key
            sed s/2f/3f/g key > key2; chmod 600 key2
            for name in chat agent; do cp x_$name.db y_$name.db; done
            $CHATDB passphrase set -d y --new-passphrase-file key --yes; rm -r y.replaced-*
            """)
        guard prepared.code == 0 else { throw ToolRun.Failure(description: prepared.errors) }
        try demo.archive()
        _ = try SimplexStore(in: demo.folder)
        return demo
    }

    private func contents(_ folder: URL, _ scratch: ToolRun) throws -> [String] {
        try ["x_chat.db", "x_agent.db"].map { name in
            let copy = scratch.file(name)
            for ending in ["", "-wal", "-journal"] {
                try? FileManager.default.removeItem(atPath: copy + ending)
                let file = folder.appendingPathComponent(name + ending).path
                if FileManager.default.fileExists(atPath: file) {
                    try FileManager.default.copyItem(atPath: file, toPath: copy + ending)
                }
            }
            return try scratch.sql(".dump", in: name)
        }
    }

    private static func short(_ error: JSONValue) -> String {
        ["code", "message", "state", "hint"].map { error[$0]?.stringValue ?? "-" }.joined(separator: " | ")
    }

    @Test(
        "the error has the path, the state and a hint; for an unchanged store the state says so", arguments: writing)
    func full(_ line: String) throws {
        let seed = try Self.seed.get()
        let scratch = try ToolRun()
        let folder = URL(fileURLWithPath: scratch.file("store"))
        let command = FaultCommand(
            try BuiltTool.find(), input: { _ in "secret" },
            arguments: { folder in
                let words = line.split(separator: " ").map { String($0).replacing("FOLDER", with: folder.path) }
                let named =
                    words.contains("-d") || words.contains("--database") || words.starts(with: ["migrate", "new"])
                    || words[0] == "archive"
                return words + (named ? [] : ["-d", folder.path + "/x"]) + ["--format", "json"]
            })
        func run(_ plan: FaultPlan) throws -> FaultOutcome {
            try? FileManager.default.removeItem(at: folder)
            try FileManager.default.copyItem(atPath: seed.folder.path, toPath: folder.path)
            if line.hasPrefix("migrate up") {
                let down = try scratch([
                    "migrate", "down", "--steps", "1", "--yes", "--no-backup", "-d", folder.path + "/x",
                ])
                #expect(down.code == 0)
            }
            return try FaultRun(command, in: folder, scratch: URL(fileURLWithPath: scratch.file("run")), plan: plan)
                .run()
        }
        let count = try run(.count)
        // What is refused on a good disk would be no test.
        let isRefused = line.hasPrefix("group leave")
        #expect(count.termination == .exit(0) || isRefused, "\(line): \(count.termination) \(count.errors)")
        if isRefused { return }
        var failures = 0
        for number in FaultSample.everyIfTortured(else: 10).pick(Array(1...max(1, count.operations))) {
            let outcome = try run(.fail(at: number, errno: ENOSPC, sticky: true))
            if outcome.termination == .exit(0) { continue }
            failures += 1
            let error = try #require(
                try JSONValue(parsing: outcome.errors.split(separator: "\n").last.map(String.init) ?? "")["error"],
                "\(line) \(number): \(outcome.errors)")
            let message = error["message"]?.stringValue?.replacing("//", with: "/") ?? ""
            #expect(
                message.contains(folder.path.replacing("//", with: "/")),
                "\(line) \(number): the path is missing: \(Self.short(error))")
            #expect(!message.contains(#/\d{4,} bytes/#), "\(line) \(number): raw bytes: \(Self.short(error))")
            #expect(error["state"] != nil, "\(line) \(number): the state is missing: \(Self.short(error))")
            #expect(error["hint"] != nil, "\(line) \(number): there is no hint: \(Self.short(error))")
            if error["state"]?.stringValue?.hasPrefix("Nothing was") == true {
                let before = try contents(URL(fileURLWithPath: seed.folder.path), scratch)
                if !line.hasPrefix("migrate up") {
                    #expect(try contents(folder, scratch) == before, "\(line) \(number): \(Self.short(error))")
                }
            }
        }
        #expect(failures > 0, "\(line)")
    }
}
