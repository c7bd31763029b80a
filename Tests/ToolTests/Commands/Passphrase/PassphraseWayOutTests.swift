import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// The ways out of unusual states of encrypted stores: two passphrases, a lost one, an interrupted change, and stores
/// whose migrations are not chatdb's own. SQLCipher judges the files. Rule: docs/encryption.md.
@Suite(
    "ways out of unusual states of encrypted stores", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct PassphraseWayOutTests {
    private static let files = ["chat", "agent"]

    /// A key in the place of a passphrase: no time goes into deriving it.
    private static func key(_ byte: String) -> String { "x'\(String(repeating: byte, count: 32))'" }

    /// The demo's store `y`, encrypted, with the files `pass` of its key, and `other` and `new` of two other keys.
    private func store() throws -> EncryptedStore {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("other", Self.key("3f") + "\n")
        try store.write("new", Self.key("4f") + "\n")
        return store
    }

    /// What SQLCipher finds wrong in both databases with the key of a file; empty if it finds nothing.
    private func problems(_ prefix: String, _ file: String, in store: EncryptedStore) throws -> String {
        let kept = try String(contentsOfFile: store.run.file("pass"), encoding: .utf8)
        try store.write("pass", String(contentsOfFile: store.run.file(file), encoding: .utf8))
        defer { try? store.write("pass", kept) }
        return try Self.files.map { try store.problems("\(prefix)_\($0).db") }.joined()
    }

    private static let change = [
        "passphrase", "change", "-d", "y", "--passphrase-file", "pass", "--new-passphrase-file", "new", "--yes",
    ]

    // MARK: Two passphrases

    @Test(
        "two databases with different passphrases get one; without the other passphrase, the error names the database",
        arguments: ["chat", "agent"])
    func two(_ other: String) throws {
        let store = try store()
        try store.encrypt(other, with: Self.key("3f"))
        let before = try store.run.folder.fingerprint()
        let refused = try store.run(Self.change + ["--format", "json"])
        let error = try refused.refusal()
        #expect(refused.code == 66 && error["code"] == "wrongPassphrase", "\(refused.errors)")
        #expect(error["message"]?.stringValue?.contains("not the \(other) database") == true, "\(error)")
        #expect(error["details"]?["database"]?.stringValue == other)
        #expect(
            error["hint"]?.stringValue?.hasPrefix(
                "chatdb passphrase change --other-passphrase-file FILE -d y --passphrase-file pass "
                    + "--new-passphrase-file new takes") == true, "\(error)")
        let wrong = try store.run(Self.change + ["--other-passphrase-file", "new"])
        #expect(wrong.code == 66 && wrong.errors.contains("neither passphrase opens"), "\(wrong.errors)")
        let dry = try store.run(
            Self.change + ["--other-passphrase-file", "other", "--dry-run", "--format", "json"])
        #expect(try dry.answer()["hadTwoPassphrases"] == true, "\(dry.errors)")
        #expect(try store.run.folder.fingerprint() == before)

        let changed = try store.run(Self.change + ["--other-passphrase-file", "other"])
        #expect(changed.code == 0, "\(changed.errors)")
        #expect(changed.output.contains("the databases had two different passphrases, and have one now"))
        #expect(changed.output.contains("the replaced files open with the old passphrases"))
        #expect(try problems("y", "new", in: store) == "")
        let listed = try store.run("user", "list", "-d", "y", "--passphrase-file", "new")
        #expect(listed.code == 0 && listed.output.contains("alice"), "\(listed.errors)")
    }

    @Test("inspect counts both databases with two passphrases, and restore of them proposes a change in their folder")
    func twoInBackup() throws {
        let store = try store()
        try #require(store.run.shell("mkdir two").code == 0)
        try store.encrypt("agent", with: Self.key("3f"))
        let inspected = try store("inspect", "--format", "json")
        #expect(inspected.output.contains(#""encrypted": true"#), "\(inspected.output)")
        #expect(!inspected.output.contains(#""encrypted": false"#), "\(inspected.output)")
        try #require(store.run.shell("mv y_chat.db y_agent.db two").code == 0)
        let refused = try store("restore", "two", "--force", "--yes", "--format", "json")
        let hint = try refused.refusal()["hint"]?.stringValue ?? ""
        let change = "/two/y --other-passphrase-file FILE --new-passphrase-file NEW --passphrase-file pass gives both"
        #expect(refused.code == 66 && hint.contains(change), "\(refused.errors)")
    }

    @Test("the other passphrase changes nothing for a store with one passphrase, and a note says so")
    func one() throws {
        let store = try store()
        let changed = try store.run(Self.change + ["--other-passphrase-file", "other", "--format", "json"])
        let answer = try changed.answer()
        #expect(answer["hadTwoPassphrases"] == false, "\(changed.errors)")
        #expect(answer["notes"]?.text(.compact).contains("--other-passphrase-file was not used") == true, "\(answer)")
        #expect(try problems("y", "new", in: store) == "")
    }

    // MARK: Interrupted changes

    /// The state of a change of the store `d/y` after its record and the moves of the old files.
    private func interrupted() throws -> EncryptedStore {
        let store = try store()
        let made = try store.run.shell("mkdir d; mv y_chat.db y_agent.db d")
        try #require(made.code == 0, "\(made.errors)")
        try store.interruptChange(of: "d/y", isMoved: true)
        return store
    }

    @Test("the folder of a store means the store whose change was interrupted, also while no database is in its place")
    func folder() throws {
        let store = try interrupted()
        let refused = try store.run("user", "list", "-d", "d", "--passphrase-file", "new", "--format", "json")
        let error = try refused.refusal()
        #expect(refused.code == 78 && error["code"] == "interruptedPassphraseChange", "\(refused.errors)")
        #expect(error["details"]?["store"] == "y")
        #expect(error["message"]?.stringValue?.contains("a change of the passphrase of y begun at") == true)
        let hint = "chatdb passphrase change -d d --passphrase-file new completes it"
        #expect(error["hint"]?.stringValue == hint, "\(error)")
        for command in [["migrate", "run", "--yes"], ["migrate", "up", "--yes"], ["salvage", "--output", "saved"]] {
            let run = try store.run(command + ["-d", "d/y", "--passphrase-file", "new", "--format", "json"])
            #expect(try run.code == 78 && run.refusal()["code"] == "interruptedPassphraseChange", "\(run.errors)")
        }
        let completed = try store.run(
            "passphrase", "change", "-d", "d", "--passphrase-file", "pass", "--new-passphrase-file", "new", "--yes")
        #expect(completed.code == 0, "\(completed.output) \(completed.errors)")
        #expect(try problems("d/y", "new", in: store) == "")
    }

    @Test("check names an interrupted change of the passphrase, and the command that completes it")
    func check() throws {
        let store = try interrupted()
        #expect(try store.run.shell("mv d/y.restoring/y_agent.db d").code == 0)
        let checked = try store.run("check", "-d", "d/y", "--passphrase-file", "new", "--format", "json")
        let findings = try checked.answer()["findings"]?.arrayValue ?? []
        let finding = try #require(
            findings.first { $0["id"] == "interruptedPassphraseChange" }, "\(checked.output) \(checked.errors)")
        #expect(!findings.contains { $0["id"] == "interruptedRestore" })
        #expect(
            finding["remedy"]?.stringValue
                == "chatdb passphrase change -d d/y --passphrase-file new completes or undoes it. Until then, start no "
                + "app with the store.")
    }

    @Test("backup list names an interrupted change of the passphrase, and offers no restore, which would be refused")
    func backupsOfInterrupted() throws {
        let store = try store()
        #expect(try store("backup", "make").code == 0)
        try store.interruptChange(isMoved: true)
        let shown = try store("backup", "list")
        let note = "was interrupted; chatdb passphrase change -d y --passphrase-file pass completes it"
        #expect(shown.code == 0 && shown.output.contains(note), "\(shown.output) \(shown.errors)")
        #expect(!shown.output.contains("chatdb restore"), "\(shown.output)")
        let answer = try store("backup", "list", "--format", "json").answer()
        #expect(answer["notes"]?.texts?.first?.hasSuffix(note) == true, "\(answer)")
        #expect(answer["backups"]?.arrayValue?.allSatisfy { $0["restore"] == .null } == true, "\(answer)")
    }

    // MARK: Other migrations

    @Test("a store of other migrations than chatdb's own is encrypted, gets another passphrase, and is made plain")
    func ownMigrations() throws {
        let store = EncryptedStore(in: try ToolRun())
        for (database, table) in [("chat", "notes"), ("agent", "queues")] {
            let folder = store.run.file("own/\(database)")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try MigrationFixture.write(
                ["20300101_\(table).up.sql": "-- Why: a test.\nCREATE TABLE \(table) (id INTEGER PRIMARY KEY) STRICT;"],
                to: folder)
        }
        try store.run.succeed("migrate", "run", "--migrations-dir", store.run.file("own"), "-d", "x")
        try store.run.sql("INSERT INTO notes VALUES (7)")
        try changes(["-d", "x"], ["x_chat.db", "x_agent.db"], in: store)
        #expect(try store.run.sql("SELECT id FROM notes") == "7")
        let status = try store.run("migrate", "status", "-d", "x", "--migrations-dir", "own", "--exit-code")
        #expect(status.code == 0, "\(status.output) \(status.errors)")
    }

    @Test("an adopted database is encrypted, gets another passphrase, and is made plain")
    func adopted() throws {
        let store = EncryptedStore(in: try ToolRun())
        let words = ["--database", "chat=app.sqlite"]
        try store.run.sql("CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (7)", in: "app.sqlite")
        let folder = store.run.file("own/chat")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let first = try store.run(["schema", "dump"] + words).output
        try first.write(toFile: folder + "/20260101_first.up.sql", atomically: false, encoding: .utf8)
        let baseline = ["migrate", "baseline", "--yes", "--to", "20260101_first", "--migrations-dir", "own"]
        let made = try store.run(baseline + words)
        try #require(made.code == 0, "\(made.errors)")
        // A journal that was not synced blocks none of the changes.
        try store.run.killWriter(of: "app.sqlite")
        try changes(words, ["app.sqlite"], in: store)
        #expect(try store.run.sql("SELECT id FROM posts", in: "app.sqlite") == "7")
        let status = try store.run(["migrate", "status", "--migrations-dir", "own", "--exit-code"] + words)
        #expect(status.code == 0, "\(status.output) \(status.errors)")
    }

    /// Sets, changes and removes the passphrase of a plain store. SQLCipher looks at each encrypted state.
    private func changes(_ words: [String], _ files: [String], in store: EncryptedStore) throws {
        try store.write("pass", Self.key("2f") + "\n")
        let set = try store.run(["passphrase", "set", "--new-passphrase-file", "pass", "--yes"] + words)
        #expect(set.code == 0 && set.output.contains("encrypted now"), "\(set.errors)")
        #expect(!set.output.contains("the chats"), "\(set.output)")
        for file in files { #expect(try store.problems(file) == "") }
        try store.write("old", Self.key("2f") + "\n")
        try store.write("pass", Self.key("3f") + "\n")
        let changed = try store.run(
            ["passphrase", "change", "--passphrase-file", "old", "--new-passphrase-file", "pass", "--yes"] + words)
        #expect(changed.code == 0, "\(changed.errors)")
        for file in files { #expect(try store.problems(file) == "") }
        let remove = ["passphrase", "remove", "--passphrase-file", "pass", "--yes"] + words
        let copied = try store.run(remove + ["--output", "plain"])
        #expect(copied.code == 64 && copied.errors.contains(" is another store\n"), "\(copied.errors)")
        let removed = try store.run(remove)
        #expect(removed.code == 0 && removed.output.contains("can read their content"), "\(removed.errors)")
    }

    // MARK: A lost passphrase

    @Test("with --force, a plain backup is restored over a store whose passphrase is lost, and the files are kept")
    func lost() throws {
        let run = try DemoStore.make()
        let store = EncryptedStore(in: run)
        try store.write("pass", Self.key("2f") + "\n")
        try store.write("wrong", Self.key("3f") + "\n")
        let prepared = try run.shell(
            """
            set -e
            mkdir b; $CHATDB backup make b -d x -q > answer; mv b/* plain
            $CHATDB passphrase set -d x --new-passphrase-file pass --yes -q > answer; rm -r x.replaced-*
            $CHATDB backup make b -d x --passphrase-file pass -q > answer; mv b/* sealed
            cp x_chat.db c; cp x_agent.db a
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        let before = try run.folder.fingerprint()
        for (words, code) in [
            (["plain", "--yes"], "encrypted"), (["plain", "--dry-run"], "encrypted"),
            (["plain", "--yes", "--force", "--passphrase-file", "wrong"], "wrongPassphrase"),
            (["sealed", "--yes", "--force"], "encrypted"),
        ] as [([String], String)] {
            let refused = try run(["restore", "-d", "x", "--format", "json"] + words)
            #expect(try refused.refusal()["code"]?.stringValue == code, "\(words): \(refused.errors)")
        }
        let planned = try run("restore", "plain", "-d", "x", "--force", "--dry-run", "--format", "json")
        #expect(try planned.answer()["differences"] == .null, "\(planned.output) \(planned.errors)")
        let dry = try run("restore", "plain", "-d", "x", "--force", "--dry-run")
        #expect(dry.code == 0 && dry.output.contains("cannot read what is in the chat database"), "\(dry.errors)")
        #expect(try run.folder.fingerprint() == before)

        let restored = try run("restore", "plain", "-d", "x", "--force", "--yes", "--format", "json")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try restored.answer()["differences"] == .null && restored.answer()["plainCopies"]?.texts == [])
        // The same notes as in the text: two about the lost content, and one about the plain files.
        let notes = try restored.answer()["notes"]?.texts ?? []
        #expect(notes.count == 3, "\(notes)")
        #expect(notes.count { $0.hasPrefix("chatdb cannot read what is in the ") } == 2, "\(notes)")
        // The backup has the first generation, and nothing says how many the store had.
        let generation = try #require(try restored.answer()["generation"]?.integerValue)
        #expect(generation > 1_000_000_000_000)
        let replaced = try #require(try restored.answer()["replaced"]?.stringValue)
        let same = try run.shell("cmp c \(replaced)/x_chat.db && cmp a \(replaced)/x_agent.db")
        #expect(same.code == 0, "\(same.output)")
        #expect(try run.succeed("user", "list", "-d", "x").output.contains("alice"))
    }

    @Test("an encrypted store with the name of SimpleX Chat's takes no backup of chatdb's, also with --force")
    func lostOfApp() throws {
        let run = try DemoStore.make()
        let prepared = try run.shell(
            """
            set -e
            mkdir b; $CHATDB backup make b -d x -q > answer; mv b/* plain
            for n in chat agent; do head -c 8192 /dev/urandom > simplex_v1_$n.db; done
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        let before = try run.folder.fingerprint()
        let refused = try run("restore", "plain", "-d", "simplex_v1", "--force", "--yes", "--format", "json")
        #expect(try refused.refusal()["code"] == "readOnlyStore", "\(refused.errors)")
        #expect(try run.folder.fingerprint() == before)
    }

    @Test("a backup with the passphrase from before a change needs --force, and the answer says how to go back")
    func oldBackup() throws {
        let store = try store()
        let changed = try store.run.shell(
            """
            set -e
            $CHATDB backup make b -d y --passphrase-file pass -q > answer; mv b/* kept
            $CHATDB passphrase change -d y --passphrase-file pass --new-passphrase-file new --yes -q > answer
            """)
        try #require(changed.code == 0, "\(changed.errors)")
        let words = ["restore", "kept", "-d", "y", "--passphrase-file", "pass", "--yes"]
        let refused = try store.run(words + ["--format", "json"])
        #expect(try refused.code == 1 && refused.refusal()["code"] == "lockedStore", "\(refused.errors)")
        let hint = try refused.refusal()["hint"]?.stringValue ?? ""
        #expect(hint.hasPrefix("chatdb restore "), "\(hint)")
        #expect(hint.contains("kept --force -d y --passphrase-file pass restores it"), "\(hint)")
        #expect(try refused.refusal()["message"]?.stringValue?.contains("opens the store") == true, "\(refused.errors)")
        let plan = try store.run("restore", "kept", "-d", "y", "--passphrase-file", "pass", "--dry-run", "--force")
        #expect(plan.output.contains("not compared"), "\(plan.output)")
        let done = try store.run(words + ["--force", "--format", "json"])
        let undo = try #require(try done.answer()["undo"]?.stringValue, "\(done.errors)")
        #expect(undo.contains("--passphrase-file FILE"), "\(undo)")
        #expect(try done.answer()["notes"]?.texts?.contains("the store has the passphrase of the backup now") == true)
        // The folder gets a number if the change and the restore are of one second. With it, it is no backup.
        let folder = try #require(undo.firstMatch(of: #/y\.replaced-[0-9]{8}T[0-9]{6}Z(?:-[0-9]+)?/#)).output
        let numbered = "\(folder)-2"
        let arguments = undo.dropFirst("chatdb ".count).replacing("FILE", with: store.run.file("new"))
            .replacing(folder, with: numbered)
        let back = try store.run.shell("mv \(folder) \(numbered) && $CHATDB \(arguments) --yes")
        #expect(back.code == 0, "\(back.errors)")
        #expect(try store.run("user", "list", "-d", "y", "--passphrase-file", "new").code == 0)
    }

    @Test("a passphrase that opens neither the store nor the backup is an error that names both")
    func neither() throws {
        let store = try store()
        let made = try store.run.shell("mkdir b; $CHATDB backup make b -d y --passphrase-file pass -q; mv b/* kept")
        try #require(made.code == 0, "\(made.errors)")
        for words in [["--force"], []] {
            let refused = try store.run(
                ["restore", "kept", "-d", "y", "--passphrase-file", "other", "--yes", "--format", "json"] + words)
            let error = try refused.refusal()
            #expect(refused.code == 66 && error["code"] == "wrongPassphrase", "\(refused.errors)")
            let message = error["message"]?.stringValue ?? ""
            #expect(message.contains("kept/y_chat.db") && message.contains("the store ("), "\(message)")
            #expect(error["hint"]?.stringValue?.hasPrefix("give the passphrase of the backup") == true, "\(error)")
        }
    }

    @Test("on a terminal, restore asks for the passphrase of the backup, and again until one opens the backup")
    func asked() throws {
        let store = try store()
        let prepared = try store.run.shell(
            """
            set -e
            mkdir b; $CHATDB backup make b -d y --passphrase-file pass -q > answer; mv b/* kept
            $CHATDB passphrase change -d y --passphrase-file pass --new-passphrase-file new --yes -q > answer
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        let run = try TerminalRun(
            ["restore", "kept", "-d", "y", "--force", "--yes"], in: store.run, answer: .shown)
        // The terminal forgets what was typed before the question.
        let first = try run.terminal.read(until: "Passphrase of ") + run.terminal.read(until: ": ")
        #expect(first.contains("kept/y_chat.db"), "\(first)")
        // The passphrase of the store.
        run.terminal.type(Self.key("4f") + "\n")
        _ = try run.terminal.read(until: "does not open it.\nPassphrase of ")
        run.terminal.type(EncryptedStore.key + "\n")
        let end = try run.end()
        #expect(end.code == 0, "\(end.shown)")
        #expect(try store.run("user", "list", "-d", "y", "--passphrase-file", "pass").code == 0)
    }

    // MARK: What is kept beside the store

    @Test("backup list marks the backups that have another passphrase, and proposes the newest one that opens")
    func listed() throws {
        let store = try store()
        func list(_ words: String...) throws -> [JSONValue] {
            let answer = try store.run(["backup", "list", "-d", "y", "--format", "json"] + words).answer()
            return answer["backups"]?.arrayValue ?? []
        }
        let back = [
            "passphrase", "change", "-d", "y", "--passphrase-file", "new", "--new-passphrase-file", "pass", "--yes",
        ]
        #expect(try store("backup", "make").code == 0)
        #expect(try store.run(Self.change).code == 0)
        #expect(try store.run("backup", "make", "-d", "y", "--passphrase-file", "new").code == 0)
        #expect(try list("--passphrase-file", "new").map { $0["otherPassphrase"] } == [false, true])
        #expect(try store.run(back).code == 0)
        let backups = try list("--passphrase-file", "pass")
        #expect(backups.map { $0["otherPassphrase"] } == [true, false])
        #expect(try list().allSatisfy { $0["otherPassphrase"] == .null })
        let shown = try store("backup", "list")
        #expect(shown.code == 0 && shown.output.contains("complete, other passphrase"), "\(shown.errors)")
        let (newer, older) = (backups[0]["path"]?.stringValue ?? "", backups[1]["path"]?.stringValue ?? "")
        #expect(shown.output.contains("chatdb restore \(older)"), "\(shown.output)")
        #expect(!shown.output.contains("chatdb restore \(newer)"))
    }

    @Test("find says which files a change of the passphrase has replaced")
    func found() throws {
        let store = try store()
        #expect(try store.run(Self.change).code == 0)
        let answer = try store.run("find", "--below", ".", "--format", "json").answer()
        let roles = (answer["stores"]?.arrayValue ?? []).map { store in
            "\(fileName(of: store["prefix"]?.stringValue ?? "")) \(store["role"]?.stringValue ?? "")"
        }
        #expect(roles.sorted() == ["x store", "y replaced", "y store"])
        let shown = try store.run("find", "--below", ".")
        #expect(shown.output.contains("(replaced)"), "\(shown.output)")
        #expect(shown.output.contains("has files that a restore or a change of the passphrase of"))
    }
}
