import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Stores without a database whose files are in a folder of replaced files or in a backup: a user has removed the folder
/// with the new files, or has moved the databases away. Rule: docs/backups.md, "Interrupted restores".
@Suite("stores whose files are only in a folder of replaced files or in a backup", .timeLimit(.minutes(60)))
struct ReplacedStoreTests {
    /// The restore that a text proposes, without the name of the program.
    private func restore(in text: String) throws -> String {
        let found = text.firstMatch(of: #/chatdb (restore \S+\.replaced-\S+ --force .*) restores them/#)
        let match = try #require(found, "\(text)")
        return String(match.1)
    }

    @Test(
        "after an interrupted change of the passphrase whose new files were removed, errors name the restore that helps",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
    func changed() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        try store.write("new", "x'\(String(repeating: "4f", count: 32))'\n")
        try store.interruptChange(isMoved: true)
        let emptied = try store.run.shell("rm -r y.restoring")
        try #require(emptied.code == 0, "\(emptied.errors)")
        let before = try store.run.folder.fingerprint()
        var proposed: Set<String> = []
        for command in [
            ["inspect"], ["check"], ["user", "list"], ["backup", "make"], ["backup", "list"], ["migrate", "status"],
            ["migrate", "run", "--yes"], ["migrate", "plan"],
            ["passphrase", "change", "--new-passphrase-file", "new", "--yes"],
        ] {
            let run = try store.run(command + ["-d", "y", "--passphrase-file", "pass", "--format", "json"])
            let hint = try run.refusal()["hint"]?.stringValue ?? ""
            proposed.insert(try restore(in: hint))
        }
        #expect(try store.run.folder.fingerprint() == before)
        #expect(proposed.count == 1, "\(proposed)")
        let restored = try store.run.shell("$CHATDB \(proposed.first ?? "") --yes")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try store("user", "list").output.contains("alice"))
    }

    @Test("if a backup is newer than the replaced files, errors name the backups", arguments: [true, false])
    func newerBackup(_ isNewer: Bool) throws {
        let run = try DemoStore.make()
        let replaced = "x.replaced-\(isNewer ? "2025" : "2099")1129T080000Z"
        let prepared = try run.shell(
            """
            set -e
            mkdir \(replaced); cp x_*.db \(replaced); $CHATDB backup make -d x -q > answer; rm x_chat.db* x_agent.db*
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        for command in [["user", "list"], ["migrate", "status"], ["migrate", "plan"]] {
            let errors = try run(command + ["-d", "x"]).errors
            #expect(errors.contains("chatdb backup list -d ") == isNewer, "\(errors)")
            #expect(errors.contains("\(replaced) has the files of the store from before") == !isNewer, "\(errors)")
        }
    }

    @Test("a run that makes a new store in the place of a replaced one warns first, and names the newest whole folder")
    func new() throws {
        let run = try DemoStore.make()
        let prepared = try run.shell(
            """
            set -e
            for f in 20261129T080000Z 20261130T080000Z 20261130T080000Z-2; do
                mkdir x.replaced-$f; cp x_*.db x.replaced-$f
            done
            mkdir x.replaced-20261201T080000Z; cp x_chat.db x.replaced-20261201T080000Z
            rm x_chat.db* x_agent.db*
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        let newest = "/x.replaced-20261130T080000Z-2 --force -d "
        let inFolder = try run("user", "list", "-d", ".")
        #expect(try inFolder.code == 66 && restore(in: inFolder.errors).contains(newest), "\(inFolder.errors)")
        // A store of a similar name is no reason to name that one.
        let similar = try run.shell("cp x.replaced-20261129T080000Z/x_chat.db xx_chat.db; $CHATDB backup list -d x")
        #expect(try restore(in: similar.errors).contains(newest), "\(similar.errors)")
        for words in [["plan"], ["run", "--dry-run"], ["up", "--yes"]] {
            let made = try run(["migrate"] + words + ["-d", "x"])
            #expect(made.code == 0 && made.errors.contains("the run makes a new, empty store"), "\(made.errors)")
            #expect(try restore(in: made.errors).contains(newest), "\(made.errors)")
        }
        // The store is there now.
        let again = try run("migrate", "run", "--yes", "-d", "x")
        #expect(again.code == 0 && !again.errors.contains("replaced"), "\(again.errors)")
        let restored = try run.shell("$CHATDB restore x.replaced-20261130T080000Z-2 --force -d x --yes")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try run("user", "list", "-d", "x").output.contains("alice"))
    }

    @Test("without --yes, a run asks before it makes a new store in the place of one with replaced files or backups")
    func consent() throws {
        for copies in ["mkdir x.replaced-20261130T080000Z; mv x_*.db x.replaced-*", "$CHATDB backup make; rm x_*.db"] {
            let run = try DemoStore.make()
            let prepared = try run.shell("set -e; \(copies)")
            try #require(prepared.code == 0, "\(prepared.errors)")
            let before = try run.folder.fingerprint()
            for words in [[], ["--confirm", "error"], ["--confirm", "console"]] {
                let refused = try run(["migrate", "run", "-d", "x", "--format", "json"] + words)
                let error = try refused.refusal()
                #expect(refused.code == 64 && error["code"] == "confirmationNeeded", "\(refused.errors)")
                let hint = error["hint"]?.stringValue ?? ""
                let consent = words.isEmpty ? "; --yes makes a new" : "; --yes in the place of --confirm makes a new"
                #expect(hint.contains("chatdb restore ") && hint.contains(consent), "\(hint)")
            }
            let asked = try TerminalRun(["migrate", "run", "-d", "x"], in: run, answer: .shown)
            _ = try asked.terminal.read(until: "the run makes a new, empty store; ")
            _ = try asked.terminal.read(until: "[y/N] ")
            asked.terminal.type("n\n")
            let declined = try asked.end()
            #expect(declined.code == 1, "\(declined.shown)")
            #expect(try run.folder.fingerprint() == before)
            let made = try run("migrate", "run", "-d", "x", "--yes")
            #expect(made.code == 0 && made.errors.contains("the run makes a new, empty store; "), "\(made.errors)")
        }
    }

    @Test(
        "a run without --encrypt proposes a restore of encrypted copies, with the given file or a word for it",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
    func encrypted() throws {
        for copies in [
            "mkdir y.replaced-20261130T080000Z; mv y_*.db y.replaced-*",
            "$CHATDB backup make -d y --passphrase-file pass; rm y_*.db",
        ] {
            let store = try EncryptedStore(of: DemoStore.make())
            let prepared = try store.run.shell("set -e; \(copies)")
            try #require(prepared.code == 0, "\(prepared.errors)")
            // Such a run would make a plain store.
            let given = try store("migrate", "run", "--format", "json").refusal()
            let proposal = given["hint"]?.stringValue ?? ""
            let proposed = proposal.contains(#/chatdb restore .* --passphrase-file \S*pass.* restores (them|one)/#)
            #expect(proposed, "\(given)")
            let refused = try store.run("migrate", "run", "-d", "y", "--format", "json")
            let hint = try refused.refusal()["hint"]?.stringValue ?? ""
            #expect(refused.code == 64, "\(refused.errors)")
            let found = try #require(hint.firstMatch(of: #/chatdb (restore .*) restores (them|one)/#), "\(hint)")
            #expect(found.1.contains("--passphrase-file FILE"), "\(hint)")
            // The shell writes the name of the only backup.
            let line = found.1.replacing("FILE", with: "pass").replacing("FOLDER", with: "y.backups/*")
            let restored = try store.run.shell("$CHATDB \(line) --yes")
            #expect(restored.code == 0, "\(line): \(restored.errors)")
            #expect(try store("user", "list").output.contains("alice"))
        }
    }

    @Test("the error about a store whose databases are gone names the commands that list and restore its backups")
    func backups() throws {
        let run = try DemoStore.make()
        let prepared = try run.shell(
            """
            set -e
            sqlite3 app.db "CREATE TABLE t (a)"
            $CHATDB backup make; $CHATDB backup make --database chat=app.db
            mkdir away; mv x_*.db app.db away
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        let before = try run.folder.fingerprint()
        for (command, store) in [
            ("inspect", "x"), ("check", "x"), ("user list", "x"), ("diagnose", "x"), ("backup make", "x"),
            ("migrate status", "x"), ("user list", "."), ("passphrase set --dry-run", "x"),
        ] {
            let refused = try run(command.split(separator: " ").map(String.init) + ["-d", store])
            let hint = "x.backups has backups of the store: chatdb backup list -d "
            #expect(refused.code == 66 && refused.errors.contains(hint), "\(command): \(refused.errors)")
            #expect(refused.errors.contains("/x lists them, and chatdb restore FOLDER -d "), "\(refused.errors)")
        }
        for command in ["user list", "migrate status", "migrate run --yes"] {
            let refused = try run.shell("$CHATDB \(command) --database chat=app.db")
            let hint = "app.db.backups has backups of the store: chatdb backup list --database 'chat=app.db' lists them"
            #expect(refused.code == 66 && refused.errors.contains(hint), "\(command): \(refused.errors)")
        }
        #expect(try run.folder.fingerprint() == before)
        // Backups of other files, and damaged ones, are none of the store.
        let others = try run.shell("cp -r x.backups y.backups; rm x.backups/*/x_chat.db; $CHATDB user list -d y; true")
        #expect(others.errors.contains("migrate run") && !others.errors.contains("has backups"), "\(others.errors)")
        let damaged = try run("user", "list", "-d", "x")
        #expect(damaged.code == 66 && !damaged.errors.contains("has backups"), "\(damaged.errors)")
    }

    @Test("the error about a named file that does not exist names the folder of its replaced files")
    func named() throws {
        let run = try DemoStore.make()
        let folder = "app.db.replaced-20261130T080000Z"
        #expect(try run.shell("mkdir \(folder) && mv x_chat.db \(folder)/app.db").code == 0)
        for command in [["user", "list"], ["migrate", "status"], ["migrate", "run", "--yes"]] {
            let refused = try run(command + ["--database", "chat=app.db"])
            let proposed = try restore(in: refused.errors)
            #expect(proposed.contains("\(folder) --force --database 'chat=app.db'"), "\(refused.errors)")
        }
    }
}
