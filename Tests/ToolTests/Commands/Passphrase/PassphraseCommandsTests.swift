import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `passphrase set`, `change` and `remove`, with SQLCipher itself as the judge of the files.
/// Rule: docs/encryption.md, "Changing the passphrase".
@Suite(
    "passphrase set, change and remove", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct PassphraseCommandsTests {
    private static let files = ["chat", "agent"]

    /// A store with files `old` and `new` of two passphrases.
    private func prepare(_ run: ToolRun) throws -> ToolRun {
        let made = try run.shell("printf \"it's old\" > old; printf 'new é\\n' > new; chmod 600 old new")
        #expect(made.code == 0)
        return run
    }

    /// What SQLCipher says of a file with a passphrase: the problems, or `ok` and the number of tables.
    private func sqlcipher(_ file: String, _ passphrase: String, in run: ToolRun) throws -> String {
        let answer = try run.shell(
            """
            '\(EncryptedStore.python ?? "python3")' - \(file) "\(passphrase)" <<'END'
            import sqlcipher3, sys
            c = sqlcipher3.connect(sys.argv[1])
            c.execute("PRAGMA key = '%s'" % sys.argv[2].replace("'", "''"))
            try:
                tables = c.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0]
                checks = ['integrity_check', 'cipher_integrity_check']
                problems = [row[0] for check in checks for row in c.execute('PRAGMA ' + check) if row[0] != 'ok']
                print(problems or ('ok' if tables > 0 else 'no tables'))
            except sqlcipher3.DatabaseError as error:
                print(error)
            END
            """)
        return answer.output.trimmingCharacters(in: .newlines)
    }

    /// The schema, all rows with their rowids, and the settings of the header, as the sqlite3 shell shows them. The
    /// schema of a new file has another order.
    private func dump(_ file: String, in run: ToolRun) throws -> [String] {
        let settings = "PRAGMA user_version; PRAGMA application_id; PRAGMA encoding; PRAGMA auto_vacuum"
        let rows = try run.sql(".dump --preserve-rowids", in: file).split(separator: "\n").map(String.init).sorted()
        return rows + [try run.sql(settings, in: file)]
    }

    private func passphrase(_ words: String..., in run: ToolRun, store: String) throws -> JSONValue {
        let outcome = try run(["passphrase"] + words + ["-d", store, "--yes", "--format", "json"])
        #expect(outcome.code == 0, "\(words): \(outcome.errors)")
        return try outcome.answer()
    }

    @Test("from plain to encrypted, to another passphrase, and back: SQLCipher opens each, and every row stays")
    func own() throws {
        let run = try prepare(DemoStore.make())
        // The rowids of a table without a number of its own have gaps, and the log has what the files lack.
        try run.sql("CREATE TABLE loose (a); INSERT INTO loose VALUES (1), (2), (3); DELETE FROM loose WHERE a = 2")
        let before = try Self.files.map { try dump("x_\($0).db", in: run) }
        let list = try run.succeed("relay", "list", "-u", "alice")

        let set = try passphrase("set", "--new-passphrase-file", "old", in: run, store: "x")
        #expect(set["applied"] == true && set["kind"] == "chatdb" && set["change"] == "set")
        for name in Self.files {
            #expect(try sqlcipher("x_\(name).db", "it's old", in: run) == "ok")
            #expect(try sqlcipher("x_\(name).db", "new é", in: run) != "ok")
            let bytes = FileManager.default.contents(atPath: run.file("x_\(name).db"))
            #expect(bytes?.starts(with: "SQLite".utf8) == false)
        }
        let kept = try #require(set["replaced"]?.stringValue)
        #expect(try dump(fileName(of: kept) + "/x_chat.db", in: run) == before[0])

        let changed = try passphrase(
            "change", "--passphrase-file", "old", "--new-passphrase-file", "new", in: run, store: "x")
        #expect(changed["change"] == "change" && changed["replaced"]?.stringValue != kept)
        for name in Self.files {
            #expect(try sqlcipher("x_\(name).db", "new é", in: run) == "ok")
            #expect(try sqlcipher("x_\(name).db", "it's old", in: run) != "ok")
        }
        let again = try run("relay", "list", "-u", "alice", "--passphrase-file", "new")
        #expect(again.output == list.output, "\(again.errors)")
        #expect(try run.refusal("user", "list", "--passphrase-file", "old") == "wrongPassphrase")

        let removed = try passphrase("remove", "--passphrase-file", "new", in: run, store: "x")
        #expect(removed["change"] == "remove")
        #expect(try Self.files.map { try dump("x_\($0).db", in: run) } == before)
        #expect(try run.sql("PRAGMA journal_mode") == "wal")
        #expect(try run.succeed("relay", "list", "-u", "alice").output == list.output)
        try run.succeed("user", "add", "bob")
        #expect(try !FileManager.default.contentsOfDirectory(atPath: run.folder.path).contains("x.restoring"))
    }

    @Test("a command that completes an interrupted change of another one says that it made none of its own")
    func completed() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let run = try prepare(store.run)
        #expect(try run.shell("echo other > other; chmod 600 other").code == 0)
        try store.interruptChange()
        #expect(try run.shell("mkdir copy; cp -rp y* copy").code == 0)
        let dry = try run(
            "passphrase", "change", "-d", "y", "--passphrase-file", "pass", "--dry-run", "--format", "json")
        #expect(try dry.code == 78 && dry.refusal()["code"] == "interruptedPassphraseChange", "\(dry.errors)")
        for (given, code) in [("other", 1), ("new", 0)] as [(String, Int32)] {
            let outcome = try run(
                "passphrase", "change", "-d", "y", "--passphrase-file", "pass", "--new-passphrase-file", given, "--yes")
            #expect(
                outcome.code == code && outcome.output.contains("An interrupted change was completed"), "\(outcome)")
            #expect(outcome.output.contains("made none of its own") == (code == 1), "\(outcome.output)")
            for name in Self.files { #expect(try sqlcipher("y_\(name).db", "new é", in: run) == "ok") }
            #expect(try run.shell("rm -r y*; cp -rp copy/* .").code == 0)
        }
    }

    @Test("of a store with one encrypted database, set encrypts the other one too, with one passphrase")
    func half() throws {
        let run = try prepare(DemoStore.make())
        _ = try passphrase("set", "--new-passphrase-file", "old", in: run, store: "x")
        #expect(try run.shell("rm x_chat.db; cp x.replaced-*/x_chat.db .").code == 0)
        #expect(try run.refusal("passphrase", "change", "--passphrase-file", "old", "--yes") == "notEncrypted")
        let set = try passphrase(
            "set", "--passphrase-file", "old", "--new-passphrase-file", "new", in: run, store: "x")
        // The replaced files of the first change are named as well.
        #expect(set["plainCopies"]?.texts?.contains { $0.contains("x.replaced-") } == true, "\(set)")
        for name in Self.files { #expect(try sqlcipher("x_\(name).db", "new é", in: run) == "ok") }
    }

    @Test("SimpleX Chat's store keeps its mode, and gets an encrypted form that the app opens; the answer says so")
    func simplex() throws {
        let run = try prepare(SimplexFolder().run)
        #expect(try run.shell("chmod 640 simplex_v1_*.db").code == 0)
        let before = try Self.files.map { try dump("simplex_v1_\($0).db", in: run) }
        let text = try run("passphrase", "set", "-d", "simplex_v1", "--new-passphrase-file", "old", "--yes")
        #expect(text.code == 0 && text.output.contains("Both databases are encrypted now."), "\(text.errors)")
        #expect(text.output.contains("the replaced files hold the content in plain text"))
        #expect(text.output.contains("the app asks for the new passphrase when it starts"))
        for name in Self.files {
            let file = "simplex_v1_\(name).db"
            #expect(try sqlcipher(file, "it's old", in: run) == "ok")
            let mode = try FileManager.default.attributesOfItem(atPath: run.file(file))[.posixPermissions] as? Int
            #expect(mode == 0o640)
        }
        let refused = try run(
            "passphrase", "remove", "-d", "simplex_v1", "--passphrase-file", "old", "--yes", "--format", "json")
        #expect(try refused.code == 64 && refused.refusal()["code"] == "outputRequired")
        let copied = try passphrase(
            "remove", "--passphrase-file", "old", "--output", "plain", in: run, store: "simplex_v1")
        #expect(copied["output"] == "plain" && copied["replaced"] == .null)
        #expect(try Self.files.map { try dump("plain/simplex_v1_\($0).db", in: run) } == before)
        let taken = try run(
            "passphrase", "remove", "-d", "simplex_v1", "--passphrase-file", "old", "--output", "plain")
        #expect(taken.code == 73, "\(taken.errors)")
    }

    @Test("an encrypted archive is written in plain text into a folder, and is not changed otherwise")
    func archive() throws {
        let simplex = try SimplexFolder().run
        #expect(try simplex.shell("cp simplex_v1_chat.db x_chat.db; cp simplex_v1_agent.db x_agent.db").code == 0)
        let run = try prepare(EncryptedStore(of: simplex).run)
        let copied = try passphrase(
            "remove", "--passphrase-file", "pass", "--output", "plain", in: run, store: "archive.zip")
        #expect(copied["next"] == "chatdb inspect -d plain")
        let inspected = try run("inspect", "-d", "plain")
        #expect(inspected.code == 0 && inspected.output.contains("SimpleX Chat"), "\(inspected.errors)")
        #expect(try run.refusal("passphrase", "change", "-d", "archive.zip", "--yes") == "archiveReadOnly")
    }

    @Test("a dry run, a refusal and a wrong passphrase change no byte")
    func unchanged() throws {
        let run = try prepare(EncryptedStore(of: DemoStore.make()).run)
        let before = try run.folder.fingerprint()
        let dry = try run("passphrase", "set", "-d", "x", "--dry-run", "--format", "json")
        #expect(try dry.answer()["applied"] == false, "\(dry.errors)")
        let change = ["passphrase", "change", "-d", "y", "--passphrase-file"]
        for (words, code, exit) in [
            (["passphrase", "set", "-d", "x", "--new-passphrase-file", "new"], "confirmationNeeded", 64),
            (["passphrase", "set", "-d", "x", "--yes"], "passphraseNeeded", 64),
            (["passphrase", "set", "-d", "y", "--yes", "--new-passphrase-file", "new"], "alreadyEncrypted", 1),
            (["passphrase", "change", "-d", "x", "--yes", "--new-passphrase-file", "new"], "notEncrypted", 1),
            (["passphrase", "remove", "-d", "x", "--yes"], "notEncrypted", 1),
            (change + ["old", "--yes", "--new-passphrase-file", "new"], "wrongPassphrase", 66),
            (change + ["pass", "--yes", "--new-passphrase-file", "pass"], "samePassphrase", 1),
            (change + ["pass", "--dry-run", "--new-passphrase-file", "pass"], "samePassphrase", 1),
            (change + ["pass", "--yes", "--new-passphrase-file", "pass", "-d", "none"], "storeNotFound", 66),
        ] as [([String], String, Int32)] {
            let outcome = try run(words + ["--format", "json"])
            #expect(try outcome.refusal()["code"]?.stringValue == code, "\(words): \(outcome.errors)")
            #expect(outcome.code == exit, "\(words)")
        }
        let twice = try run("passphrase", "change", "-d", "y", "--passphrase-stdin", "--new-passphrase-stdin", "--yes")
        #expect(twice.code == 64 && twice.errors.contains("cannot be used together"))
        #expect(try run.folder.fingerprint() == before)
    }

    @Test(
        "a new passphrase that the app cannot take is refused",
        arguments: [
            ("printf ''", "is empty"), ("printf 'a\\nb'", "control character"), (#"printf '\377'"#, "UTF-8"),
            (#"printf '\357\273\277word'"#, "byte order mark"),
        ])
    func unusable(_ command: String, _ reason: String) throws {
        let run = try DemoStore.make()
        #expect(try run.shell("\(command) > new; chmod 600 new").code == 0)
        let outcome = try run("passphrase", "set", "--new-passphrase-file", "new", "--yes")
        #expect(outcome.code == 65 && outcome.errors.contains(reason), "\(outcome.errors)")
        if reason != "byte order mark" {
            #expect(outcome.errors.contains("passphrase in new "), "\(outcome.errors)")
        }
    }

    @Test("on a terminal, the new passphrase is asked for twice, and two different ones end the command")
    func typed() throws {
        let run = try prepare(DemoStore.make())
        func type(_ first: String, _ second: String) throws -> (code: Int32, shown: String) {
            let set = try TerminalRun(["passphrase", "set", "--yes"], in: run, answer: .shown)
            // The terminal forgets what was typed before the question.
            var shown = try set.terminal.read(until: "New passphrase of ")
            shown += try set.terminal.read(until: ": ")
            set.terminal.type(first + "\n")
            shown += try set.terminal.read(until: "Again: ")
            set.terminal.type(second + "\n")
            let end = try set.end()
            return (end.code, shown + end.shown)
        }
        let different = try type("one", "two")
        #expect(different.code == 1 && different.shown.contains("the two passphrases are not the same"))
        let same = try type("it's old", "it's old")
        #expect(same.code == 0 && !same.shown.contains("it's old"), "\(same.shown)")
        #expect(try sqlcipher("x_chat.db", "it's old", in: run) == "ok")
    }

    @Test("a store that a program has open is not changed, and the error names the program")
    func held() throws {
        let run = try prepare(DemoStore.make())
        let before = try run.folder.fingerprint()
        let outcome = try run.shell(
            """
            exec 3<> x_agent.db
            # The shell stays, and has the file open.
            $CHATDB passphrase set --new-passphrase-file new --yes --lock-timeout 0 --format json 3>&-; exit $?
            """)
        #expect(outcome.code == 75 && outcome.errors.contains("\"inUse\""), "\(outcome.errors)")
        let dry = try run.shell(
            """
            exec 3<> x_agent.db
            $CHATDB passphrase set --dry-run --lock-timeout 0 --format json 3>&-; exit $?
            """)
        #expect(dry.code == 75 && dry.errors.contains("\"inUse\""), "\(dry.errors)")
        #expect(try run.folder.fingerprint() == before)
    }

    @Test("a dry run by another user than the owner ends as the change does", .enabled(if: geteuid() == 0))
    func otherUser() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("new", "new é", mode: 0o644)
        let user = "setpriv --reuid 65534 --regid 65534 --clear-groups"
        #expect(try store.run.shell("chmod 777 .; chmod 666 y_*.db; chmod 644 pass").code == 0)
        // The folder of the tests, or that of the build, may be closed to other users.
        guard try store.run.shell("\(user) $CHATDB inspect -d y --passphrase-file pass").code == 0 else { return }
        let before = try store.run.folder.fingerprint()
        let change = "passphrase change -d y --passphrase-file pass --new-passphrase-file new"
        for option in ["--yes", "--dry-run"] {
            let outcome = try store.run.shell("\(user) $CHATDB \(change) \(option)")
            #expect(outcome.code == 74, "\(option): \(outcome)")
            #expect(outcome.errors.contains("the new file cannot get the owner or group of "), "\(outcome.errors)")
        }
        #expect(try store.run.folder.fingerprint() == before)
        #expect(try store.run.shell("chmod 755 .").code == 0)
        let closed = try store.run.shell("\(user) $CHATDB \(change) --dry-run")
        #expect(closed.code == 74 && closed.errors.contains("y.restoring cannot be created"), "\(closed)")
    }

    @Test(
        "a dry run on database files that this user may not write ends as the change does",
        .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0), arguments: ["set", "change", "remove"])
    func readOnlyFiles(_ command: String) throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("new", "new é", mode: 0o644)
        let user = "setpriv --reuid 65534 --regid 65534 --clear-groups"
        let files = "?_*.db"
        let prepared = "chmod 777 . && chmod 644 pass && chown 65534:65534 \(files) && chmod 400 \(files)"
        #expect(try store.run.shell(prepared).code == 0)
        // The folder of the tests, or that of the build, may be closed to other users.
        guard try store.run.shell("\(user) $CHATDB inspect -d y --passphrase-file pass").code == 0 else { return }
        let before = try store.run.folder.fingerprint()
        let new = command == "remove" ? "" : "--new-passphrase-file new"
        let words = command == "set" ? "-d x" : "-d y --passphrase-file pass"
        for option in ["--yes", "--dry-run"] {
            let outcome = try store.run.shell("\(user) $CHATDB passphrase \(command) \(words) \(new) \(option)")
            #expect(outcome.code == 74 && outcome.output.isEmpty, "\(option): \(outcome)")
            let file = command == "set" ? "x_chat.db" : "y_chat.db"
            #expect(outcome.errors.contains("\(file) cannot be opened to lock it: Permission denied"), "\(outcome)")
            #expect(outcome.errors.contains("Nothing was changed."), "\(outcome.errors)")
        }
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("a journal that a killed program left in a store of chatdb is rolled back, and the passphrase is changed")
    func ownJournal() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.sqlcipher(
            """
            c.executescript("PRAGMA cache_size = 5; BEGIN; CREATE TABLE f AS SELECT randomblob(3000) a FROM sqlite_master")
            kill()
            """)
        try #require(FileManager.default.fileExists(atPath: store.run.file("y_chat.db-journal")))
        #expect(try store.run.shell("printf 'new é' > new; chmod 600 new").code == 0)
        let outcome = try store("passphrase", "change", "--new-passphrase-file", "new", "--yes")
        #expect(outcome.code == 0, "\(outcome.errors)")
        for name in Self.files { #expect(try sqlcipher("y_\(name).db", "new é", in: store.run) == "ok") }
    }

    @Test("a journal that a killed program did not sync blocks no change of a store of chatdb, and every row stays")
    func unsyncedJournal() throws {
        let run = try prepare(DemoStore.make())
        let before = try Self.files.map { try dump("x_\($0).db", in: run) }
        try run.killWriter(of: "x_chat.db")
        _ = try passphrase("set", "--new-passphrase-file", "old", in: run, store: "x")
        try run.killWriter(of: "x_chat.db", "sqlcipher3", "key = 'it''s old'")
        let words = ["--passphrase-file", "old", "--new-passphrase-file", "new"]
        let dry = try run(["passphrase", "change", "-d", "x", "--dry-run"] + words)
        #expect(dry.code == 0 && FileManager.default.fileExists(atPath: run.file("x_chat.db-journal")), "\(dry.errors)")
        let changed = try run(["passphrase", "change", "-d", "x", "--yes"] + words)
        #expect(changed.code == 0, "\(changed.errors)")
        for name in Self.files { #expect(try sqlcipher("x_\(name).db", "new é", in: run) == "ok") }
        try run.killWriter(of: "x_agent.db", "sqlcipher3", "key = 'new é'")
        _ = try passphrase("remove", "--passphrase-file", "new", in: run, store: "x")
        #expect(try Self.files.map { try dump("x_\($0).db", in: run) } == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: run.folder.path)
        #expect(!names.contains { $0.hasSuffix("-journal") }, "\(names)")
    }

    @Test("a journal that the app left is the app's to roll back")
    func journal() throws {
        let simplex = try SimplexFolder().run
        #expect(try simplex.shell("cp simplex_v1_chat.db x_chat.db; cp simplex_v1_agent.db x_agent.db").code == 0)
        let store = try EncryptedStore(of: simplex)
        try store.sqlcipher(
            """
            c.executescript("PRAGMA cache_size = 5; BEGIN; CREATE TABLE f AS SELECT randomblob(3000) a FROM sqlite_master")
            kill()
            """)
        try #require(FileManager.default.fileExists(atPath: store.run.file("y_chat.db-journal")))
        try store.write("new", "new é")
        let before = try store.run.folder.fingerprint()
        let outcome = try store("passphrase", "change", "--new-passphrase-file", "new", "--yes")
        #expect(outcome.code == 1 && outcome.errors.contains("y_chat.db-journal has content"), "\(outcome.errors)")
        #expect(try store.run.folder.fingerprint() == before)
    }
}

extension ToolRun {
    /// The code of the error of a command.
    fileprivate func refusal(_ arguments: String...) throws -> String? {
        try self(arguments + ["--format", "json"]).refusal()["code"]?.stringValue
    }
}
