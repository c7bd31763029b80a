import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Encrypted databases of other programs: their adoption, and the advice about them. The shell of SQLite does not open
/// them. Rule: docs/checks.md.
@Suite(
    "encrypted databases of other programs", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedAdoptionTests {
    private static let words = ["--database", "chat=notes.db", "--passphrase-file", "pass"]

    /// The encrypted database `notes.db` with an index, and its first migration in the folder `own`.
    private func notes(mark: Int = 0) throws -> EncryptedStore {
        let store = EncryptedStore(in: try ToolRun())
        try store.write("pass", EncryptedStore.key + "\n")
        try store.run.sql(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by_text ON notes (text);"
                + "INSERT INTO notes VALUES (7, 'seven'); PRAGMA application_id = \(mark)", in: "plain.db")
        try EncryptedStore.encrypt("plain.db", to: "notes.db", with: EncryptedStore.key, in: store.run)
        let folder = store.run.file("own/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let schema = try store.run(["schema", "dump", "--database", "chat=plain.db"]).output
        try schema.write(toFile: folder + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
        return store
    }

    private func adopt(_ store: EncryptedStore) throws -> ToolRun.Outcome {
        let command = ["migrate", "baseline", "--to", "20260101_first", "--migrations-dir", "own", "--yes"]
        return try store.run(command + Self.words + ["--format", "json"])
    }

    /// Runs a statement in the database, as the shell of SQLCipher does it.
    private func sqlcipher(_ statement: String, _ store: EncryptedStore) throws {
        let done = try store.run.shell(
            """
            '\(EncryptedStore.python ?? "python3")' - <<'END'
            import sqlcipher3
            c = sqlcipher3.connect('notes.db', isolation_level=None)
            c.execute("PRAGMA key = '%s'" % open('pass').read().strip().replace("'", "''"))
            c.execute("\(statement)")
            END
            """)
        try #require(done.code == 0, "\(done.errors)")
    }

    private func remedy(_ id: String, _ store: EncryptedStore) throws -> String? {
        let answer = try store.run(["check", "--migrations-dir", "own", "--format", "json"] + Self.words).answer()
        return answer["findings"]?.arrayValue?.first { $0["id"]?.stringValue == id }?["remedy"]?.stringValue
    }

    @Test("the hint about the mark of another program has the statement that SQLCipher runs")
    func mark() throws {
        let store = try notes(mark: 77)
        let refused = try adopt(store)
        #expect(try refused.refusal()["code"] == "foreignMark", "\(refused.errors)")
        let hint = try refused.refusal()["hint"]?.stringValue ?? ""
        #expect(hint.contains("SQLCipher") && !hint.contains("sqlite3"), "\(hint)")
        try sqlcipher(#require(hint.components(separatedBy: "try again: ").last), store)
        let made = try adopt(store)
        #expect(made.code == 0, "\(made.errors)")
    }

    @Test("the answer of a restore does not propose to remove the backup that it proposes to restore")
    func plainBackup() throws {
        let run = try notes().run
        let own = ["--database", "chat=plain.db", "--passphrase-file", "pass"]
        let adopted = try run(
            ["migrate", "baseline", "--to", "20260101_first", "--migrations-dir", "own", "--yes", "--format", "json"]
                + own.prefix(2))
        let plain = try #require(try adopted.answer()["backup"]?.stringValue, "\(adopted.errors)")
        let set = try run(["passphrase", "set", "--new-passphrase-file", "pass", "--yes"] + own.prefix(2))
        try #require(set.code == 0, "\(set.errors)")
        let made = try run(["backup", "make", "--format", "json"] + own)
        let encrypted = try #require(try made.answer()["backup"]?["path"]?.stringValue, "\(made.errors)")
        let undone = try run(["restore", plain, "--yes"] + own)
        try #require(undone.code == 0, "\(undone.errors)")
        // The restored database is plain, which the answer says, with the command that encrypts it.
        let plainNow = try #require(
            undone.output.firstMatch(of: #/the store is plain now, and was encrypted; chatdb (.*) encrypts it/#),
            "\(undone.output)")
        #expect(plainNow.1.hasPrefix("passphrase set --database ") && plainNow.1.contains("--new-passphrase-file "))
        let restored = try run(["restore", encrypted, "--force", "--yes", "--migrations-dir", "own"] + own)
        try #require(restored.code == 0, "\(restored.errors)")
        let answer = restored.output
        #expect(answer.contains("chatdb restore \(plain) "), "\(answer)")
        let fact = "\(plain) holds content of the store in plain text; a restore of it undoes the adoption\n"
        #expect(answer.contains(fact), "\(answer)")
        // The command removes the other plain files. That of the check removes each.
        func removal(_ text: String) -> Substring {
            text.split(separator: "\n").first { $0.contains("remove the plain copies: rm -r ") } ?? ""
        }
        #expect(!removal(answer).isEmpty && !removal(answer).contains(plain), "\(answer)")
        let checked = try run(["check", "--migrations-dir", "own"] + own)
        #expect(removal(checked.output).contains(plain), "\(checked.output)")
    }

    @Test("a rehearsal of an encrypted database has a hint with a plain copy in another folder, on which it works")
    func rehearsal() throws {
        let store = try notes()
        try #require(try adopt(store).code == 0)
        try "ALTER TABLE notes ADD COLUMN b TEXT;\n"
            .write(toFile: store.run.file("own/chat/20260102_b.up.sql"), atomically: false, encoding: .utf8)
        let verify = ["migrate", "verify", "--migrations-dir", "own", "--format", "json", "--data"]
        let hint = try store.run(verify + ["chat=notes.db"]).refusal()["hint"]?.stringValue ?? ""
        #expect(hint.contains("plain there: chatdb passphrase remove --database 'chat=COPY'; then name"), "\(hint)")
        let made = try store.run.shell(
            """
            mkdir copy && cp notes.db copy/
            $CHATDB passphrase remove --database chat=copy/notes.db --yes --passphrase-file pass
            """)
        #expect(made.code == 0, "\(made.errors)")
        let rehearsed = try store.run(verify + ["chat=copy/notes.db"])
        #expect(rehearsed.code == 0, "\(rehearsed.errors)")
    }

    @Test("the remedies for a lost row of the table store and for a lost index have statements for SQLCipher")
    func remedies() throws {
        let store = try notes()
        let made = try adopt(store)
        try #require(made.code == 0, "\(made.errors)")
        try sqlcipher("DELETE FROM store", store)
        let row = try #require(try remedy("mismatchedPair", store))
        #expect(row.contains("SQLCipher") && !row.contains("sqlite3"), "\(row)")
        let insert = try #require(row.firstMatch(of: #/INSERT INTO store .* VALUES \('ID', 1\)/#))
        try sqlcipher(String(insert.output), store)
        #expect(try remedy("mismatchedPair", store) == nil)
        try sqlcipher("DROP INDEX by_text", store)
        let index = try #require(try remedy("chatSchemaLost", store))
        #expect(index.contains("with the shell of SQLCipher, after PRAGMA key, while"), "\(index)")
    }

    @Test("the warning of a run about unused space names the sqlite3 shell for a plain store only")
    func space() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let filler = "CREATE TABLE filler AS SELECT randomblob(8000000) AS bytes"
        try store.run.sql("\(filler); DROP TABLE filler")
        try store.sqlcipher("c.execute('\(filler)'); c.execute('DROP TABLE filler')")
        for (prefix, isPlain) in [("x", true), ("y", false)] {
            let run = try store.run(
                "migrate", "down", "--steps", "1", "--yes", "-d", prefix, "--passphrase-file", "pass")
            #expect(run.code == 0 && run.errors.contains("of unused space"), "\(run.errors)")
            #expect(run.errors.contains("sqlite3") == isPlain, "\(run.errors)")
        }
    }
}
