import ChatDBKit
import Foundation
import TestKit
import Testing

/// New encrypted stores. Rule: docs/encryption.md, "Writing".
@Suite(
    "new encrypted stores", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedCreationTests {
    private func folder() throws -> ToolRun {
        let run = try ToolRun()
        try Data("\(EncryptedStore.key)\n".utf8).write(to: URL(fileURLWithPath: run.file("pass")))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: run.file("pass"))
        return run
    }

    private func names(_ run: ToolRun) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: run.folder.path).sorted()
    }

    private func code(_ run: ToolRun, _ arguments: String...) throws -> (code: String?, exit: Int32) {
        let outcome = try run(arguments + ["--format", "json"])
        return (try? outcome.refusal()["code"]?.stringValue, outcome.code)
    }

    @Test("migrate run --encrypt makes an encrypted store, which later commands open with the passphrase")
    func made() throws {
        let run = try folder()
        let made = try run("migrate", "run", "--encrypt", "--passphrase-file", "pass", "-d", "y")
        #expect(made.output.hasPrefix("A new encrypted store was created at "), "\(made.output)")
        #expect(made.code == 0 && made.output.contains("created"), "\(made.output) \(made.errors)")
        let store = EncryptedStore(in: run)
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
        #expect(try names(run).filter { $0.hasPrefix("y_") } == ["y_agent.db", "y_chat.db"])
        #expect(try store("user", "add", "zqxMARKER").code == 0)
        #expect(try store("migrate", "run").code == 0 && store("migrate", "run", "--encrypt").code == 0)
        #expect(try store("user", "list").output.contains("zqxMARKER"))
        for name in ["chat", "agent"] {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: run.file("y_\(name).db")))
            #expect(bytes.range(of: Data("zqxMARKER".utf8)) == nil && !bytes.starts(with: Data("SQLite".utf8)))
            #expect(try store.problems("y_\(name).db") == "")
        }
    }

    @Test("migrate up --encrypt makes an encrypted store of an older version; the hint without it keeps the version")
    func older() throws {
        let run = try folder()
        let words = ["migrate", "up", "--to", "20260316_relay_soft_delete", "-d", "y", "--passphrase-file", "pass"]
        let refused = try run(words + ["--format", "json"])
        let command = "migrate up --encrypt --to 20260316_relay_soft_delete -d y --passphrase-file pass"
        let hint = "chatdb \(command) makes an encrypted store; without a passphrase, the store is plain"
        #expect(try refused.code == 64 && refused.refusal()["hint"]?.stringValue == hint, "\(refused.errors)")
        let made = try run.shell("$CHATDB \(command)")
        #expect(made.code == 0, "\(made.errors)")
        let store = EncryptedStore(in: run)
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
        let status = try store("migrate", "status", "--format", "json").answer()
        #expect(status["chat"]?["version"] == "20260316_relay_soft_delete", "\(status)")
    }

    @Test("the hint without --encrypt keeps the options that decide which files the command makes")
    func namedFile() throws {
        let run = try folder()
        try FileManager.default.createDirectory(atPath: run.file("m/chat"), withIntermediateDirectories: true)
        try Data("CREATE TABLE notes (id INTEGER PRIMARY KEY);\n".utf8)
            .write(to: URL(fileURLWithPath: run.file("m/chat/20260101_first.up.sql")))
        let refused = try run(
            "migrate", "run", "--create", "--only", "chat", "--database", "chat=app.db", "--migrations-dir", "m",
            "--passphrase-file", "pass", "--format", "json")
        let hint = try refused.refusal()["hint"]?.stringValue ?? ""
        #expect(hint.hasPrefix("chatdb migrate run --encrypt --only chat --create --database "), "\(refused.errors)")
        let command = hint.split(separator: " makes an ").first.map { $0.dropFirst("chatdb ".count) } ?? ""
        let made = try run.shell("$CHATDB \(command)")
        #expect(made.code == 0, "\(made.errors)")
        #expect(try !Data(contentsOf: URL(fileURLWithPath: run.file("app.db"))).starts(with: Data("SQLite".utf8)))
        let plan = try run("migrate", "plan", "--only", "chat", "-d", "y", "--passphrase-file", "pass")
        #expect(plan.errors.contains("chatdb migrate run --encrypt --only chat -d y "), "\(plan.errors)")
    }

    @Test("a plan of a new encrypted store asks for no passphrase, makes no file, and refuses an unusable passphrase")
    func planned() throws {
        let run = try folder()
        try EncryptedStore(in: run).write("bad", "a\tb\n")
        let before = try run.folder.fingerprint()
        for command in [["run", "--dry-run"], ["up", "--dry-run"], ["plan"]] {
            let words = ["migrate"] + command + ["--encrypt", "-d", "y", "--format", "json"]
            for passphrase in [[], ["--passphrase-file", "pass"]] {
                let plan = try run(words + passphrase)
                #expect(try plan.code == 0 && plan.answer()["creates"] == true, "\(plan.errors)")
            }
            let bad = try run(words + ["--passphrase-file", "bad"])
            #expect(try bad.code == 65 && bad.refusal()["code"] == "invalidPassphrase", "\(bad.errors)")
        }
        #expect(try run.folder.fingerprint() == before)
    }

    @Test("the hint about a missing store repeats the passphrase, and its command makes an encrypted store")
    func missing() throws {
        let run = try folder()
        let refused = try run("user", "list", "-d", "y", "--passphrase-file", "pass", "--format", "json")
        let hint = try refused.refusal()["hint"]?.stringValue ?? ""
        let path = run.file("y").replacing("//", with: "/")
        let command = "migrate run -d \(path) --encrypt --passphrase-file pass"
        #expect(hint == "check the path; chatdb \(command) creates a new store", "\(refused.errors)")
        let made = try run.shell("$CHATDB \(command)")
        #expect(made.code == 0, "\(made.errors)")
        #expect(try EncryptedStore(in: run).problems("y_chat.db") == "")
    }

    @Test("on a terminal, chatdb asks for the passphrase twice, and two different ones make no store")
    func typed() throws {
        let run = try folder()
        for (first, second, code) in [("one", "two", 1), ("one", "one", 0)] as [(String, String, Int32)] {
            let asked = try TerminalRun(["migrate", "run", "--encrypt", "-d", "y"], in: run, answer: .shown)
            // The terminal forgets what was typed before the question.
            _ = try asked.terminal.read(until: "New passphrase of ")
            _ = try asked.terminal.read(until: ": ")
            asked.terminal.type("\(first)\n")
            _ = try asked.terminal.read(until: "Again: ")
            asked.terminal.type("\(second)\n")
            let end = try asked.end()
            #expect(end.code == code, "\(end.shown)")
            #expect(FileManager.default.fileExists(atPath: run.file("y_chat.db")) == (code == 0))
        }
        try Data("one\n".utf8).write(to: URL(fileURLWithPath: run.file("pass")))
        #expect(try EncryptedStore(in: run)("user", "list").code == 0)
    }

    @Test("a new passphrase that is typed with a blank at an end is taken with a warning before the second question")
    func typedBlank() throws {
        let run = try folder()
        let asked = try TerminalRun(["migrate", "run", "--encrypt", "-d", "y"], in: run, answer: .shown)
        _ = try asked.terminal.read(until: "New passphrase of ")
        _ = try asked.terminal.read(until: ": ")
        asked.terminal.type(" word \n")
        let shown = try asked.terminal.read(until: "Again: ")
        let warning = "warning: the line that was typed begins and ends with a blank, which is part of the new"
        #expect(shown.contains(warning) && !shown.contains("word"), "\(shown)")
        asked.terminal.type(" word \n")
        let end = try asked.end()
        #expect(end.code == 0 && !end.shown.contains("blank"), "\(end.shown)")
        // The passphrase of a store that exists causes no warning.
        let list = try TerminalRun(["user", "list", "-d", "y"], in: run, answer: .shown)
        _ = try list.terminal.read(until: "Passphrase of ")
        _ = try list.terminal.read(until: ": ")
        list.terminal.type(" word \n")
        let listed = try list.end()
        #expect(listed.code == 0 && !listed.shown.contains("blank"), "\(listed.shown)")
    }

    @Test("what would make another store than the command line says is refused, and makes no file")
    func refused() throws {
        let run = try folder()
        let before = try run.folder.fingerprint()
        var found = try code(run, "migrate", "run", "--encrypt", "-d", "y")
        #expect(found.code == "passphraseNeeded" && found.exit == 64)
        for command in [["run"], ["up"], ["run", "--dry-run"], ["up", "--dry-run"], ["plan"]] {
            let words = ["migrate"] + command + ["--passphrase-file", "pass", "-d", "y", "--format", "json"]
            let outcome = try run(words)
            #expect(try outcome.code == 64 && outcome.refusal()["code"] == "usage", "\(command): \(outcome)")
        }
        let server = try run(
            "migrate", "run", "--encrypt", "--passphrase-file", "pass", "-d", "postgres:///chats?store=main")
        #expect(server.code == 64 && server.errors.contains("name the prefix of new files"), "\(server.errors)")
        #expect(try run.folder.fingerprint() == before)
        try run.succeed("migrate", "run", "-d", "plain")
        let plain = try Data(contentsOf: URL(fileURLWithPath: run.file("plain_chat.db")))
        found = try code(run, "migrate", "run", "--encrypt", "--passphrase-file", "pass", "-d", "plain")
        #expect(found.code == "usage" && found.exit == 64)
        #expect(try Data(contentsOf: URL(fileURLWithPath: run.file("plain_chat.db"))) == plain)
        let warned = try run(["migrate", "run", "-d", "other"], environment: ["CHATDB_PASSPHRASE_FILE": "pass"])
        #expect(warned.code == 0 && warned.errors.contains("the new store is not encrypted"), "\(warned.errors)")
        // A plain store needs no passphrase, and one that is given changes nothing.
        #expect(try run("migrate", "run", "--passphrase-file", "pass", "-d", "plain").code == 0)
    }
}
