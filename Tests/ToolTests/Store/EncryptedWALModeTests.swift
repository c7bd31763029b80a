import ChatDBKit
import Foundation
import TestKit
import Testing

/// Encrypted stores that another program has put into WAL mode, and closed. Rule: docs/encryption.md, "Writing".
@Suite(
    "encrypted stores in WAL mode", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedWALModeTests {
    /// Puts the chat database of `y` into WAL mode. The connection closes it, and so removes the log.
    private func setMode(_ store: EncryptedStore) throws {
        try store.sqlcipher("c.execute('PRAGMA journal_mode = wal').fetchall()\nc.close()")
        try #require(!FileManager.default.fileExists(atPath: store.run.file("y_chat.db-wal")))
    }

    private func bytes(_ store: EncryptedStore) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: store.run.file("y_chat.db")))
    }

    @Test("reading commands, backup make and backup verify keep the mode, and the restore of such a backup works")
    func restored() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try setMode(store)
        let before = try bytes(store)
        #expect(try store("check").code == store.run("check", "-d", "x").code)
        let made = try store("backup", "make", "y.backups", "--format", "json")
        let backup = try #require(try made.answer()["backup"]?["path"]?.stringValue, "\(made.errors)")
        #expect(try store("backup", "verify").code == 0)
        #expect(try store("restore", backup, "--dry-run").code == 0)
        #expect(try bytes(store) == before)

        let restored = try store("restore", backup, "--yes", "--format", "json")
        #expect(restored.code == 0, "\(restored.errors)")
        let added = try store("relay", "add", DemoStore.third, "--name", "third", "-u", "alice")
        #expect(added.code == 0, "\(added.errors)")
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
        #expect(try store("backup", "verify").code == 0)
    }

    @Test("a command that writes puts the database into rollback mode, and a dry run does not")
    func written() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try setMode(store)
        let before = try bytes(store)
        let dryRun = ["relay", "delete", "mine", "-u", "alice", "--dry-run"]
        let shown = try store.run(dryRun + ["-d", "y", "--passphrase-file", "pass"])
        #expect(try shown.code == store.run(dryRun + ["-d", "x"]).code, "\(shown.errors)")
        #expect(try bytes(store) == before)
        for command in EncryptedChangeTests.changes {
            let plain = try store.run(command + ["-d", "x"])
            let encrypted = try store.run(command + ["-d", "y", "--passphrase-file", "pass"])
            #expect(encrypted.code == plain.code, "\(command): \(plain.errors) \(encrypted.errors)")
        }
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
        try store.sqlcipher("assert c.execute('PRAGMA journal_mode').fetchone()[0] == 'delete'")
    }

    @Test("while a program has the database open and does nothing, the hint of a command that writes says to close it")
    func held() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try setMode(store)
        let words = "user add bob -d y --passphrase-file pass --format json"
        let run = try store.run.shell(
            """
            '\(EncryptedStore.python ?? "python3")' - "$CHATDB" <<'END'
            import subprocess, sys, sqlcipher3
            c = sqlcipher3.connect('y_chat.db', isolation_level=None)
            c.execute("PRAGMA key = '%s'" % open('pass').read().strip('\\n').replace("'", "''"))
            c.execute('SELECT count(*) FROM sqlite_master').fetchall()
            sys.exit(subprocess.run([sys.argv[1]] + '\(words)'.split()).returncode)
            END
            """)
        let error = try run.refusal()
        #expect(run.code == 75 && error["code"] == "storeLocked", "\(run.errors)")
        #expect(error["message"]?.stringValue?.contains("by python") == true, "\(error)")
        #expect(error["hint"]?.stringValue?.hasPrefix("close the other program") == true, "\(error)")
        // The program has ended.
        let again = try store.run.shell("$CHATDB \(words)")
        #expect(again.code == 0, "\(again.errors)")
    }

    @Test("chatdb writes none of SimpleX Chat in WAL mode, as it writes no plain one, and gives the reason")
    func simplex() throws {
        let phone = try SimplexPhone()
        for name in ["chat", "agent"] {
            try EncryptedStore.encrypt(
                "simplex_v1_\(name).db", to: "y_\(name).db", with: EncryptedStore.key, in: phone.run)
        }
        let store = EncryptedStore(in: phone.run)
        try store.write("pass", EncryptedStore.key + "\n")
        try setMode(store)
        let before = try bytes(store)
        let refused = try store.refusal("server", "add", SimplexPhone.server, "-d", "y", "--passphrase-file", "pass")
        #expect(refused.code == "simplexJournal" && refused.text.contains("it is in WAL mode"), "\(refused.text)")
        #expect(try bytes(store) == before)
    }
}
