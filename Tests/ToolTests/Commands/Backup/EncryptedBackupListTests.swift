import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Lists and verification of backups with several passphrases. Rule: docs/encryption.md, "Writing".
@Suite(
    "backups with several passphrases", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedBackupListTests {
    /// A key in the place of a passphrase: no time goes into deriving it.
    private static func key(_ byte: String) -> String { "x'\(String(repeating: byte, count: 32))'" }

    /// The store `y` with the key of the file `new`, an older backup with that of `pass`, and a newer one with that of
    /// `new`. The key of `other` opens nothing. Returns the paths of the backups, the older one first.
    private func store() throws -> (EncryptedStore, older: String, newer: String) {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("other", Self.key("3f") + "\n")
        try store.write("new", Self.key("4f") + "\n")
        func backup(_ passphrase: String) throws -> String {
            let made = try store.run(
                "backup", "make", "-d", "y", "--passphrase-file", passphrase, "--format", "json")
            return try #require(try made.answer()["backup"]?["path"]?.stringValue, "\(made.errors)")
        }
        let older = try backup("pass")
        let changed = try store("passphrase", "change", "--new-passphrase-file", "new", "--yes")
        try #require(changed.code == 0, "\(changed.errors)")
        return (store, older, try backup("new"))
    }

    private func list(_ store: EncryptedStore, _ passphrase: String) throws -> (backups: [JSONValue], shown: String) {
        let words = ["backup", "list", "-d", "y", "--passphrase-file", passphrase]
        let answer = try store.run(words + ["--format", "json"])
        #expect(answer.code == 0, "\(answer.errors)")
        return (try answer.answer()["backups"]?.arrayValue ?? [], try store.run(words).output)
    }

    @Test("list marks what a passphrase opens, also one that does not open the store")
    func lists() throws {
        let (store, older, newer) = try store()
        let before = try store.run.folder.fingerprint()
        let ofStore = try list(store, "new")
        #expect(ofStore.backups.map { $0["otherPassphrase"] } == [false, true])
        #expect(ofStore.backups.allSatisfy { $0["ofThisStore"] == true })
        #expect(!ofStore.shown.contains("does not open the store"), "\(ofStore.shown)")
        #expect(!ofStore.shown.contains("that this passphrase opens"), "\(ofStore.shown)")

        let ofBackup = try list(store, "pass")
        #expect(ofBackup.backups.map { $0["otherPassphrase"] } == [true, false])
        #expect(ofBackup.backups.allSatisfy { $0["ofThisStore"] == .null })
        #expect(ofBackup.shown.contains("the given passphrase does not open the store"), "\(ofBackup.shown)")
        #expect(ofBackup.shown.contains("To restore the newest that this passphrase opens"), "\(ofBackup.shown)")
        let proposed = ofBackup.shown.split(separator: "\n").first { $0.hasPrefix("chatdb restore \(older)") } ?? ""
        #expect(proposed.contains("/y --force --passphrase-file "), "\(ofBackup.shown)")
        #expect(!ofBackup.shown.contains("chatdb restore \(newer)"), "\(ofBackup.shown)")

        let ofNothing = try list(store, "other")
        #expect(ofNothing.backups.map { $0["otherPassphrase"] } == [true, true])
        #expect(
            ofNothing.backups.allSatisfy { backup in
                backup["restore"]?.stringValue?.hasSuffix(" --force --passphrase-file FILE") ?? true
            }, "\(ofNothing.backups)")
        #expect(!ofNothing.shown.contains("To restore the newest"), "\(ofNothing.shown)")
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("prune and a limit on the number of backups keep the newest that the passphrase of the store opens")
    func prunes() throws {
        let (store, older, newer) = try store()
        let words = ["backup", "prune", "--keep", "1", "--yes", "-d", "y", "--passphrase-file"]
        // The newest backup of all has another passphrase than the store.
        let restored = try store.run(
            "restore", older, "-d", "y", "--passphrase-file", "pass", "--force", "--yes")
        try #require(restored.code == 0, "\(restored.errors)")
        let kept = try store.run(words + ["pass", "--dry-run", "--format", "json"]).answer()
        #expect(kept["kept"]?.texts == [older] && kept["removed"]?.texts == [], "\(kept)")
        #expect(kept["otherPassphrase"]?.texts == [newer], "\(kept)")
        let text = try store.run(words + ["pass"])
        #expect(text.code == 0 && text.output.contains("kept, other passphrase"), "\(text.output)")
        #expect(text.output.contains("neither counted nor removed"), "\(text.output)")
        let made = try store.run(
            "backup", "make", "-d", "y", "--passphrase-file", "pass", "--keep-backups", "1", "--format", "json")
        #expect(try made.answer()["removedBackups"]?.texts == [older], "\(made.errors)")
        #expect(FileManager.default.fileExists(atPath: newer))
    }

    @Test("a backup is marked by its own pages: SQLCipher keeps the salt of a database when it changes the passphrase")
    func sameSalt() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let made = try store("backup", "make", "--format", "json")
        try #require(made.code == 0, "\(made.errors)")
        try store.sqlcipher("c.execute('PRAGMA rekey = \"' + 'another' + '\"')")
        let found = try list(store, "pass")
        #expect(found.backups.map { $0["otherPassphrase"] } == [false])
        #expect(found.shown.contains("--force"), "\(found.shown)")
    }

    @Test("verify verifies the backups that open, and names the option for each other one")
    func verifies() throws {
        let (store, older, newer) = try store()
        let words = ["backup", "verify", "y.backups", "-d", "y", "--passphrase-file"]
        for (passphrase, other) in [("pass", newer), ("new", older)] {
            let run = try store.run(words + [passphrase, "--format", "json"])
            #expect(run.code == 1, "\(run.errors)")
            let answer = try run.answer()
            for backup in answer["backups"]?.arrayValue ?? [] {
                let isOther = backup["path"]?.stringValue == other
                #expect(backup["otherPassphrase"] == .bool(isOther), "\(backup)")
                #expect(backup["verified"] == .bool(!isOther), "\(backup)")
                #expect(backup["problems"]?.texts == (isOther ? ["it has another passphrase than the given one"] : []))
            }
            let note = answer["notes"]?.texts?.first ?? ""
            #expect(note.hasSuffix("chatdb backup verify \(other) --passphrase-file FILE"), "\(note)")
            let named = passphrase == "pass" ? "new" : "pass"
            #expect(try store.run("backup", "verify", other, "--passphrase-file", named).code == 0)
        }
        // The files of a backup that does not open are compared with its description.
        #expect(try store.run.shell("printf x >> '\(older)/y_chat.db'").code == 0)
        let damaged = try store.run(words + ["new", "--format", "json"]).answer()
        let problems = damaged["backups"]?.arrayValue?.last?["problems"]?.texts ?? []
        #expect(problems.count == 2 && problems.contains { $0.hasPrefix("y_chat.db has ") }, "\(problems)")
    }

    @Test("verify with a passphrase that opens no backup verifies the plain ones, and names the others")
    func plain() throws {
        let (store, _, _) = try store()
        let none = try store.run("backup", "verify", "-d", "y", "--passphrase-file", "other", "--format", "json")
        #expect(none.code == 1, "\(none.errors)")
        let closed = try none.answer()["backups"]?.arrayValue ?? []
        #expect(closed.count == 2 && closed.allSatisfy { $0["otherPassphrase"] == true }, "\(closed)")
        let note = try none.answer()["notes"]?.texts?.first ?? ""
        #expect(note.hasPrefix("give the passphrase of a backup that has another one"), "\(note)")
        let list = try store.run("backup", "list", "-d", "y", "--format", "json").answer()
        #expect(list["notes"]?.texts?.first?.hasPrefix("the store is encrypted, so chatdb does not know") == true)
        for backup in list["backups"]?.arrayValue ?? [] {
            let command = backup["restore"]?.stringValue ?? ""
            #expect(command.contains(" --passphrase-file FILE"), "\(list)")
        }
        let made = try store.run("backup", "make", "y.backups", "-d", "x", "--format", "json")
        let path = try made.answer()["backup"]?["path"]?.stringValue
        // The passphrase opens neither the store nor, as a plain one needs none, the backup.
        let shown = try self.list(store, "other").backups.first { $0["otherPassphrase"] == false }
        let plain = shown?["restore"]?.stringValue ?? "--passphrase-file"
        #expect(!plain.contains("--passphrase-file"), "\(plain)")
        let run = try store.run("backup", "verify", "-d", "y", "--passphrase-file", "other", "--format", "json")
        let backups = try run.answer()["backups"]?.arrayValue ?? []
        #expect(run.code == 1 && backups.count == 3, "\(run.errors)")
        #expect(backups.filter { $0["verified"] == true }.map { $0["path"]?.stringValue } == [path], "\(backups)")
    }

    @Test("prune of a store that is plain now says that its encrypted backups do not count")
    func pruneOfPlain() throws {
        let (store, _, _) = try store()
        let removed = try store.run("passphrase", "remove", "-d", "y", "--passphrase-file", "new", "--yes")
        try #require(removed.code == 0, "\(removed.errors)")
        let shown = try store.run("backup", "prune", "--keep", "1", "--dry-run", "-d", "y")
        #expect(shown.code == 0 && shown.output.contains("kept, encrypted"), "\(shown)")
        #expect(shown.output.contains("encrypted backups are neither counted nor removed"), "\(shown)")
        #expect(!shown.output.contains("passphrase of the store"), "\(shown)")
    }

    @Test("without a passphrase, list says which backups are encrypted, and verify verifies the plain ones")
    func withoutPassphrase() throws {
        let (store, older, newer) = try store()
        let made = try store.run("backup", "make", "y.backups", "-d", "x", "--format", "json")
        let plain = try #require(try made.answer()["backup"]?["path"]?.stringValue, "\(made.errors)")
        let list = try store.run("backup", "list", "-d", "y", "--format", "json").answer()["backups"]?.arrayValue ?? []
        #expect(list.map { $0["path"]?.stringValue } == [plain, newer, older], "\(list)")
        #expect(list.map { $0["encrypted"] } == [false, true, true], "\(list)")
        let shown = try store.run("backup", "list", "-d", "y").output
        #expect(shown.components(separatedBy: "complete, encrypted").count == 3, "\(shown)")

        let verify = ["backup", "verify", "-d", "y"]
        let run = try store.run(verify + ["--format", "json"])
        #expect(run.code == 1, "\(run.errors)")
        let backups = try run.answer()["backups"]?.arrayValue ?? []
        #expect(backups.map { $0["verified"] } == [true, false, false], "\(backups)")
        #expect(backups.map { $0["otherPassphrase"] } == [false, .null, .null], "\(backups)")
        let problem = "it is encrypted, and no passphrase was given"
        #expect(backups.map { $0["problems"]?.texts } == [[], [problem], [problem]], "\(backups)")
        let text = try store.run(verify)
        #expect(text.code == 1 && text.output.contains("--passphrase-file FILE or --passphrase-stdin"), "\(text)")

        // Files that were changed are found without the passphrase.
        #expect(try store.run.shell("printf x >> '\(older)/y_chat.db'").code == 0)
        let damaged = try store.run(verify + ["--format", "json"]).answer()["backups"]?.arrayValue?.last
        let problems = damaged?["problems"]?.texts ?? []
        #expect(problems.count == 2 && problems.contains { $0.hasPrefix("y_chat.db has ") }, "\(problems)")
    }

    @Test("if the passphrase is lost, list and restore name the newest backup that is not encrypted")
    func lost() throws {
        let run = try DemoStore.make()
        let store = EncryptedStore(in: run)
        try store.write("pass", Self.key("2f") + "\n")
        try store.write("other", Self.key("3f") + "\n")
        func backup(_ words: String...) throws -> String {
            let made = try run(["backup", "make", "-d", "x", "--format", "json"] + words)
            return try #require(try made.answer()["backup"]?["path"]?.stringValue, "\(made.errors)")
        }
        let plain = try backup()
        let set = try run("passphrase", "set", "-d", "x", "--new-passphrase-file", "pass", "--yes")
        try #require(set.code == 0, "\(set.errors)")
        let newer = try backup("--passphrase-file", "pass")
        let listed = try run("backup", "list", "-d", "x").output
        let commands = listed.split(separator: "\n").filter { $0.hasPrefix("chatdb restore ") }.map(String.init)
        try #require(commands.count == 2, "\(listed)")
        #expect(commands[0].contains(newer) && commands[0].hasSuffix("--passphrase-file FILE"), "\(listed)")
        #expect(commands[1].contains(plain) && commands[1].hasSuffix(" --force"), "\(listed)")
        #expect(listed.contains("To restore the newest that is not encrypted, if the passphrase is lost"))
        let known = try run("backup", "list", "-d", "x", "--passphrase-file", "pass").output
        #expect(!known.contains("not encrypted"), "\(known)")

        // The name of the copy, which is the newer of the two, is that of a backup from before lost rows.
        #expect(try run.shell("cp -rp '\(plain)' '\(plain)Z-lost-migrations'").code == 0)
        for passphrase in [[], ["--passphrase-file", "other"]] {
            let refused = try run(["restore", newer, "-d", "x", "--yes", "--format", "json"] + passphrase)
            let hint = try refused.refusal()["hint"]?.stringValue ?? ""
            let proposed = "if the passphrase is lost, chatdb restore \(plain) --force -d x restores the newest plain"
            #expect(hint.contains(proposed), "\(refused.errors)")
        }
        // The command would read the passphrase of the environment, and end.
        let named = try run(
            ["restore", newer, "-d", "x", "--yes", "--format", "json"],
            environment: ["CHATDB_PASSPHRASE_FILE": "other"])
        let error = try named.refusal()
        #expect(error["code"] == "wrongPassphrase", "\(error)")
        #expect(error["hint"]?.stringValue?.contains("newest plain backup") == false, "\(error)")
        let restored = try run.shell("$CHATDB \(commands[1].dropFirst("chatdb ".count)) --yes")
        #expect(restored.code == 0, "\(commands): \(restored.errors)")
        #expect(try run("user", "list", "-d", "x").output.contains("alice"))
    }

    @Test("verify without a passphrase finds files that were changed also if all backups are encrypted")
    func allEncrypted() throws {
        let (store, older, newer) = try store()
        let verify = ["backup", "verify", "-d", "y", "--format", "json"]
        func verified() throws -> [[String]?] {
            let run = try store.run(verify)
            let note = try run.answer()["notes"]?.texts?.first ?? ""
            #expect(run.code == 1 && note.contains("compared only sizes and SHA-256"), "\(run)")
            return try run.answer()["backups"]?.arrayValue?.map { $0["problems"]?.texts } ?? []
        }
        let problem = "it is encrypted, and no passphrase was given"
        #expect(try verified() == [[problem], [problem]])
        let damage = "printf 'other bytes' | dd of='\(newer)/y_agent.db' bs=1 seek=5000 conv=notrunc status=none"
        #expect(try store.run.shell(damage).code == 0)
        #expect(try verified() == [["y_agent.db was changed (its SHA-256 differs)", problem], [problem]])
        let alone = try store.run(verify + [older])
        #expect(try alone.code == 1 && alone.answer()["backups"]?.arrayValue?.count == 1, "\(alone)")
        // On a terminal, the passphrase may be omitted.
        let asked = try TerminalRun(["backup", "verify", older, "-d", "y"], in: store.run)
        _ = try asked.terminal.read(until: "(without it, press Enter): ")
        asked.terminal.type("\n")
        let end = try asked.end()
        #expect(end.code == 1 && end.answer.contains("compared only sizes and SHA-256"), "\(end)")
    }
}
