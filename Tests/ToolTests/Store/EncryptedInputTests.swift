import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Encrypted files as people send them: with a journal, a log, cut, in other formats; and files of passphrases that are
/// none. Rule: docs/encryption.md.
@Suite(
    "encrypted stores in other states", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedInputTests {
    private static let commands = [
        ["relay", "list", "-u", "alice"], ["inspect"], ["check"], ["migrate", "status"], ["query", "SELECT 1"],
    ]

    private func store(_ pragmas: String...) throws -> EncryptedStore {
        try EncryptedStore(of: DemoStore.make(), pragmas: pragmas)
    }

    /// The state of the chat database of `y` as `find` lists it.
    private func found(_ store: EncryptedStore) throws -> JSONValue? {
        let stores = try store.run("find", "--below", ".", "--format", "json").answer()["stores"]?.arrayValue ?? []
        return stores.first { $0["prefix"]?.stringValue?.hasSuffix("/y") == true }?["chat"]?["state"]
    }

    /// Expects that every command without a passphrase asks for one by its error.
    private func expectEncrypted(_ store: EncryptedStore) throws {
        for command in Self.commands {
            let outcome = try store.run(command + ["-d", "y", "--format", "json"])
            #expect(outcome.code == 64, "\(command): \(outcome.output) \(outcome.errors)")
            #expect(try outcome.refusal()["code"] == "encrypted", "\(command): \(outcome.errors)")
        }
        #expect(try found(store) == "encrypted")
    }

    @Test("a journal that SQLCipher left: the committed rows with the passphrase, and without it no other error")
    func journal() throws {
        let store = try store()
        let temporary = try TemporaryFolder()
        let command = ["relay", "list", "-u", "alice", "-d", "y", "--passphrase-file", "pass"]
        let good = try store.run(command)
        try store.crash()
        let before = try store.run.folder.fingerprint()
        let outcome = try store.run(command, environment: ["TMPDIR": temporary.path])
        #expect(outcome.code == 0 && outcome.output == good.output)
        #expect(outcome.errors.contains("its journal was rolled back in a copy"), "\(outcome.errors)")
        #expect(try store("check").code == 0)
        try expectEncrypted(store)
        #expect(try store.run.folder.fingerprint() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
    }

    @Test("a write-ahead log beside an encrypted database is named, and no row is read without it")
    func log() throws {
        let store = try store()
        try store.sqlcipher(
            "c.execute('PRAGMA journal_mode = wal'); c.execute(\"UPDATE chat_relays SET display_name = 'x' WHERE chat_relay_id = 7\")\nkill()"
        )
        try #require(FileManager.default.fileExists(atPath: store.run.file("y_chat.db-wal")))
        let before = try store.run.folder.fingerprint()
        let refused = try store.refusal("user", "list", "-d", "y", "--passphrase-file", "pass")
        #expect(refused.code == "encryptedUnsupported" && refused.exit == 66, "\(refused.text)")
        #expect(refused.text.contains("open the store once in the app"))
        try expectEncrypted(store)
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test(
        "while a program has an encrypted database with a log open, errors name it, and writing commands say the state",
        arguments: [
            ("user list", false), ("relay disable mine -u alice", true), ("user add bob", true),
            ("passphrase change --new-passphrase-file pass --yes", true), ("passphrase remove --yes", true),
        ])
    func logInUse(_ command: String, _ writes: Bool) throws {
        let store = try store()
        let words = "\(command) -d y --passphrase-file pass --format json"
        let run = try store.run.shell(
            """
            '\(EncryptedStore.python ?? "python3")' - "$CHATDB" <<'END'
            import subprocess, sys, sqlcipher3
            c = sqlcipher3.connect('y_chat.db', isolation_level=None)
            c.execute("PRAGMA key = '%s'" % open('pass').read().strip('\\n').replace("'", "''"))
            c.execute('PRAGMA journal_mode = wal').fetchall()
            c.execute('CREATE TABLE f (a)')
            sys.exit(subprocess.run([sys.argv[1]] + '\(words)'.split()).returncode)
            END
            """)
        let held = try run.refusal()
        #expect(run.code == 75 && held["code"] == "inUse", "\(run.errors)")
        let message = held["message"]?.stringValue ?? ""
        #expect(message.contains(#/; it is open in python[^ ]* \([0-9]+\)$/#), "\(message)")
        #expect(held["hint"]?.stringValue?.hasPrefix("close the other program") == true, "\(run.errors)")
        let state: JSONValue = writes ? "Nothing was changed." : .null
        #expect((held["state"] ?? .null) == state, "\(run.errors)")

        // A program that is killed leaves its log, and no process has the database open.
        try store.sqlcipher("c.execute('CREATE TABLE g (a)')\nkill()")
        let left = try store.run.shell("$CHATDB \(words)")
        let advice = try left.refusal()
        #expect(advice["message"]?.stringValue?.contains("open the store once in the app") == true, "\(advice)")
        #expect((advice["state"] ?? .null) == state, "\(left.errors)")
    }

    @Test("the remedy for an encrypted database with a log names no salvage, which refuses it, and its statement works")
    func logRemedy() throws {
        let store = try store()
        try store.sqlcipher("c.executescript('PRAGMA journal_mode = wal; CREATE TABLE f (a)')\nkill()")
        try #require(FileManager.default.fileExists(atPath: store.run.file("y_chat.db-wal")))
        func remedy() throws -> String? {
            let findings = try store("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
            return findings.first { $0["id"] == "unreadableDatabase" }?["remedy"]?.stringValue
        }
        let shown = try #require(try remedy())
        #expect(shown.contains("PRAGMA journal_mode = DELETE") && !shown.contains("salvage"), "\(shown)")
        let copies = "mkdir -p y.backups/b; cp y_chat.db y_agent.db; cp y_chat.db-wal y_agent.db-wal"
        #expect(try store.run.shell(copies).code == 0)
        // With a log of each database, the message says what to do.
        let both = try store.refusal("check", "-d", "y", "--passphrase-file", "pass")
        #expect(both.code == "encryptedUnsupported" && !both.text.contains("restore"), "\(both.text)")
        #expect(try store.run.shell("rm -r y.backups y_agent.db-wal").code == 0)
        try store.encrypt("agent", with: EncryptedStore.key)
        try store.sqlcipher("c.execute('PRAGMA journal_mode = DELETE').fetchone()")
        #expect(try remedy() == nil)
    }

    @Test("SQLCipher's plain header is named, with a passphrase and without")
    func plainHeader() throws {
        let store = try store("cipher_plaintext_header_size = 32")
        for words in [["user", "list", "-d", "y"], ["user", "list", "-d", "y", "--passphrase-file", "pass"]] {
            let outcome = try store.run(words + ["--format", "json"])
            #expect(try outcome.refusal()["code"] == "encryptedUnsupported", "\(outcome.errors)")
            #expect(outcome.errors.contains("cipher_plaintext_header_size"))
        }
        #expect(try found(store) == "encrypted")
    }

    @Test(
        "other page sizes, and version 3, which a note names",
        arguments: ["cipher_compatibility = 3", "cipher_page_size = 1024", "cipher_page_size = 65536"])
    func formats(_ pragma: String) throws {
        let listed = try store(pragma)("user", "list")
        #expect(listed.code == 0 && listed.output.contains("alice"), "\(listed.errors)")
        #expect(listed.errors.contains("in the format of SQLCipher 3") == pragma.hasSuffix("= 3"))
    }

    @Test(
        "a cut file is truncated and the passphrase right, in the middle of a page and between two", arguments: [1, 4])
    func truncated(_ kilobytes: Int) throws {
        let store = try store()
        #expect(try store.run.shell("truncate -s -\(kilobytes)K y_chat.db").code == 0)
        let refused = try store.refusal("user", "list", "-d", "y", "--passphrase-file", "pass")
        #expect(refused.code == "truncated" && refused.exit == 66, "\(refused.text)")
        let inspected = try store("inspect")
        #expect(inspected.code == 0 && inspected.output.contains("is truncated"), "\(inspected.output)")
    }

    @Test(
        "of two passphrases, inspect shows the database that opens, and says what to do", arguments: ["chat", "agent"])
    func twoPassphrases(_ other: String) throws {
        let store = try store()
        try store.encrypt(other, with: "x'\(String(repeating: "77", count: 32))'")
        let inspected = try store("inspect")
        #expect(inspected.code == 0, "\(inspected.errors)")
        #expect(inspected.output.contains("news") == (other == "agent"), "\(inspected.output)")
        #expect(inspected.output.contains("a change of the passphrase was probably interrupted"))
        #expect(inspected.output.contains("try the passphrase from before that change"))
    }

    @Test("a file of passphrases that is missing, a folder, a pipe or empty is an error, and one for all is warned of")
    func files() throws {
        let store = try store()
        #expect(
            try store.run.shell(
                "mkdir folder; mkfifo pipe; touch empty; chmod 600 empty; cp pass group; chmod 640 group"
            ).code == 0)
        for (name, code, exit) in [
            ("nowhere", "fileNotFound", 66), ("folder", "cannotRead", 66), ("pipe", "invalidPassphrase", 65),
            ("empty", "invalidPassphrase", 65), ("/dev/null", "invalidPassphrase", 65),
            ("y_chat.db", "invalidPassphrase", 65), ("", "usage", 64),
        ] as [(String, String, Int32)] {
            let refused = try store.refusal("user", "list", "-d", "y", "--passphrase-file", name)
            #expect(refused.code == code && refused.exit == exit, "\(name): \(refused.text)")
            guard !name.isEmpty else { continue }
            let variable = try store.run(
                ["user", "list", "-d", "y", "--format", "json"], environment: ["CHATDB_PASSPHRASE_FILE": name])
            #expect(try variable.refusal()["code"]?.stringValue == code, "\(name): \(variable.errors)")
        }
        let warned = try store.run(["user", "list", "-d", "y"], environment: ["CHATDB_PASSPHRASE_FILE": "group"])
        #expect(warned.code == 0 && warned.errors.contains("chmod 600 group"), "\(warned.errors)")
        let nothing = try store.refusal("user", "list", "-d", "y", "--passphrase-stdin")
        #expect(nothing.code == "invalidPassphrase" && nothing.exit == 65)
        let terminal = try store.run.onTerminal("user", "list", "-d", "y", "--passphrase-stdin")
        #expect(terminal.code == 64 && terminal.output.contains("not from a terminal"), "\(terminal.output)")
    }

    @Test("the error about a passphrase file with several lines says so, and names the file")
    func lines() throws {
        let store = try store()
        try store.write("two", EncryptedStore.key + "\nanother\n")
        let words = ["user", "list", "-d", "y", "--format", "json"]
        let hint = "two has several lines, and all of them count; leave only the line of the passphrase"
        for (option, variable) in [(["--passphrase-file", "two"], ""), ([], "two")] as [([String], String)] {
            let run = try store.run(words + option, environment: ["CHATDB_PASSPHRASE_FILE": variable])
            let error = try run.refusal()
            #expect(run.code == 66 && error["code"] == "wrongPassphrase", "\(run.errors)")
            #expect(error["hint"]?.stringValue == hint, "\(run.errors)")
        }
        // The first line of standard input is the passphrase.
        #expect(try store.run.shell("$CHATDB user list -d y --passphrase-stdin < two").code == 0)
    }

    @Test(
        "the error about a passphrase with a byte order mark or a blank at an end says so, and never shows the passphrase",
        arguments: [
            (#"'\357\273\277word\r\n'"#, "begins with a byte order mark"),
            (#"'\377\376w\0o\0r\0d\0\n\0'"#, "begins with a byte order mark"),
            ("'word \\n'", "ends with a blank"), ("'\\tword\\n'", "begins with a blank"),
            ("' word '", "begins and ends with a blank"),
        ])
    func invisible(_ bytes: String, _ reason: String) throws {
        let store = try store()
        #expect(try store.run.shell("printf \(bytes) > spoiled; chmod 600 spoiled").code == 0)
        let words = ["user", "list", "-d", "y", "--format", "json"]
        for (option, variable) in [(["--passphrase-file", "spoiled"], ""), ([], "spoiled")] as [([String], String)] {
            let run = try store.run(words + option, environment: ["CHATDB_PASSPHRASE_FILE": variable])
            let error = try run.refusal()
            #expect(run.code == 66 && error["code"] == "wrongPassphrase", "\(run.errors)")
            #expect(error["hint"]?.stringValue?.hasPrefix("spoiled \(reason), which counts;") == true, "\(run.errors)")
            #expect(!run.errors.contains("word"), "\(run.errors)")
        }
        let piped = try store.run.shell("$CHATDB user list -d y --passphrase-stdin < spoiled")
        #expect(piped.errors.contains("hint: the line on standard input \(reason)"), "\(piped.errors)")
    }

    @Test("each command of a hint or of the next steps works as it is written", arguments: ["y", "my archive.zip"])
    func hints(_ name: String) throws {
        let store = try store()
        #expect(try store.run.shell("cp archive.zip 'my archive.zip'; cp pass 'my pass'").code == 0)
        var tried = 0
        for command in [
            ["inspect"], ["relay", "show", "no", "-u", "alice"], ["group", "show", "no"], ["schema", "show", "no"],
            ["server", "disable", "no"], ["user", "show", "no"], ["query", "SELECT no FROM users"],
        ] {
            for option in [["--passphrase-file", "my pass"], ["--passphrase-stdin"]] {
                let words = (command + ["-d", name] + option).map(ShellWord.quoted).joined(separator: " ")
                let outcome = try store.run.shell("$CHATDB \(words) < pass")
                let lines = (outcome.output + outcome.errors).split(separator: "\n")
                for line in lines where line.hasPrefix("chatdb ") || line.hasPrefix("hint: chatdb ") {
                    let proposed = line.replacing(/^hint: | (lists them|shows|makes a) .*$| lists them$/, with: "")
                        .replacing("TABLE", with: "users").replacing("FOLDER", with: "new\(tried)")
                    let next = try store.run.shell("$CHATDB \(proposed.dropFirst("chatdb ".count)) < pass")
                    #expect([0, 1].contains(next.code), "\(words): \(proposed): \(next.errors)")
                    tried += 1
                }
            }
        }
        #expect(tried >= 8)
    }

    @Test("Ctrl-C at a question of a passphrase command exits with 130, and says that nothing was done")
    func stopped() throws {
        let store = try store()
        let cases = [
            (["set", "-d", "x"], ["New passphrase of "]), (["set", "-d", "x"], ["New passphrase of ", "Again: "]),
            (["change", "-d", "y"], ["Passphrase of "]), (["change", "-d", "y", "--dry-run"], ["Passphrase of "]),
            (["remove", "-d", "y"], ["Passphrase of "]),
        ]
        for (words, questions) in cases {
            // With a terminal that can show a bar, a thread draws it.
            let run = try TerminalRun(
                ["passphrase"] + words, in: store.run, answer: .shown, environment: ["TERM": "xterm"])
            for (number, question) in questions.enumerated() {
                if number > 0 { run.terminal.type("new\n") }
                _ = try run.terminal.read(until: question)
            }
            run.interrupt()
            let end = try run.end()
            #expect(end.code == 130 && end.shown.contains("Nothing was done."), "\(words): \(end)")
        }
    }
}
