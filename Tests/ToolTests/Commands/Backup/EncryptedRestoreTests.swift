import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// The commands that restore backups and replaced files with another passphrase than that of the store.
/// Rule: docs/encryption.md, "Writing".
@Suite(
    "the restore of backups with another passphrase", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedRestoreTests {
    /// A key in the place of a passphrase: no time goes into deriving it.
    private static func key(_ byte: String) -> String { "x'\(String(repeating: byte, count: 32))'" }

    /// The store `y` with the key of the file `pass`, and the files `other` and `new` with other keys.
    private func store() throws -> EncryptedStore {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("other", Self.key("3f") + "\n")
        try store.write("new", Self.key("4f") + "\n")
        return store
    }

    private func backup(_ store: EncryptedStore, of name: String = "y", _ options: String...) throws -> String {
        let made = try store.run(["backup", "make", "y.backups", "-d", name, "--format", "json"] + options)
        return try #require(try made.answer()["backup"]?["path"]?.stringValue, "\(made.errors)")
    }

    private func change(_ store: EncryptedStore, _ options: String...) throws -> JSONValue {
        let words = ["passphrase", "change", "-d", "y", "--new-passphrase-file", "new", "--yes", "--format", "json"]
        let changed = try store.run(words + options)
        try #require(changed.code == 0, "\(changed.errors)")
        return try changed.answer()
    }

    /// Runs a proposed command.
    private func run(_ command: String, _ store: EncryptedStore) throws -> ToolRun.Outcome {
        try store.run.shell("$CHATDB \(command.dropFirst("chatdb ".count)) --yes")
    }

    @Test("after a change of the passphrase, the proposed restore of an older backup works, without a passphrase too")
    func proposed() throws {
        let store = try store()
        let older = try backup(store, "--passphrase-file", "pass")
        _ = try change(store, "--passphrase-file", "pass")
        let newer = try backup(store, "--passphrase-file", "new")
        let plain = try backup(store, of: "x")
        for given in [["--passphrase-file", "new"], []] {
            let words = ["backup", "list", "-d", "y", "--format", "json"] + given
            let listed = try store.run(words).answer()["backups"]?.arrayValue ?? []
            #expect(listed.count == 3)
            for one in listed {
                let command = one["restore"]?.stringValue ?? ""
                let isOlder = one["path"]?.stringValue == older
                #expect(command.contains(" --force ") == isOlder, "\(command)")
                #expect(command.hasSuffix("--passphrase-file FILE") == (isOlder || given.isEmpty), "\(command)")
                let file = isOlder ? "pass" : "new"
                #expect(try store.run.shell("mkdir kept; cp -p y_*.db kept").code == 0)
                let completed = command.replacing("--passphrase-file FILE", with: "--passphrase-file \(file)")
                let restored = try run(completed, store)
                #expect(restored.code == 0, "\(command): \(restored.errors)")
                #expect(try store.run.shell("cp -p kept/* .; rm -r kept y.replaced-*").code == 0)
            }
        }
        // If the passphrase opens no backup, the list for people has the command too.
        #expect(try store.run.shell("rm -r '\(newer)' '\(plain)'").code == 0)
        let shown = try store.run("backup", "list", "-d", "y", "--passphrase-file", "new").output
        #expect(shown.contains("To restore the newest\nchatdb restore \(older) "), "\(shown)")
        #expect(shown.contains(" --force --passphrase-file FILE"), "\(shown)")
    }

    @Test("backup list with a passphrase that does not open the store proposes no backup with it")
    func wrongPassphrase() throws {
        let store = try store()
        func list(_ file: String) throws -> String {
            try store.run("backup", "list", "-d", "y", "--passphrase-file", file).output
        }
        #expect(try list("pass").contains("no backups; chatdb backup make -d y --passphrase-file pass makes one"))
        let wrong = try list("other")
        #expect(wrong.contains("no backups") && !wrong.contains("backup make"), "\(wrong)")
        #expect(wrong.contains("note: the given passphrase does not open the store\n"), "\(wrong)")
        _ = try backup(store, "--passphrase-file", "pass")
        try store.encrypt("chat", with: Self.key("3f"))
        for file in ["pass", "other"] {
            let half = try list(file)
            #expect(half.contains("passphrase opens only one of the two databases of the store, so"), "\(half)")
        }
        #expect(try list("new").contains("the given passphrase does not open the store, so"))
    }

    @Test("with a passphrase that opens nothing, restore names a missing folder, and proposes no --force twice")
    func opensNothing() throws {
        let store = try store()
        let kept = try backup(store, "--passphrase-file", "pass")
        let plain = try backup(store, of: "x")
        func refusal(_ folder: String) throws -> JSONValue {
            try store.run(
                "restore", folder, "-d", "y", "--passphrase-file", "other", "--force", "--yes", "--format", "json"
            ).refusal()
        }
        let before = try store.run.folder.fingerprint()
        let missing = try refusal(fileName(of: kept))
        #expect(missing["code"] == "backupNotFound", "\(missing)")
        #expect(missing["hint"]?.stringValue?.hasPrefix("chatdb restore \(kept) ") == true, "\(missing)")
        let neither = try refusal(kept)
        let message = neither["message"]?.stringValue ?? ""
        #expect(message.hasPrefix("the passphrase opens neither the backup"), "\(neither)")
        let needed = "give the passphrase of the backup with --passphrase-file FILE or --passphrase-stdin"
        #expect(neither["hint"]?.stringValue == needed, "\(neither)")
        let over = try refusal(plain)["hint"]?.stringValue ?? ""
        #expect(over.hasPrefix("if the passphrase of the store is lost, omit it: "), "\(over)")
        #expect(try store.run.folder.fingerprint() == before)
        let omitted = try store.run("restore", plain, "-d", "y", "--force", "--yes")
        #expect(omitted.code == 0, "\(omitted.errors)")
    }

    @Test("the replaced files of a store with two passphrases are restored with the commands of the hint")
    func twoPassphrases() throws {
        let store = try store()
        try store.encrypt("chat", with: Self.key("3f"))
        let changed = try change(store, "--passphrase-file", "pass", "--other-passphrase-file", "other")
        let replaced = try #require(changed["replaced"]?.stringValue)
        let later = try store.run("user", "add", "later", "-d", "y", "--passphrase-file", "new")
        try #require(later.code == 0, "\(later.errors)")
        for (first, second) in [("new", ""), ("other", "pass"), ("pass", "other")] {
            let refused = try store.run(
                "restore", replaced, "-d", "y", "--passphrase-file", first, "--yes", "--format", "json")
            let hint = try refused.refusal()["hint"]?.stringValue ?? ""
            #expect(refused.code == 66, "\(refused.errors)")
            if second.isEmpty {
                #expect(hint.hasPrefix("the backup has another passphrase than the store"), "\(hint)")
                continue
            }
            let commands = hint.matches(of: #/chatdb .*?(?= gives both one| restores them)/#).map { String($0.0) }
            try #require(commands.count == 2, "\(hint)")
            let copied = try store.run.shell("cp -rp '\(replaced)' kept")
            #expect(copied.code == 0)
            let one = try run(
                commands[0].replacing("FILE", with: second).replacing("NEW", with: "new"), store)
            #expect(one.code == 0, "\(commands): \(one.errors)")
            let restored = try run(commands[1].replacing("NEW", with: "new"), store)
            #expect(restored.code == 0, "\(commands): \(restored.errors)")
            let users = try store.run("user", "list", "-d", "y", "--passphrase-file", "new")
            #expect(users.code == 0 && users.output.contains("alice"), "\(users)")
            #expect(!users.output.contains("later"), "\(users.output)")
            #expect(try store.run.shell("rm -r '\(replaced)'; mv kept '\(replaced)'").code == 0)
        }
    }

    @Test("the answer of a restore over a store with a log, and a restore of the replaced files, name the log")
    func log() throws {
        let store = try store()
        let backup = try backup(store, "--passphrase-file", "pass")
        try store.sqlcipher("c.executescript('PRAGMA journal_mode = wal; CREATE TABLE f (a)')\nkill()")
        try #require(FileManager.default.fileExists(atPath: store.run.file("y_chat.db-wal")))
        let words = ["-d", "y", "--passphrase-file", "pass", "--force", "--yes"]
        let restored = try store.run(["restore", backup] + words)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(restored.output.contains("one of the databases has a write-ahead log"), "\(restored.output)")
        #expect(!restored.output.contains("is damaged"), "\(restored.output)")

        let names = try FileManager.default.contentsOfDirectory(atPath: store.run.folder.path)
        let folder = try #require(names.first { $0.hasPrefix("y.replaced-") }, "\(names)")
        let refused = try store.run(["restore", folder, "--format", "json"] + words)
        let error = try refused.refusal()
        #expect(refused.code == 66 && error["code"] == "encryptedUnsupported", "\(refused.errors)")
        let hint = error["hint"]?.stringValue ?? ""
        let steps = "move the files of the store to another folder; then copy those of \(folder) to their place, each "
        #expect(hint.hasPrefix(steps), "\(error)")
        let copied = try store.run.shell("mkdir away && mv y_*.db* away && cp -p \(folder)/y_* .")
        #expect(copied.code == 0, "\(copied.errors)")
        try store.sqlcipher("c.execute('PRAGMA journal_mode = DELETE').fetchall()")
        #expect(try store.run("user", "list", "-d", "y", "--passphrase-file", "pass").code == 0)
    }

    @Test("the note about an older version after restore --force has the file of the passphrase that the store has now")
    func older() throws {
        let run = try ToolRun()
        let store = EncryptedStore(in: run)
        try store.write("pass", Self.key("2f") + "\n")
        try store.write("new", Self.key("4f") + "\n")
        let made = try run.shell(
            """
            set -e
            $CHATDB migrate up -d y --encrypt --to 20260316_relay_soft_delete --passphrase-file pass --yes -q
            $CHATDB backup make b -d y --passphrase-file pass -q
            $CHATDB passphrase change -d y --passphrase-file pass --new-passphrase-file new --yes -q
            $CHATDB restore b/* -d y --passphrase-file pass --force --yes --format json > answer
            """)
        try #require(made.code == 0, "\(made.errors)")
        let answer = try JSONValue(parsing: String(contentsOfFile: run.file("answer"), encoding: .utf8))
        let note = answer["notes"]?.texts?.first { $0.contains("chatdb migrate up") } ?? ""
        #expect(note.hasSuffix("/pass upgrades it"), "\(answer)")
        #expect(answer["undo"]?.stringValue?.hasSuffix("--force --passphrase-file FILE") == true, "\(answer)")
    }
}
