import ArgumentParser
import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// `--yes` and `--dry-run` of every command that removes or overwrites data.
@Suite("--yes and --dry-run", .timeLimit(.minutes(60)))
struct ConsentOptionsTests: CheckTesting {
    /// A command that asks for confirmation.
    struct Case: CustomTestStringConvertible {
        let arguments: [String]
        /// The exit code of a dry run and of the change itself.
        var code: Int32 = 0
        /// Whether the answer of a dry run has the shape of the change's answer, with `applied`.
        var hasApplied = true

        init(_ line: String, code: Int32 = 0, hasApplied: Bool = true) {
            arguments = line.split(separator: " ").map(String.init)
            self.code = code
            self.hasApplied = hasApplied
        }

        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let cases = [
        Case("relay delete mine -u alice"), Case("server delete smp.example.org -u alice"),
        Case("user delete work --no-backup"), Case("group delete news -u alice --no-backup"),
        Case("group cancel weather -u alice"), Case("group leave talk -u alice"), Case("preset sync -u alice"),
        Case("preset import FOLDER/list.txt -u alice"), Case("check --fix --no-backup", code: 1),
        Case("server edit smp.example.org --address \(server.replacing("s3cret", with: "other")) -u alice"),
        Case("group relay remove news mine -u alice"), Case("group set-link news --no-link -u alice"),
        Case("conditions accept"), Case("settings set chatItemTtl 1d -u alice"),
        Case("preset sync --all-profiles"),
        Case("user edit alice --full-name Other"),
        Case("restore BACKUP", hasApplied: false),
        Case("migrate down --steps 1 --no-backup", hasApplied: false),
    ]

    private static let link = "https://h.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    private static let server = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=:s3cret@smp.example.org"

    /// A store in which every command has something to remove, and a backup of it before its last change.
    private func store() throws -> ToolRun {
        let store = try faultyStore()
        try store.succeed("server", "add", Self.server, "-u", "alice")
        try store.succeed("group", "prepare", Self.link, "--name", "weather", "-u", "alice")
        try store.succeed("group", "prepare", GroupNounTests.groupLink, "--name", "talk", "-u", "alice")
        try store.succeed("group", "start", "talk", "-u", "alice")
        try store.succeed("user", "edit", "alice", "--full-name", "Alice")
        try store.succeed("group", "set-link", "news", GroupNounTests.channelLink, "-u", "alice")
        try store.sql(
            """
            UPDATE group_members SET member_status = 'connected' WHERE member_category = 'user'
                AND group_id = (SELECT group_id FROM groups WHERE local_display_name = 'talk')
            """)
        try store.succeed("backup", store.file("backups"))
        try store.sql("UPDATE chat_relays SET display_name = 'old' WHERE chat_relay_id = 1")
        try store.sql("INSERT INTO usage_conditions (conditions_commit, notified_at) VALUES ('abc', datetime('now'))")
        try Data(DemoStore.otherRelay.utf8).write(to: URL(fileURLWithPath: store.file("list.txt")))
        return store
    }

    private func run(_ tried: Case, _ more: String..., in store: ToolRun) throws -> ToolRun.Outcome {
        let backup = try FileManager.default.contentsOfDirectory(atPath: store.file("backups")).first ?? ""
        let arguments = tried.arguments.map {
            $0 == "BACKUP" ? store.file("backups/\(backup)") : $0.replacing("FOLDER", with: store.folder.path)
        }
        return try store(arguments + more + ["--format", "json"])
    }

    private func contents(_ store: ToolRun) throws -> [String] {
        try ["x_chat.db", "x_agent.db"].map { try store.sql(".dump", in: $0) }
    }

    @Test(
        "without a terminal and without --yes: 64, the hint names both options, and nothing changes", arguments: cases)
    func refused(_ tried: Case) throws {
        let store = try store()
        let before = try store.folder.fingerprint()
        let run = try run(tried, in: store)
        #expect(run.code == 64 && run.output.isEmpty)
        #expect(try run.refusal()["code"] == "confirmationNeeded")
        #expect(try run.refusal()["hint"] == "--dry-run shows what would be done; add --yes to confirm")
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("restore without a terminal shows its plan before the refusal, as on a terminal; in JSON only the refusal")
    func refusedRestore() throws {
        let store = try store()
        let restore = try #require(Self.cases.first { $0.arguments[0] == "restore" })
        let backup = try FileManager.default.contentsOfDirectory(atPath: store.file("backups")).first ?? ""
        let planned = try store("restore", store.file("backups/\(backup)"), "--dry-run").output
        let run = try store("restore", store.file("backups/\(backup)"))
        #expect(run.code == 64 && run.output.isEmpty, "\(run)")
        let parts = run.errors.components(separatedBy: "error: confirmation is required")
        #expect(parts.count == 2 && planned.contains("usage_conditions"), "\(run.errors) \(planned)")
        func trimmed(_ text: String?) -> String? { text?.trimmingCharacters(in: .whitespacesAndNewlines) }
        #expect(trimmed(parts.first) == trimmed(planned), "\(run.errors)")
        #expect(try self.run(restore, in: store).errors.hasPrefix("{"))
    }

    @Test("--dry-run changes no byte, with --yes too, and needs no terminal", arguments: cases)
    func dryRun(_ tried: Case) throws {
        let store = try store()
        let before = try store.folder.fingerprint()
        let run = try run(tried, "--dry-run", in: store)
        #expect(run.code == tried.code, "\(run.errors)")
        if tried.hasApplied { #expect(try run.answer()["applied"] == false) }
        #expect(try self.run(tried, "--dry-run", "--yes", in: store).answer() == run.answer())
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("--yes makes the change that the dry run showed", arguments: cases)
    func yes(_ tried: Case) throws {
        let store = try store()
        let (before, planned) = (try contents(store), try run(tried, "--dry-run", in: store).answer())
        let run = try run(tried, "--yes", in: store)
        #expect(run.code == tried.code, "\(run.errors)")
        #expect(try contents(store) != before)
        guard tried.hasApplied else { return }
        let answer = try run.answer()
        #expect(answer["applied"] == true)
        for key in ["outcome", "channelsUsing", "contents", "purgedRelays", "activeUser", "warnings", "changes"] {
            #expect(planned[key] == answer[key], "\(key)")
        }
    }

    @Test("the text of a dry run says what would happen, and its warnings describe the time afterwards")
    func text() throws {
        let store = try store()
        try store.sql("UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 7")
        for (line, text) in [
            ("server delete smp.example.org -u alice", "The SMP server smp.example.org of alice would be deleted.\n"),
            ("server delete smp.example.org -u alice", ", with the password\n"),
            ("user delete work", "The profile work would be deleted with 3 relays and 32 servers."),
            ("user delete work", "alice would be active then"),
            ("group delete news -u alice", "The channel news of alice would be deleted."),
            ("group delete news -u alice", "would also delete 1 soft-deleted relay that no channel uses"),
            ("group cancel weather -u alice", "The channel weather of alice would be cancelled."),
            (
                "group leave talk -u alice",
                "alice would leave the group talk and stop receiving its messages. The history is preserved."
            ),
            ("check --fix", "Repairs\n"), ("check --fix", "startedWithoutLink"),
        ] {
            let run = try store(line.split(separator: " ").map(String.init) + ["--dry-run"])
            #expect(run.output.contains(text), "\(line): \(run.output) \(run.errors)")
        }
        let demo = try DemoStore.make()
        try demo.succeed("relay", "add", DemoStore.relay, "--name", "own", "-u", "work")
        try demo.succeed("operator", "disable", "simplex")
        let run = try demo.succeed("relay", "delete", "own", "-u", "work", "--dry-run")
        #expect(run.output.hasPrefix("The relay own of work would be deleted.\n\nnote: chatdb would first keep"))
        #expect(
            run.errors == "warning: afterwards: No chat relays enabled. Channels require at least one relay.\n")
    }

    @Test("a dry run of a change that chatdb refuses ends with that refusal")
    func refusedDryRuns() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "prepare", Self.link, "--name", "w", "-u", "alice")
        try demo.succeed("group", "start", "w", "-u", "alice")
        try demo.sql("UPDATE group_members SET member_role = 'member' WHERE group_id = 1 AND member_category = 'user'")
        let other = try MigrationFixture.newerStore()
        let backup = try other.succeed("backup", "--format", "json").answer()["backup"]?["path"]?.stringValue ?? ""
        let before = try demo.folder.fingerprint()
        for (line, code) in [
            ("relay delete id:1 -u alice", "presetRelayCannotBeDeleted"), ("relay delete none", "relayNotFound"),
            ("server delete id:1 -u alice", "presetServerCannotBeDeleted"), ("user delete none", "profileNotFound"),
            ("group delete news -u alice", "notOwner"), ("group cancel news -u alice", "notPrepared"),
            ("group cancel w -u alice", "alreadyStarted"), ("group leave w -u alice", "notInGroup"),
        ] {
            for option in ["--dry-run", "--yes"] {
                let run = try demo(line.split(separator: " ").map(String.init) + [option, "--format", "json"])
                #expect(try run.code == 1 && run.refusal()["code"]?.stringValue == code, "\(line) \(option)")
            }
        }
        #expect(try demo.folder.fingerprint() == before)
        let sync = ["preset", "sync", "-u", "alice", "--format", "json"]
        try demo.sql("UPDATE chat_relays SET display_name = 'old' WHERE preset = 1 AND user_id = 1")
        let kept = try demo.folder.fingerprint()
        for option in ["--dry-run", "--yes"] {
            let run = try demo(sync + [option])
            #expect(try run.code == 1 && run.refusal()["code"] == "cannotKeepBefore", "\(option)")
        }
        #expect(try demo(sync + ["--dry-run", "--no-before"]).code == 0)
        #expect(try demo.folder.fingerprint() == kept)
        let restore = try demo("restore", backup, "--dry-run", "--format", "json")
        #expect(restore.code == 1)
        #expect(try restore.answer()["objections"] == ["otherStore", "newerBackup"])
        #expect(try demo("restore", backup, "--dry-run", "--force").code == 0)
        #expect(try demo.folder.fingerprint() == kept)
    }

    @Test("a dry run refuses a store that the change may not write", arguments: cases)
    func otherStores(_ tried: Case) throws {
        guard tried.arguments[0] != "migrate", tried.arguments[0] != "restore", tried.arguments[0] != "check" else {
            return
        }
        let old = try MigrationFixture.oldStore()
        try FileManager.default.createDirectory(atPath: old.file("backups"), withIntermediateDirectories: false)
        try Data(DemoStore.otherRelay.utf8).write(to: URL(fileURLWithPath: old.file("list.txt")))
        #expect(try run(tried, "--dry-run", in: old).code == 78)
        #expect(try run(tried, "--yes", in: old).code == 78)
    }

    @Test("relay delete asks about a relay that no channel uses too, and its dry run shows the deletion")
    func unused() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "add", DemoStore.otherRelay, "--name", "spare", "-u", "work")
        let plan = try demo.succeed("relay", "delete", "spare", "--dry-run", "--format", "json").answer()
        #expect(plan["outcome"] == "deleted" && plan["applied"] == false)
        #expect(try demo("relay", "delete", "spare", "--format", "json").refusal()["code"] == "confirmationNeeded")
        let made = try demo.succeed("relay", "delete", "spare", "--yes", "--format", "json").answer()
        #expect(made["applied"] == true)
    }

    @Test("on a terminal, server delete, group cancel and group leave ask: no keeps everything, yes makes the change")
    func asked() throws {
        let store = try store()
        let before = try contents(store)
        for (line, question) in [
            ("server delete smp.example.org -u alice", "of alice with its password? [y/N]"),
            (
                "group cancel weather -u alice",
                "Cancel the prepared channel weather of alice with everything in it? [y/N]"
            ),
            (
                "group leave talk -u alice",
                "alice will stop receiving messages of the group talk, and the history is preserved. Leave it? [y/N]"
            ),
        ] {
            let arguments = line.split(separator: " ").map(String.init)
            let no = try TerminalRun(arguments, in: store)
            #expect(try no.terminal.read(until: "[y/N] ").contains(question), "\(line)")
            no.terminal.type("n\n")
            #expect(try no.end().code == 1)
        }
        #expect(try contents(store) == before)
        for line in [
            "server delete smp.example.org -u alice", "group cancel weather -u alice", "group leave talk -u alice",
        ] {
            let yes = try TerminalRun(line.split(separator: " ").map(String.init), in: store)
            _ = try yes.terminal.read(until: "[y/N] ")
            yes.terminal.type("y\n")
            #expect(try yes.end().code == 0, "\(line)")
        }
        #expect(try store.sql("SELECT count(*) FROM groups WHERE local_display_name = 'weather'") == "0")
        #expect(try store.sql("SELECT count(*) FROM protocol_servers WHERE host = 'smp.example.org'") == "0")
    }

    @Test("a command has both options, with the same help, or neither")
    func sameEverywhere() {
        func lines(_ help: String, _ option: String) -> [String] {
            help.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix(option + "  ") }
        }
        var count = 0
        // A rehearsal changes nothing; it asks only about SQL stored in the database. A copy asks nothing.
        for (words, type) in CommandTree.leaves where ![["migrate", "verify"], ["copy"]].contains(words.dropFirst()) {
            let help = CommandTree.help(of: type)
            let (yes, dryRun) = (lines(help, "--yes"), lines(help, "--dry-run"))
            if yes.isEmpty, dryRun.isEmpty { continue }
            count += 1
            #expect(yes.allSatisfy { $0.hasSuffix(" Do not ask for confirmation.") } && yes.count == 1, "\(words)")
            #expect(dryRun.first?.hasSuffix(" Show what would change, and change nothing.") == true, "\(words)")
        }
        #expect(count == 24)
    }
}
