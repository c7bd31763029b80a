import ChatDBKit
import Foundation
import TestKit
import Testing

/// Commands that change an encrypted store in place. Rule: docs/encryption.md, "Writing".
@Suite(
    "changes of encrypted stores", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedChangeTests {
    /// Changes of the demo's store, in this order.
    static let changes = [
        ["user", "add", "bob", "--seed", "3"], ["user", "rename", "work", "office"], ["user", "activate", "bob"],
        ["relay", "add", DemoStore.third, "--name", "third", "-u", "alice"],
        ["relay", "disable", "third", "-u", "alice"], ["relay", "enable", "third", "-u", "alice"],
        ["relay", "edit", "third", "--name", "fourth", "-u", "alice"],
        ["relay", "delete", "fourth", "-u", "alice", "--yes"],
        ["server", "add", SimplexPhone.server, "-u", "alice"],
        ["server", "disable", "new.example.org", "-u", "alice"],
        ["server", "delete", "new.example.org", "-u", "alice", "--yes"],
        ["group", "create", "sport", "--relay", "mine", "-u", "alice"],
        ["group", "delete", "sport", "-u", "alice", "--yes"], ["user", "activate", "alice"],
        ["user", "delete", "bob", "--yes"],
    ]

    @Test("each command has the answer that it has for the plain store, and SQLCipher finds every page in order")
    func answers() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        var done = 0
        for command in Self.changes {
            let plain = try store.run(command + ["-d", "x"])
            let encrypted = try store.run(command + ["-d", "y", "--passphrase-file", "pass"])
            #expect(encrypted.code == plain.code, "\(command): \(plain.errors) \(encrypted.errors)")
            done += plain.code == 0 ? 1 : 0
        }
        #expect(done > 10)
        for query in [
            "SELECT local_display_name FROM users", "SELECT display_name, enabled, deleted FROM chat_relays",
        ] {
            let plain = try store.run("query", query, "-d", "x", "--show", "personal", "--format", "json").answer()
            let encrypted = try store("query", query, "--show", "personal", "--format", "json").answer()
            #expect(encrypted["rows"] == plain["rows"], "\(query)")
        }
        #expect(try store("check").code == store.run("check", "-d", "x").code)
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
    }

    @Test("no command writes a text of the store into a file in plain", .enabled(if: FaultShimLibrary.isSupported))
    func noPlainText() throws {
        let marker = "zqxMARKER"
        let plain = try DemoStore.make()
        try plain.succeed("relay", "add", DemoStore.third, "--name", "\(marker)relay", "-u", "alice")
        try plain.succeed("server", "add", SimplexPhone.server, "-u", "alice")
        let store = try EncryptedStore(of: plain)
        for name in ["chat", "agent"] { try FileManager.default.removeItem(atPath: store.run.file("x_\(name).db")) }
        let folder = store.run.folder.path
        try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: false)
        let preset = try TemporaryFolder()
        try Data(DemoStore.otherRelay.utf8).write(to: URL(fileURLWithPath: preset.file("p.txt")))
        for command in [
            ["user", "add", "\(marker)user"], ["relay", "disable", "\(marker)relay", "-u", "alice"],
            ["preset", "import", preset.file("p.txt"), "-u", "alice", "--yes"],
            ["group", "create", "\(marker)group", "--relay", "mine", "-u", "alice"],
            ["preset", "import", preset.file("p.txt"), "-u", "alice", "--mode", "replace", "--yes"],
            ["backup"], ["user", "activate", "alice"], ["user", "delete", "\(marker)user", "--yes"],
            ["preset", "sync", "--all-profiles", "--yes"],
        ] {
            let scratch = try TemporaryFolder()
            let log = URL(fileURLWithPath: scratch.file("log"))
            let variables = ["TMPDIR": folder + "/tmp", "HOME": folder + "/tmp", "XDG_DATA_HOME": folder + "/tmp"]
            let words = command + ["-d", folder + "/y", "--passphrase-file", folder + "/pass"]
            let outcome = try FaultRun(
                FaultCommand(try BuiltTool.find(), environment: variables) { _ in words },
                in: URL(fileURLWithPath: folder), scratch: URL(fileURLWithPath: scratch.path), plan: .log(to: log)
            ).run()
            #expect(outcome.termination == .exit(0), "\(command): \(outcome.errors)")
            #expect(outcome.unseen.isEmpty)
            for write in try OperationLog(contentsOf: log).operations where write.kind == .write {
                #expect(Data(write.bytes).range(of: Data(marker.utf8)) == nil, "\(command): \(write.path)")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [], "\(command)")
        }
        #expect(try !FileManager.default.contentsOfDirectory(atPath: folder).contains { $0.hasSuffix(".json") })
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
    }

    @Test("what a deletion or an import keeps is an encrypted backup, and its command brings the relay back")
    func undo() throws {
        let store = try EncryptedStore(of: DemoStore.finished())
        try store.run.succeed(
            "relay", "add", DemoStore.third, "--name", "third", "-u", "alice", "-d", "y", "--passphrase-file", "pass")
        let shown = try store("relay", "delete", "third", "-u", "alice", "--dry-run", "--format", "json").answer()
        #expect(shown["kept"]?["kind"] == "backup" && shown["kept"]?["path"] == .null)
        let deleted = try store("relay", "delete", "third", "-u", "alice", "--yes", "--format", "json").answer()
        #expect(deleted["kept"]?["kind"] == "backup")
        let command = try #require(deleted["kept"]?["command"]?.stringValue)
        #expect(command.contains("--passphrase-file /") && command.hasPrefix("chatdb restore "), "\(command)")
        let backup = try #require(deleted["kept"]?["path"]?.stringValue)
        #expect(try store.problems("\(backup)/y_chat.db") == "" && store.problems("\(backup)/y_agent.db") == "")
        #expect(try !store("relay", "list", "-u", "alice").output.contains("third"))
        let restored = try store.run.shell("$CHATDB \(command.dropFirst("chatdb ".count)) --yes")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try store("relay", "list", "-u", "alice").output.contains("third"))

        try store.write("preset.txt", DemoStore.otherRelay + "\n")
        let imported = try store("preset", "import", "preset.txt", "-u", "alice", "--yes", "--format", "json").answer()
        #expect(imported["before"]?["file"] == nil && imported["before"]?["backup"]?.stringValue != nil)
        let bare = try store("relay", "delete", "third", "-u", "alice", "--yes", "--no-backup", "--format", "json")
        #expect(try bare.answer()["kept"] == .null)
    }

    @Test("a wrong passphrase, none, and a program that writes the store: nothing changes")
    func refused() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("wrong", "x'\(String(repeating: "77", count: 32))'\n")
        let before = try store.run.folder.fingerprint()
        for command in [["user", "add", "bob"], ["relay", "disable", "mine", "-u", "alice"], ["check", "--fix"]] {
            let wrong = try store.run(command + ["-d", "y", "--passphrase-file", "wrong", "--format", "json"])
            #expect(try wrong.code == 66 && wrong.refusal()["code"] == "wrongPassphrase", "\(wrong.errors)")
            let none = try store.run(command + ["-d", "y", "--format", "json"])
            #expect(try none.code == 64 && none.refusal()["code"] == "encrypted", "\(none.errors)")
        }
        #expect(try store.run.folder.fingerprint() == before)
        #expect(try store("user", "add", "bob").code == 0)
    }

    @Test("a journal that SQLCipher left is rolled back before a change, which then is the only one")
    func journal() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let relays = try store("relay", "list", "-u", "alice").output
        try store.crash()
        #expect(try store("user", "add", "bob").code == 0)
        #expect(try store("relay", "list", "-u", "alice").output == relays)
        #expect(try store("user", "list").output.contains("bob"))
        #expect(!FileManager.default.fileExists(atPath: store.run.file("y_chat.db-journal")))
        #expect(try store.problems("y_chat.db") == "")
    }

    @Test("a service answers requests that change an encrypted store")
    func service() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let parameters = #"{"userId": 1, "chatRelayId": 7}"#
        let line = #"{"jsonrpc": "2.0", "id": 1, "method": "relays.disable", "params": \#(parameters)}"#
        let run = try store.run.shell("echo '\(line)' | $CHATDB serve -d y --passphrase-file pass")
        #expect(run.code == 0 && run.output.contains(#""result""#), "\(run.output) \(run.errors)")
        let query = ["query", "SELECT enabled FROM chat_relays WHERE chat_relay_id = 7", "--format", "csv"]
        let enabled = try store.run(query + ["-d", "y", "--passphrase-file", "pass"])
        #expect(enabled.output.contains("0"), "\(run.output) \(enabled.output)")
        #expect(try store.problems("y_chat.db") == "")
    }

    @Test("a store whose first page is torn is rolled back by a command that reads it first, and makes a backup")
    func tornFirstPage() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.crash()
        let torn = "dd if=/dev/urandom of=y_chat.db bs=1 seek=2048 count=2048 conv=notrunc status=none"
        #expect(try store.run.shell(torn).code == 0)
        let empty = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": []}}"#
        try Data(empty.utf8).write(to: URL(fileURLWithPath: store.run.file("e.json")))
        let done = try store("preset", "import", "e.json", "-u", "alice", "--mode", "replace", "--yes")
        #expect(done.code == 0 && done.output.contains("A backup of the store is in"), "\(done.errors)")
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
    }
}
