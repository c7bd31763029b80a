import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// What commands say about encrypted stores in unusual states: hints, remedies and notes that can be followed as they
/// are. Rule: docs/encryption.md.
@Suite(
    "advice about passphrases", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct PassphraseAdviceTests {
    /// A key in the place of a passphrase: no time goes into deriving it.
    private static func key(_ byte: String) -> String { "x'\(String(repeating: byte, count: 32))'" }

    /// The demo's store `y`, encrypted, with the files `pass` of its key, and `other` and `new` of two other keys.
    private func store() throws -> EncryptedStore {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("other", Self.key("3f") + "\n")
        try store.write("new", Self.key("4f") + "\n")
        return store
    }

    // MARK: Two passphrases

    private static let onePassphrase =
        "chatdb passphrase change --other-passphrase-file FILE --new-passphrase-file NEW -d y --passphrase-file pass"

    @Test(
        "commands on a store with two passphrases name the command that makes them one, with the options of the user",
        arguments: [
            ["user", "list"], ["relay", "list"], ["backup", "make"], ["migrate", "status"], ["query", "SELECT 1"],
            ["passphrase", "remove", "--yes"], ["user", "add", "bob"], ["migrate", "run", "--yes"],
        ])
    func two(_ command: [String]) throws {
        let store = try store()
        try store.encrypt("chat", with: Self.key("3f"))
        let before = try store.run.folder.fingerprint()
        let refused = try store.run(command + ["-d", "y", "--passphrase-file", "pass", "--format", "json"])
        let error = try refused.refusal()
        #expect(error["code"] == "wrongPassphrase" && refused.code == 66, "\(command): \(refused.errors)")
        #expect(error["hint"]?.stringValue?.hasPrefix("\(Self.onePassphrase) takes") == true, "\(command): \(error)")
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("check and inspect of a store with two passphrases name that command, and neither salvage nor --only")
    func twoChecked() throws {
        let store = try store()
        try store.encrypt("chat", with: Self.key("3f"))
        let checked = try store("check", "--format", "json")
        let findings = try checked.answer()["findings"]?.arrayValue ?? []
        let remedy = findings.first { $0["id"] == "unreadableDatabase" }?["remedy"]?.stringValue ?? ""
        #expect(checked.code == 1 && remedy.contains("\(Self.onePassphrase) takes"), "\(findings)")
        #expect(!remedy.contains("salvage") && !remedy.contains("--only"), "\(remedy)")
        #expect(remedy.contains("chatdb restore FOLDER --force -d y --passphrase-file pass"), "\(remedy)")
        let archive = try store.run.archived(store, "y")
        #expect(archive.contains("archive.zip --to FOLDER") && archive.contains("change -d FOLDER"), "\(archive)")
        #expect(archive.contains("--other-passphrase-file FILE --new-passphrase-file NEW"), "\(archive)")
        // The remedy names the same command with another path. Both words are filled in, and nothing else.
        let next = try store("inspect", "--format", "json").answer()["next"]?.texts?.first ?? ""
        let command = "chatdb passphrase change --other-passphrase-file FILE -d "
        #expect(next.hasPrefix(command) && next.contains("--new-passphrase-file NEW"), "\(next)")
        let line = next.replacing("FILE", with: "other").replacing("NEW", with: "new")
        let changed = try store.run.shell("$CHATDB \(line.dropFirst("chatdb ".count)) --yes")
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(try store.run("user", "list", "-d", "y", "--passphrase-file", "new").code == 0)
    }

    // MARK: A killed change

    @Test("check and inspect name the plain files that a killed remove left, and the next change removes them")
    func killed() throws {
        let store = try store()
        // The state of a remove of `y` that was killed before its record: `x` has the plain form.
        let left = try store.run.shell("mkdir y.restoring; cp x_chat.db y.restoring/y_chat.db; touch y.lock")
        try #require(left.code == 0, "\(left.errors)")
        let folder = store.run.file("y.restoring")
        let before = try store.run.folder.fingerprint()
        func finding(_ run: ToolRun.Outcome) throws -> JSONValue? {
            try run.answer()["findings"]?.arrayValue?.first { $0["id"] == "abandonedFiles" }
        }
        let found = try #require(try finding(store("check", "--format", "json")))
        #expect(found["severity"] == "warning" && found["sample"]?.texts == ["y.restoring/y_chat.db (plain)"])
        let remedy = found["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("the files are copies in plain text. rm -r "), "\(remedy)")
        let warnings = try store("inspect", "--format", "json").answer()["warnings"]?.texts ?? []
        #expect(warnings.contains { $0.contains("left plain copies of databases in ") }, "\(warnings)")
        #expect(try store.run.folder.fingerprint() == before)
        // A process that has the lock may be making the files.
        let running = try store.run.shell(
            "flock -x y.lock $CHATDB check -d y --passphrase-file pass --format json")
        #expect(try finding(running) == nil, "\(running.errors)")

        let changed = try store("passphrase", "change", "--new-passphrase-file", "new", "--yes")
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(!FileManager.default.fileExists(atPath: folder))
        let after = try store.run("check", "-d", "y", "--passphrase-file", "new", "--format", "json")
        #expect(try finding(after) == nil, "\(after.errors)")
    }

    @Test("check names an empty folder of replaced files that a killed change left, and the next change removes it")
    func emptyFolder() throws {
        let store = try store()
        try #require(store.run.shell("mkdir y.replaced-20260101T000000Z").code == 0)
        let answer = try store("check", "--format", "json").answer()
        let found = answer["findings"]?.arrayValue?.first { $0["id"] == "abandonedFiles" }
        #expect(found?["sample"]?.texts == ["y.replaced-20260101T000000Z (empty)"], "\(answer)")
        #expect(found?["remedy"]?.stringValue?.hasPrefix("rmdir ") == true, "\(answer)")
        #expect(found?["remedy"]?.stringValue?.contains(" removes the empty folder, ") == true, "\(answer)")
        func warnings() throws -> String {
            try (store("inspect", "--format", "json").answer()["warnings"]?.texts ?? []).joined(separator: "\n")
        }
        #expect(try warnings().contains(", and left the empty folder "))
        try #require(store.run.shell("mkdir y.replaced-20260102T000000Z").code == 0)
        #expect(try warnings().contains(", and left the empty folders "))
        try #require(store.run.shell("mkdir y.restoring; cp x_chat.db y.restoring/y_chat.db").code == 0)
        let both = try warnings()
        #expect(both.contains("left plain copies of databases in "), "\(both)")
        #expect(both.contains(", and the empty folders "), "\(both)")
        let changed = try store("passphrase", "change", "--new-passphrase-file", "new", "--yes")
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(!FileManager.default.fileExists(atPath: store.run.file("y.replaced-20260101T000000Z")))
    }

    // MARK: A second change

    @Test("the hint after a second set has a word for each passphrase that was not given, and no consent")
    func again() throws {
        let store = try store()
        func hint(_ words: [String], _ code: String) throws -> String {
            let refused = try store.run(["passphrase"] + words + ["--format", "json"])
            let error = try refused.refusal()
            #expect(refused.code == 1 && error["code"]?.stringValue == code, "\(words): \(refused.errors)")
            return error["hint"]?.stringValue ?? ""
        }
        let set = ["set", "-d", "y", "--yes"]
        var found = try hint(set + ["--new-passphrase-file", "new"], "alreadyEncrypted")
        var command = "passphrase change --passphrase-file FILE -d y --new-passphrase-file new"
        #expect(found == "chatdb \(command) changes its passphrase")
        let changed = try store.run.shell("$CHATDB \(command.replacing("FILE", with: "pass")) --yes")
        #expect(changed.code == 0, "\(changed.errors)")
        found = try hint(set + ["--passphrase-file", "new"], "alreadyEncrypted")
        #expect(
            found == "chatdb passphrase change --new-passphrase-file NEW -d y --passphrase-file new changes its "
                + "passphrase")

        let remove = ["remove", "-d", "y", "--passphrase-file", "new"]
        #expect(try store.run(["passphrase"] + remove + ["--yes"]).code == 0)
        #expect(try hint(remove + ["--yes"], "notEncrypted") == "there is nothing to do")
        found = try hint(["change"] + remove.dropFirst() + ["--yes"], "notEncrypted")
        command = "passphrase set --new-passphrase-file NEW -d y"
        #expect(found == "chatdb \(command) encrypts the store")
        let encrypted = try store.run.shell("$CHATDB \(command.replacing("NEW", with: "other")) --yes")
        #expect(encrypted.code == 0, "\(encrypted.errors)")
        #expect(try store.run("user", "list", "-d", "y", "--passphrase-file", "other").code == 0)
        #expect(try hint(set, "alreadyEncrypted").contains("--passphrase-file FILE --new-passphrase-file NEW"))
    }

    @Test("a second change says that the store has the new passphrase already")
    func secondChange() throws {
        let store = try store()
        let words = [
            "passphrase", "change", "-d", "y", "--passphrase-file", "pass", "--new-passphrase-file", "new", "--yes",
        ]
        #expect(try store.run(words).code == 0)
        let before = try store.run.folder.fingerprint()
        let again = try store.run(words + ["--format", "json"])
        #expect(try again.code == 1 && again.refusal()["code"] == "samePassphrase", "\(again.errors)")
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("if the first passphrase opens nothing, the error says what the other one opens")
    func firstPassphrase() throws {
        let store = try store()
        let words = ["passphrase", "change", "-d", "y", "--new-passphrase-file", "new", "--yes", "--format", "json"]
        func refusal(_ first: String, _ other: String) throws -> JSONValue {
            let run = try store.run(words + ["--passphrase-file", first, "--other-passphrase-file", other])
            #expect(run.code == 66, "\(run.errors)")
            return try run.refusal()
        }
        let both = try refusal("other", "pass")
        #expect(both["code"] == "wrongPassphrase", "\(both)")
        #expect(both["message"]?.stringValue?.contains("y_chat.db and ") == true, "\(both)")
        #expect(both["hint"] == "give the file of --other-passphrase-file with --passphrase-file instead")
        let none = try refusal("other", "other")
        #expect(none["message"]?.stringValue?.hasPrefix("neither the passphrase nor ") == true, "\(none)")
        let missing = try refusal("nosuch", "pass")
        #expect(missing["code"] == "fileNotFound", "\(missing)")
        try store.write("lines", "other\n\nlines\n")
        let several = try refusal("lines", "other")
        #expect(several["hint"]?.stringValue?.hasPrefix("lines has several lines") == true, "\(several)")
        try store.encrypt("chat", with: Self.key("5f"))
        let one = try refusal("other", "pass")
        #expect(one["message"]?.stringValue?.contains("y_agent.db") == true, "\(one)")
        #expect(one["hint"] == "--passphrase-file takes the passphrase of the other database")
    }

    @Test("commands that write say that nothing was changed if the passphrase is wrong, and those that read do not")
    func unchanged() throws {
        let store = try store()
        let change = ["passphrase", "change", "--new-passphrase-file", "new", "--yes"]
        let writing = [
            ["backup"], ["migrate", "run", "--yes"], change, ["passphrase", "remove", "--yes"], ["user", "add", "bob"],
        ]
        for command in writing + [["user", "list"], ["profile", "list"], ["channel", "list"], ["relay", "list"]] {
            let words = command + ["-d", "y", "--format", "json", "--passphrase-file"]
            let state: JSONValue = writing.contains(command) ? "Nothing was changed." : .null
            for (file, code) in [("other", "wrongPassphrase"), ("nosuch", "fileNotFound")] {
                let run = try store.run(words + [file])
                let error = try run.refusal()
                #expect(error["code"]?.stringValue == code, "\(command): \(run.errors)")
                #expect((error["state"] ?? .null) == state, "\(command): \(run.errors)")
            }
        }
    }

    @Test("the error of a locked encrypted database names the program that has the lock")
    func locked() throws {
        let store = try store()
        let run = try store.run.shell(
            """
            '\(EncryptedStore.python ?? "python3")' - "$CHATDB" <<'END'
            import fcntl, subprocess, sys
            agent = open('y_agent.db', 'r+b')
            # The bytes that SQLite locks to write.
            fcntl.lockf(agent, fcntl.LOCK_EX, 512, 0x40000000)
            words = 'passphrase change -d y --passphrase-file pass --new-passphrase-file new --yes --lock-timeout 1'
            sys.exit(subprocess.run([sys.argv[1]] + words.split() + ['--format', 'json']).returncode)
            END
            """)
        let error = try run.refusal()
        #expect(error["code"] == "storeLocked", "\(run.errors)")
        #expect(error["message"]?.stringValue?.contains(" by python") == true, "\(run.errors)")
        #expect(error["state"] == "Nothing was changed.", "\(run.errors)")
    }

    @Test("on a terminal, an empty passphrase is asked for again, and an empty new one is not asked for twice")
    func empty() throws {
        let store = try store()
        let list = try TerminalRun(["user", "list", "-d", "y"], in: store.run, answer: .shown)
        _ = try list.terminal.read(until: "Passphrase of ") + list.terminal.read(until: ": ")
        list.terminal.type("\n")
        _ = try list.terminal.read(until: "That passphrase is empty.\nPassphrase of ")
        list.terminal.type(EncryptedStore.key + "\n")
        let listed = try list.end()
        #expect(listed.code == 0 && listed.shown.contains("alice"), "\(listed.shown)")
        let change = try TerminalRun(
            ["passphrase", "change", "-d", "y", "--passphrase-file", "pass", "--yes"], in: store.run, answer: .shown)
        _ = try change.terminal.read(until: "New passphrase of ") + change.terminal.read(until: ": ")
        change.terminal.type("\n")
        let changed = try change.end()
        #expect(changed.code == 65 && !changed.shown.contains("Again"), "\(changed.shown)")
    }

    // MARK: Plain copies

    @Test("set has one command that removes all plain copies after a backup, and no folder that has other files")
    func plainCopies() throws {
        let run = try DemoStore.make()
        let store = EncryptedStore(in: run)
        try store.write("pass", EncryptedStore.key + "\n")
        try run.succeed("backup", "make")
        try store.write("x.backups/notes.txt", "keep\n")
        try store.write("x-deleted-20260101T000000Z.json", "{}\n")
        let set = ["passphrase", "set", "-d", "x", "--new-passphrase-file", "pass", "--yes"]
        let done = try run(set + ["--format", "json"])
        let copies = try done.answer()["plainCopies"]?.texts ?? []
        try #require(copies.count == 2 && copies[0].contains("x.backups/x-"), "\(copies) \(done.errors)")
        let notes = try done.answer()["notes"]?.texts ?? []
        for copy in copies { #expect(notes.contains("\(copy) holds content of the store in plain text")) }
        #expect(notes.contains("the replaced files hold the content in plain text"))
        let replaced = try #require(try done.answer()["replaced"]?.stringValue)
        let removal = "rm -r \(replaced) \(copies[0]) \(copies[1])"
        let advice = try #require(notes.first { $0.contains("remove the plain copies") }, "\(notes)")
        #expect(advice.hasPrefix("the store has no encrypted backup; make one first: chatdb backup make -d /"))
        #expect(
            advice.contains("/pass; when the encrypted store works, ") && advice.hasSuffix(": \(removal)"), "\(advice)")
        #expect(try run.shell(removal).code == 0)
        #expect(FileManager.default.fileExists(atPath: run.file("x.backups/notes.txt")))
        #expect(try store.run("user", "list", "-d", "x", "--passphrase-file", "pass").code == 0)
    }

    @Test("a plain copy of an adopted database is found by the name of the database")
    func adoptedCopies() throws {
        let run = try ToolRun()
        let folder = run.file("app.sqlite.replaced-1")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for name in ["app.sqlite", "notes.txt", "x_chat.db"] {
            try Data("SQLite".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        }
        let location = try StoreLocation(files: [.chat: run.file("app.sqlite")])
        let found = StoreCopies.databases(in: folder, of: location)
        #expect(found.map { fileName(of: $0) } == ["app.sqlite", "x_chat.db"])
    }

    // MARK: Interrupted changes

    /// The store `y` after the record of a change to the passphrase of `new`, and before the first move.
    private func interrupted() throws -> EncryptedStore {
        let store = try store()
        try store.interruptChange()
        return store
    }

    @Test("the answer in JSON says which change was completed, and why the exit code is 1")
    func completed() throws {
        for (given, isRequested) in [("other", false), ("new", true)] {
            let store = try interrupted()
            let run = try store.run(
                "passphrase", "change", "-d", "y", "--passphrase-file", "pass", "--new-passphrase-file", given, "--yes",
                "--format", "json")
            #expect(run.code == (isRequested ? 0 : 1), "\(run.errors)")
            let answer = try run.answer()
            #expect(answer["completed"] == true && answer["change"] == "change" && answer["applied"] == true)
            #expect(answer["requested"] == .bool(isRequested))
            let notes = answer["notes"]?.texts ?? []
            #expect(notes.contains { $0.contains("this command made none of its own") } == !isRequested, "\(notes)")
        }
    }

    @Test("with the new passphrase too, commands say that the change was interrupted")
    func newPassphrase() throws {
        let store = try interrupted()
        for command in [["inspect"], ["check"], ["user", "list"], ["migrate", "run", "--yes"]] {
            let run = try store.run(command + ["-d", "y", "--passphrase-file", "new", "--format", "json"])
            #expect(try run.code == 78 && run.refusal()["code"] == "interruptedPassphraseChange", "\(run.errors)")
        }
    }

    @Test("a new passphrase that cannot be read ends the command before an interrupted change is completed")
    func unreadable() throws {
        let store = try interrupted()
        try store.write("empty", "")
        let before = try store.run.folder.fingerprint()
        for file in ["missing", "empty"] {
            let run = try store.run(
                "passphrase", "change", "-d", "y", "--passphrase-file", "pass", "--new-passphrase-file", file, "--yes")
            #expect(run.code != 0 && !run.errors.isEmpty)
            #expect(try store.run.folder.fingerprint() == before, "\(file)")
        }
    }

    @Test("the error about a backup from before a change says that it has another passphrase, and names the option")
    func otherPassphraseOfBackup() throws {
        let store = try store()
        let changed = try store.run.shell(
            """
            set -e
            $CHATDB backup make b -d y --passphrase-file pass -q > answer; mv b/* kept
            $CHATDB passphrase change -d y --passphrase-file pass --new-passphrase-file new --yes -q > answer
            """)
        try #require(changed.code == 0, "\(changed.errors)")
        let words = ["restore", "kept", "--passphrase-file", "new", "--yes", "--format", "json", "-d"]
        // The passphrase opens the store.
        let over = try store.run(words + ["y"])
        #expect(try over.code == 66 && over.refusal()["code"] == "wrongPassphrase", "\(over.errors)")
        let hint = try over.refusal()["hint"]?.stringValue ?? ""
        #expect(hint.contains("the backup has another passphrase than the store"), "\(hint)")
        let command = "chatdb restore kept --force --passphrase-file FILE -d y"
        #expect(hint.contains(command), "\(hint)")
        // There is no store.
        let alone = try store.run(words + ["lost"])
        #expect(try alone.code == 66 && alone.refusal()["code"] == "wrongPassphrase", "\(alone.errors)")
        let other = try alone.refusal()["hint"]?.stringValue ?? ""
        #expect(other.hasPrefix("the backup was made with another passphrase, such as an earlier one"), "\(other)")
        #expect(other.contains("--passphrase-file FILE"), "\(other)")
        let proposed = command.dropFirst("chatdb ".count).replacing("FILE", with: "pass")
        let restored = try store.run.shell("$CHATDB \(proposed) --yes")
        #expect(restored.code == 0, "\(restored.errors)")
    }
}

extension ToolRun {
    /// The remedy of `check` for the unreadable database of an archive of a store.
    fileprivate func archived(_ store: EncryptedStore, _ prefix: String) throws -> String {
        try archive(of: prefix)
        let answer = try store("check", "--format", "json", store: "archive.zip").answer()
        let findings = answer["findings"]?.arrayValue ?? []
        return findings.first { $0["id"] == "unreadableDatabase" }?["remedy"]?.stringValue ?? ""
    }
}
