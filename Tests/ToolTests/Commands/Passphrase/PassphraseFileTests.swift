import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Files with a passphrase that have bytes which an editor does not show. Rule: docs/encryption.md, "Passphrases".
@Suite(
    "files with a passphrase", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct PassphraseFileTests {
    /// A key in the place of a passphrase: no time goes into deriving it.
    private static func key(_ byte: String) -> String { "x'\(String(repeating: byte, count: 32))'" }

    /// The store `y`, and the files `other` and `new` with other keys.
    private func store() throws -> EncryptedStore {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("other", Self.key("3f") + "\n")
        try store.write("new", Self.key("4f") + "\n")
        return store
    }

    @Test("a new passphrase with a blank at an end is taken with a warning, which comes before the question")
    func blanks() throws {
        let store = try store()
        try store.write("blank", "word \n")
        func warning(_ source: String) -> String {
            "\(source) ends with a blank, which is part of the new passphrase: without it, the passphrase does not open"
        }
        let stdin = warning("the line on standard input")
        let change = "passphrase change -d y --passphrase-file pass"
        let before = try store.run.folder.fingerprint()
        for (command, expected, code) in [
            ("\(change) --new-passphrase-file blank", warning("blank"), 64),
            ("\(change) --new-passphrase-stdin --dry-run", stdin, 0),
            ("passphrase set -d x --new-passphrase-stdin", stdin, 64),
            ("migrate run -d n --encrypt --passphrase-file blank --dry-run", warning("blank"), 0),
        ] as [(String, String, Int32)] {
            let run = try store.run.shell("$CHATDB \(command) < blank")
            #expect(run.code == code && run.errors.contains(expected), "\(command): \(run)")
            #expect(!run.errors.contains("word"), "\(run.errors)")
            if code == 64 { #expect(run.errors.contains("--yes"), "\(run.errors)") }
        }
        #expect(try store.run.folder.fingerprint() == before)
        let made = try store.run(
            ["migrate", "run", "-d", "n", "--encrypt"], environment: ["CHATDB_PASSPHRASE_FILE": "blank"])
        #expect(made.code == 0 && made.errors.contains(warning("blank")), "\(made.errors)")
        // The passphrase of a store that exists causes no warning.
        let list = try store.run("user", "list", "-d", "n", "--passphrase-file", "blank")
        #expect(list.code == 0 && !list.errors.contains("blank"), "\(list.errors)")
    }

    @Test("a passphrase that a plain store does not need causes a warning, and that of an encrypted one none")
    func unused() throws {
        let store = try store()
        let text = "the passphrase is not used, because no database that this command opens is encrypted"
        for command in ["user list", "check", "relay list --format json", "backup make"] {
            let arguments = command.split(separator: " ").map(String.init)
            let plain = try store.run(arguments + ["-d", "x", "--passphrase-file", "pass"])
            #expect(plain.code == 0 && plain.errors.contains(text), "\(command): \(plain)")
            let encrypted = try store.run(arguments + ["-d", "y", "--passphrase-file", "pass"])
            #expect(encrypted.code == 0 && !encrypted.errors.contains(text), "\(command): \(encrypted)")
        }
        // A variable of the environment may stand for other stores.
        let variable = try store.run(["user", "list", "-d", "x"], environment: ["CHATDB_PASSPHRASE_FILE": "pass"])
        #expect(variable.code == 0 && !variable.errors.contains(text), "\(variable.errors)")
    }

    @Test(
        "the error about a file of --other-passphrase-file says what an editor does not show",
        arguments: [
            ("first\nsecond\n", "has several lines, and all of them count"),
            ("\u{FEFF}first\n", "begins with a byte order mark, which counts"),
            (" first\n", "begins with a blank, which counts"),
        ])
    func otherFile(_ content: String, _ reason: String) throws {
        let store = try store()
        try store.write("spoiled", content)
        try store.encrypt("chat", with: Self.key("3f"))
        let words = [
            "passphrase", "change", "-d", "y", "--other-passphrase-file", "spoiled", "--new-passphrase-file", "new",
            "--yes", "--format", "json", "--passphrase-file",
        ]
        let before = try store.run.folder.fingerprint()
        // The first passphrase opens one database, or none.
        for first in ["pass", "new"] {
            let run = try store.run(words + [first])
            let error = try run.refusal()
            #expect(run.code == 66 && error["code"] == "wrongPassphrase", "\(run.errors)")
            #expect(error["hint"]?.stringValue?.hasPrefix("spoiled \(reason)") == true, "\(first): \(run.errors)")
            #expect(error["state"] == "Nothing was changed.", "\(run.errors)")
        }
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("passphrase change and remove say that the passphrase fits in another normal form of Unicode")
    func otherForm() throws {
        let store = try store()
        try store.write("composed", "caf\u{E9}\n")
        try store.write("decomposed", "cafe\u{301}\n")
        let set = ["passphrase", "set", "-d", "x", "--new-passphrase-file", "composed", "--yes"]
        try #require(try store.run(set).code == 0)
        let note = "note: the passphrase fits in another normal form of Unicode than the given one"
        for words in [["change", "--new-passphrase-file", "new"], ["remove"]] {
            let dry = ["passphrase"] + words + ["-d", "x", "--dry-run", "--passphrase-file"]
            #expect(try store.run(dry + ["decomposed"]).output.contains(note))
            #expect(try !store.run(dry + ["composed"]).output.contains(note))
            let warning = "warning: all who can read the plain files can read their content"
            #expect(try store.run(dry + ["composed"]).output.contains(warning) == (words == ["remove"]))
        }
        let change = ["passphrase", "change", "-d", "x", "--passphrase-file", "decomposed", "--yes"]
        let changed = try store.run(change + ["--new-passphrase-file", "new"])
        #expect(changed.code == 0 && changed.output.contains(note), "\(changed)")
    }

    @Test("backup list and backup verify say what an editor does not show in the file of the passphrase")
    func backups() throws {
        let store = try store()
        try #require(try store("backup", "make").code == 0)
        try store.write("lines", EncryptedStore.key + "\n\n")
        for command in ["list", "verify"] {
            let words = ["backup", command, "-d", "y", "--format", "json", "--passphrase-file"]
            let notes = try store.run(words + ["lines"]).answer()["notes"]?.texts ?? []
            #expect(notes.last?.hasPrefix("lines has several lines, and all of them count") == true, "\(notes)")
            let usual = try store.run(words + ["other"]).answer()["notes"]?.texts ?? []
            #expect(!usual.isEmpty && !usual.contains { $0.contains("which counts") }, "\(usual)")
        }
    }
}
