import ChatDBKit
import Foundation
import TestKit
import Testing

/// `archive check` with the passphrase, and against a store. Rule: docs/support.md, "An archive".
@Suite(
    "archives with encrypted databases", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedArchiveTests {
    /// A store of SimpleX Chat, `simplex_v1`, and the same store encrypted by SQLCipher, `locked`.
    private struct Stores {
        let run: ToolRun

        init(_ version: SimplexStore.Version = SimplexStore.newest) throws {
            run = try SimplexFolder(version).run
            for (name, text) in [("pass", EncryptedStore.passphrase), ("other", "other"), ("wrong", "wrong")] {
                try Data(text.utf8).write(to: URL(fileURLWithPath: run.file(name)))
                chmod(run.file(name), 0o600)
            }
            for name in ["chat", "agent"] { try encrypt(name) }
            try run.archive(of: "locked")
        }

        func encrypt(
            _ database: String, from plain: String = "simplex_v1", to name: String = "locked",
            with passphrase: String = EncryptedStore.passphrase
        ) throws {
            try EncryptedStore.encrypt(
                "\(plain)_\(database).db", to: "\(name)_\(database).db", with: passphrase, in: run)
        }

        func check(_ arguments: String..., code: Int32 = 0) throws -> JSONValue {
            let before = try run.folder.fingerprint()
            let outcome = try run(["archive", "check", "archive.zip", "--format", "json"] + arguments)
            #expect(outcome.code == code, "\(outcome.output) \(outcome.errors)")
            #expect(try run.folder.fingerprint() == before)
            return try outcome.answer()
        }
    }

    @Test("with the passphrase the databases are looked into, and the answer is yes")
    func passphrase() throws {
        let stores = try Stores()
        let answer = try stores.check("--passphrase-file", "pass")
        #expect(answer["importable"] == true && answer["oneStore"] == true && answer["next"] == .null, "\(answer)")
        #expect(answer["chat"]?["state"] == "whole" && answer["chat"]?["encrypted"] == true)
        #expect(answer["agent"]?["kind"] == "simplex" && answer["agent"]?["version"]?.stringValue != nil)
        let piped = try stores.run.shell("$CHATDB archive check archive.zip --passphrase-stdin < pass")
        #expect(piped.code == 0 && piped.output.contains(#/would import this: +yes/#), "\(piped.output)\(piped.errors)")
        // Without it, the answer stays open and names the way.
        let open = try stores.check()
        #expect(open["importable"] == .null && open["chat"]?["state"] == "encrypted" && open["oneStore"] == .null)
        #expect(open["next"] == "chatdb archive check archive.zip --passphrase-file FILE")
        #expect(
            try stores.run("archive", "check", "archive.zip").output.contains("with the passphrase, chatdb can tell"))
        let wrong = try stores.run("archive", "check", "archive.zip", "--passphrase-file", "wrong")
        #expect(wrong.code == 66 && wrong.errors.contains("archive.zip/simplex_v1_chat.db"), "\(wrong.errors)")
    }

    @Test("on a terminal chatdb asks for the passphrase, and an empty line omits it")
    func terminal() throws {
        let stores = try Stores()
        for (line, expected) in [(EncryptedStore.passphrase, "yes"), ("", "unknown")] {
            let asked = try TerminalRun(["archive", "check", "archive.zip"], in: stores.run, answer: .shown)
            _ = try asked.terminal.read(until: "(without it, press Enter): ")
            asked.terminal.type(line + "\n")
            let typed = try asked.end()
            #expect(typed.code == 0 && typed.shown.contains("would import this:"), "\(typed.shown)")
            #expect(typed.shown.contains(expected), "\(typed.shown)")
        }
    }

    @Test("a changed page, a zeroed page, two passphrases, and databases of two stores are reasons not to import")
    func reasons() throws {
        let stores = try Stores()
        let path = stores.run.file("locked_agent.db")
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        var bad = good
        let last = bad.count / 4_096
        bad[4_096 * (last - 1) + 7] ^= 1
        bad.replaceSubrange(4_096 * (last - 3)..<4_096 * (last - 2), with: Data(count: 4_096))
        try bad.write(to: URL(fileURLWithPath: path))
        try stores.run.archive(of: "locked")
        let damaged = try stores.check("--passphrase-file", "pass", code: 1)
        #expect(damaged["reason"] == "the agent database is damaged" && damaged["agent"]?["state"] == "damaged")
        let first = damaged["agent"]?["problems"]?.texts?.first ?? ""
        #expect(first.contains("\(last - 2) (zeros), \(last)"), "\(first)")

        try stores.encrypt("agent", with: "other")
        try stores.run.archive(of: "locked")
        let two = try stores.check("--passphrase-file", "pass", code: 1)
        #expect(two["reason"]?.stringValue?.hasPrefix("the passphrase does not open the agent database") == true)
        #expect(two["chat"]?["state"] == "whole" && two["agent"]?["state"] == "encrypted")

        // The agent database of another store has other connections.
        let sql = "UPDATE connections SET conn_id = randomblob(12)"
        #expect(try stores.run.shell("cp simplex_v1_agent.db y_agent.db; cp simplex_v1_chat.db y_chat.db").code == 0)
        try stores.run.sql("PRAGMA foreign_keys = OFF; \(sql)", in: "y_agent.db")
        try stores.run.archive(of: "y")
        let plain = try stores.check(code: 1)
        #expect(plain["reason"]?.stringValue?.hasPrefix("the databases are of two stores") == true, "\(plain)")
        for name in ["chat", "agent"] { try stores.encrypt(name, from: "y") }
        try stores.run.archive(of: "locked")
        let encrypted = try stores.check("--passphrase-file", "pass", code: 1)
        #expect(encrypted["reason"] == plain["reason"] && encrypted["oneStore"] == false)
    }

    @Test("against a store: the same, newer, older, and of another kind, plain and encrypted")
    func against() throws {
        let stores = try Stores()
        let older = try SimplexFolder(SimplexStore.versions[0])
        let before = older.store.location.prefix
        let relation = { (answer: JSONValue) in answer["against"]?["relation"]?.stringValue }
        #expect(try relation(stores.check("--passphrase-file", "pass", "--against", "simplex_v1")) == "same")
        #expect(try relation(stores.check("--passphrase-file", "pass", "--against", "archive.zip")) == "same")
        let newer = try stores.check("--passphrase-file", "pass", "--against", before)
        #expect(relation(newer) == "newer" && newer["against"]?["agent"]?["relation"]?.stringValue != nil)
        #expect(newer["importable"] == true)
        let text = try stores.run(
            "archive", "check", "archive.zip", "--passphrase-file", "pass", "--against", before)
        #expect(text.output.contains("the archive is newer") && text.output.contains("update the app of that store"))
        #expect(text.output.contains("Version of the store"))

        // Encrypted with another passphrase.
        for name in ["chat", "agent"] { try stores.encrypt(name, to: "z", with: "other") }
        let refused = try stores.run(
            "archive", "check", "archive.zip", "--passphrase-file", "pass", "--against", "z", "--format", "json")
        #expect(refused.code == 66 && refused.errors.contains("--other-passphrase-file FILE"), "\(refused.errors)")
        let both = try stores.check(
            "--passphrase-file", "pass", "--against", "z", "--other-passphrase-file", "other")
        #expect(relation(both) == "same")
        // The archive stays closed, and the store does not.
        let closed = try stores.check("--against", "z", "--other-passphrase-file", "other")
        #expect(relation(closed) == nil && closed["against"]?["chat"]?["version"]?.stringValue != nil)

        try stores.run.archive(of: "simplex_v1")
        #expect(try relation(stores.check("--against", "z", "--passphrase-file", "other")) == "same")
        #expect(try stores.run("migrate", "run", "-d", "own").code == 0)
        let other = try stores.check("--against", "own")
        #expect(relation(other) == "otherKind" && other["against"]?["kind"] == "chatdb")
        // The other way round.
        try older.run.archive(of: "simplex_v1")
        let old = try older.run("archive", "check", "archive.zip", "--against", stores.run.file("simplex_v1"))
        #expect(old.code == 0 && old.output.contains("the archive is older"), "\(old.output) \(old.errors)")
        let usage = try stores.run("archive", "check", "archive.zip", "--other-passphrase-file", "other")
        #expect(usage.code == 64 && usage.errors.contains("requires --against"))
        #expect(try stores.run("archive", "check", "archive.zip", "--against", "nowhere").code == 66)
    }

    @Test("migrations that this build does not know are no obstacle when the store of the app has them")
    func known() throws {
        let stores = try Stores()
        let insert = "INSERT INTO migrations (name, ts) VALUES ('29990101_later', '2999-01-01 00:00:00')"
        for name in ["chat", "agent"] { try stores.run.sql(insert, in: "simplex_v1_\(name).db") }
        try stores.run.archive(of: "simplex_v1")
        #expect(try stores.check()["importable"] == .null)
        let answer = try stores.check("--against", "simplex_v1")
        #expect(answer["importable"] == true && answer["against"]?["relation"] == "same", "\(answer)")
        #expect(try stores.check("--against", "locked", "--passphrase-file", "pass")["importable"] == .null)
    }
}
