import ChatDBKit
import Foundation
import TestKit
import Testing

/// The copies that stay beside an encrypted store: which commands name them, and what they say of each.
/// Rule: docs/encryption.md, "Changing the passphrase".
@Suite(
    "copies beside encrypted stores", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct PassphraseCopiesTests {
    private static let yes = ["-d", "x", "--yes", "--format", "json"]

    /// The demo's store `x`, encrypted by chatdb, with a plain backup; `pass` and `new` are files of two keys.
    private func store() throws -> EncryptedStore {
        let store = EncryptedStore(in: try DemoStore.make())
        try store.write("pass", EncryptedStore.key + "\n")
        try store.write("new", "x'\(String(repeating: "4f", count: 32))'\n")
        try store.run.succeed("backup", "make", "-d", "x")
        let set = try store.run(["passphrase", "set", "--new-passphrase-file", "pass"] + Self.yes)
        try #require(set.code == 0, "\(set.errors)")
        return store
    }

    private func notes(_ answer: JSONValue) -> [String] { answer["notes"]?.texts ?? [] }

    private static func fact(_ path: String) -> String { "\(path) holds content of the store in plain text" }

    @Test("change names the copies beside the store, and a backup with the new passphrase comes before removals")
    func changed() throws {
        let store = try store()
        #expect(try store("backup", "make", store: "x").code == 0)
        let change = ["passphrase", "change", "--passphrase-file", "pass", "--new-passphrase-file", "new"] + Self.yes
        let answer = try store.run(change).answer()
        let (plain, encrypted) = (answer["plainCopies"]?.texts ?? [], answer["encryptedCopies"]?.texts ?? [])
        try #require(plain.count == 2 && encrypted.count == 1, "\(answer)")
        for path in plain { #expect(notes(answer).contains(Self.fact(path)), "\(answer)") }
        // The only encrypted backup has the old passphrase: the plain copies go when there is a new one.
        let removal =
            "when the encrypted store works, and you need none of their older states, which cannot be restored "
            + "afterwards, remove the plain copies: rm -r \(plain.joined(separator: " "))"
        let first = "the store has no encrypted backup that its passphrase is known to open; make one first: chatdb "
        let advice = try #require(notes(answer).first { $0.hasSuffix(removal) }, "\(answer)")
        try #require(advice.hasPrefix(first), "\(advice)")
        let command = try #require(advice.dropFirst(first.count).split(separator: ";").first)
        #expect(try store.run.shell("$CHATDB \(command)").code == 0, "\(command)")
        let checked = try store.run("check", "-d", "x", "--passphrase-file", "new", "--format", "json").answer()
        #expect(notes(checked).contains(removal), "\(checked)")
        let old = "opens with the passphrase that the store had when it was made"
        let copy = encrypted[0]
        #expect(notes(answer).contains("\(copy) \(old); remove it when the store has a newer backup: rm -r \(copy)"))
        let replaced = try #require(answer["replaced"]?.stringValue)
        #expect(
            notes(answer).contains(
                "the replaced files open with the old passphrase; remove them when the store opens with the new one: "
                    + "rm -r \(replaced)"))
        #expect(!plain.contains(replaced) && !encrypted.contains(replaced))
    }

    @Test("remove says which passphrase opens the copies, and names no plain ones")
    func removed() throws {
        let store = try store()
        #expect(try store("backup", "make", store: "x").code == 0)
        let answer = try store.run(["passphrase", "remove", "--passphrase-file", "pass"] + Self.yes).answer()
        let copies = answer["encryptedCopies"]?.texts ?? []
        try #require(copies.count == 1 && answer["plainCopies"]?.texts == [], "\(answer)")
        let end = "remove it when you no longer need it: rm -r \(copies[0])"
        let old = "\(copies[0]) opens with the passphrase that the store had when it was made"
        #expect(notes(answer).contains("\(old); \(end)"), "\(answer)")
        let replaced = try #require(answer["replaced"]?.stringValue)
        let note = "the replaced files open with the old passphrase; keep it, or remove them when the plain store works"
        #expect(notes(answer).contains("\(note): rm -r \(replaced)"), "\(answer)")
    }

    @Test("the folder of the new files of an interrupted command is none of the copies")
    func unfinished() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try #require(store.run.shell("mkdir y.restoring; cp x_chat.db y_agent.db y.restoring").code == 0)
        let answer = try store("passphrase", "remove", "--dry-run", "--format", "json").answer()
        #expect(answer["plainCopies"]?.texts == [] && answer["encryptedCopies"]?.texts == [], "\(answer)")
        let checked = try store("check", "--format", "json").answer()
        #expect(!notes(checked).contains { $0.contains("in plain text") }, "\(checked)")
    }

    @Test("check and inspect say that a file which a killed remove left with a first page of zeros may be plain")
    func killedEarly() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        // SQLite writes the other pages of a new file before the first one.
        let left = try store.run.shell(
            """
            mkdir y.restoring; cp x_chat.db x_agent.db y.restoring; cd y.restoring; touch ../y.lock
            mv x_chat.db y_chat.db; dd if=/dev/zero of=y_chat.db bs=4096 count=1 conv=notrunc 2>/dev/null
            : > y_agent.db; rm x_agent.db
            """)
        try #require(left.code == 0, "\(left.errors)")
        func finding() throws -> JSONValue? {
            let findings = try store("check", "--format", "json").answer()["findings"]?.arrayValue
            return findings?.first { $0["id"] == "abandonedFiles" }
        }
        let found = try #require(try finding())
        let sample = ["y.restoring/y_chat.db (unfinished, may be plain)", "y.restoring/y_agent.db"]
        #expect(found["sample"]?.texts == sample, "\(found)")
        let remedy = found["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("the files are unfinished copies, which may be in plain text. rm -r "), "\(remedy)")
        func warnings() throws -> String {
            try (store("inspect", "--format", "json").answer()["warnings"]?.texts ?? []).joined(separator: "\n")
        }
        #expect(try warnings().contains("left copies of databases, which may be plain, in "))

        // A file that was completed is plain, or is none.
        try #require(store.run.shell("cp x_agent.db y.restoring/y_agent.db").code == 0)
        #expect(try warnings().contains("left plain copies of databases in "))
        try #require(store.run.shell("cp y_chat.db y_agent.db y.restoring").code == 0)
        #expect(try warnings().contains("left copies of databases in "))
        #expect(try finding()?["sample"]?.texts == ["y.restoring/y_chat.db", "y.restoring/y_agent.db"])
    }

    @Test("a completed change names the database that another program made meanwhile, and no command removes it")
    func madeMeanwhile() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("new", "x'\(String(repeating: "4f", count: 32))'\n")
        try store.interruptChange(isMoved: true)
        try #require(store.run.shell("cp x_chat.db y_chat.db").code == 0)
        let answer = try store("passphrase", "change", "--new-passphrase-file", "new", "--yes", "--format", "json")
            .answer()
        let replaced = try #require(answer["replaced"]?.stringValue, "\(answer)")
        let made = replaced + "/y_chat.db-2"
        let sentence = "/y_chat.db while the change was interrupted; chatdb kept it as \(made)"
        #expect(
            notes(answer).contains { $0.hasPrefix("another program made /") && $0.hasSuffix(sentence) }, "\(answer)")
        // The command removes the old files, and not the one of the other program.
        let note = try #require(notes(answer).first { $0.contains("; remove them when ") }, "\(answer)")
        let command = "rm \(replaced)/y_agent.db \(replaced)/y_chat.db"
        try #require(note.hasSuffix(": \(command)"), "\(note)")
        #expect(try store.run.shell(command).code == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: replaced) == ["y_chat.db-2"])
    }

    @Test("check of an encrypted store names the plain copies beside it until they are removed")
    func checked() throws {
        let store = try store()
        func found() throws -> [String] {
            let answer = try store("check", "--format", "json", store: "x").answer()
            return notes(answer).filter { $0.contains("in plain text") }
        }
        let names = try found()
        try #require(names.count == 2, "\(names)")
        #expect(names.contains { $0.contains("x.replaced-") } && names.contains { $0.contains("/x.backups/x-") })
        // An encrypted backup of another store with the same name and passphrase is none of this one.
        let other = try store.run.shell(
            """
            set -e; mkdir o; $CHATDB migrate run -d o/x --encrypt --passphrase-file pass -q > answer
            $CHATDB backup make -d o/x --passphrase-file pass -q > answer; mv o/x.backups/x-* x.backups/other
            """)
        try #require(other.code == 0, "\(other.errors)")
        // The advice keeps a backup: its first command makes an encrypted one.
        let answer = try store("check", "--format", "json", store: "x").answer()
        let advice = try #require(notes(answer).first { $0.contains("remove the plain copies") }, "\(answer)")
        let parts = try #require(
            advice.wholeMatch(
                of: #/the store has no encrypted backup .*; make one first: chatdb (.*); when .* copies: (rm -r .*)/#),
            "\(advice)")
        #expect(try store.run.shell("$CHATDB \(parts.1) && \(parts.2)").code == 0, "\(advice)")
        #expect(try found() == [])
        let list = try store("backup", "list", "--format", "json", store: "x").answer()
        #expect(list["backups"]?.arrayValue?.count == 2, "\(list)")
        #expect(try store("user", "list", store: "x").code == 0)
    }

    @Test("check of a plain store has no such note")
    func plain() throws {
        let run = try DemoStore.make()
        try run.succeed("backup", "make", "-d", "x")
        let answer = try run("check", "-d", "x", "--format", "json").answer()
        #expect(!notes(answer).contains { $0.contains("in plain text") }, "\(answer)")
    }

    @Test("a restore that leaves a plain store beside an encrypted one says so, and names the command that removes it")
    func restored() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let prepared = try store.run.shell(
            """
            set -e
            mkdir b; $CHATDB backup make b -d y --passphrase-file pass -q > answer; mv b/* sealed
            $CHATDB passphrase remove -d y --passphrase-file pass --yes -q > answer; rm -r y.replaced-*
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        let run = try store("restore", "sealed", "--yes", "--format", "json")
        let answer = try run.answer()
        let replaced = try #require(answer["replaced"]?.stringValue, "\(run.errors)")
        #expect(answer["plainCopies"]?.texts == [replaced] && answer["differences"]?.arrayValue != nil, "\(answer)")
        // The answer has the command that restores this copy, and so none that removes it. check has it.
        let undo = answer["undo"]?.stringValue ?? ""
        #expect(undo.contains(replaced) && !notes(answer).contains { $0.contains("rm -r") }, "\(answer)")
        let checked = try store("check", "--format", "json").answer()
        #expect(notes(checked).contains { $0.contains("remove the plain copies: rm -r \(replaced)") }, "\(checked)")
        let again = try store("restore", "sealed", "--yes")
        #expect(again.code == 0, "\(again.errors)")
        let words = again.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("holds content of the store in plain text"), "\(again.output)")
        #expect(words.contains("remove the plain copies: rm -r "), "\(again.output)")
    }
}
