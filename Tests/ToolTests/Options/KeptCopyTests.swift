import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// The copy that every deletion leaves behind. Rule: docs/backups.md, "Undoing a deletion".
@Suite("deletions can be undone", .timeLimit(.minutes(60)))
struct KeptCopyTests {
    /// A command that deletes, and the kind of copy that it leaves.
    struct Case: CustomTestStringConvertible {
        let words: [String]
        let kind: String

        init(_ line: String, _ kind: String) {
            words = line.split(separator: " ").map(String.init)
            self.kind = kind
        }

        var testDescription: String { words.joined(separator: " ") }
    }

    private static let cases = [
        Case("relay delete mine -u alice", "preset"), Case("relay delete spare -u alice", "preset"),
        Case("server delete smp.example.org -u alice", "preset"),
        Case("server delete xftp.example.org -u alice", "preset"),
        Case("user delete work", "backup"), Case("group delete news -u alice", "backup"),
        Case("group cancel weather -u alice", "backup"),
    ]

    private static let keyHash = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw="

    private func store() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("server", "add", "smp://\(Self.keyHash):s3cret@smp.example.org", "-u", "alice")
        try demo.succeed("server", "add", "xftp://\(Self.keyHash)@xftp.example.org:99", "-u", "alice")
        try demo.succeed("server", "disable", "xftp.example.org", "-u", "alice")
        try demo.succeed("relay", "add", DemoStore.otherRelay, "--name", "spare", "-u", "alice")
        try demo.succeed("relay", "edit", "spare", "--domain", "example.net", "-u", "alice")
        try demo.succeed("relay", "mark-tested", "spare", "failed", "-u", "alice")
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
        try demo.sql(
            "UPDATE protocol_servers SET tested = 1, role_proxy = 0 WHERE host = 'smp.example.org'")
        try demo.succeed(
            "group", "prepare", "https://h.example/c#\(Self.keyHash.dropLast())", "--name", "weather", "-u", "alice")
        return demo
    }

    /// The configuration of a profile, and the use of its relays.
    private func configuration(_ store: ToolRun) throws -> String {
        try store.succeed("preset", "export", "-u", "alice", "--with-secrets", "--with-test-results").output
            + store.sql(
                """
                SELECT r.address, r.deleted, count(g.group_relay_id) FROM chat_relays r
                LEFT JOIN group_relays g USING (chat_relay_id) WHERE r.user_id = 1 GROUP BY 1, 2 ORDER BY 1, 2
                """)
    }

    private func contents(_ store: ToolRun) throws -> [String] {
        // A restore counts the generation up.
        try ["x_chat.db", "x_agent.db"].map { try store.sql(".dump", in: $0) }
            .map { $0.split(separator: "\n").filter { !$0.hasPrefix("INSERT INTO store ") }.joined(separator: "\n") }
    }

    private func names(_ store: ToolRun) throws -> [String] { try store.folder.fingerprint().keys.sorted() }

    @Test("the command brings a relay back, with a number behind its name, when another relay has the name by now")
    func nameTaken() throws {
        let demo = try store()
        let gone = try demo.succeed("relay", "delete", "spare", "-u", "alice", "--yes", "--format", "json").answer()
        let other = "https://other.example/r#\(Self.keyHash.dropLast())"
        try demo.succeed("relay", "add", other, "--name", "spare", "-u", "alice")
        let command = try #require(gone["kept"]?["command"]?.stringValue)
        let undo = try demo.shell("$CHATDB" + command.dropFirst("chatdb".count) + " --yes")
        #expect(undo.code == 0, "\(undo.errors)")
        let names = try demo.sql("SELECT display_name FROM chat_relays WHERE display_name LIKE 'spare%' ORDER BY 1")
        #expect(names == "spare\nspare 2")
    }

    @Test("user delete names the files of deletions and of imports that remain beside the store")
    func filesThatRemain() throws {
        let demo = try store()
        try demo.succeed("relay", "delete", "spare", "-u", "alice", "--yes")
        let empty = #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": []}}"#
        try Data(empty.utf8).write(to: URL(fileURLWithPath: demo.file("e.json")))
        try demo.succeed("preset", "import", demo.file("e.json"), "-u", "alice", "--mode", "replace", "--yes")
        let answer = try demo.succeed("user", "delete", "work", "--dry-run", "--format", "json").answer()
        let names = (answer["before"]?.texts ?? []).map { $0.dropFirst(demo.store.count).prefix(8) }
        #expect(names == ["-before-", "-deleted"], "\(answer)")
    }

    @Test("every command whose help says that it deletes or removes something leaves a copy, or not with --no-backup")
    func everyCommand() {
        let deleting = CommandTree.leaves.filter { leaf in
            // The copies themselves have no copies.
            if leaf.type == BackupPrune.self { return false }
            let words = leaf.type.configuration.abstract.lowercased().split { !$0.isLetter }
            return !Set(words).isDisjoint(with: ["delete", "deletes", "remove", "removes", "cancel"])
        }
        #expect(
            Set(deleting.map { $0.words.dropFirst().joined(separator: " ") })
                == Set(Self.cases.map { $0.words.prefix(2).joined(separator: " ") }))
        for (words, type) in deleting {
            let help = CommandTree.help(of: type)
            for option in ["--yes", "--dry-run", "--no-backup"] {
                #expect(help.contains("  \(option) "), "\(words) \(option)")
            }
        }
    }

    @Test("the command in the answer undoes the deletion: the store is as before", arguments: cases)
    func undone(_ tried: Case) throws {
        let store = try store()
        let (configured, before) = (try configuration(store), try contents(store))
        let answer = try store(tried.words + ["--yes", "--format", "json"]).answer()
        #expect(try contents(store) != before)
        let kept = try #require(answer["kept"])
        #expect(kept["kind"]?.stringValue == tried.kind)
        let path = try #require(kept["path"]?.stringValue)
        let folder = try #require(kept["folder"]?.stringValue)
        #expect(path.hasPrefix(folder + "/"))
        // "before" is in the names of whole configurations, which --mode restore puts back.
        #expect(path.hasPrefix(store.store + "-deleted-") == (tried.kind == "preset"), "\(path)")
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == (tried.kind == "preset" ? 0o600 : 0o700))
        let command = try #require(kept["command"]?.stringValue)
        let undone = try store.shell(command.replacing("chatdb ", with: "$CHATDB ", maxReplacements: 1) + " --yes")
        #expect(undone.code == 0, "\(command): \(undone.errors)")
        #expect(try configuration(store) == configured)
        if tried.kind == "backup" { #expect(try contents(store) == before) }
    }

    @Test("undoing the deletion of a relay or a server takes back no other change, and needs no order")
    func onlyTheDeletion() throws {
        let store = try store()
        var commands: [String] = []
        for tried in Self.cases where tried.kind == "preset" {
            let answer = try store(tried.words + ["--yes", "--format", "json"]).answer()
            commands.append(try #require(answer["kept"]?["command"]?.stringValue))
        }
        try store.succeed("relay", "add", DemoStore.third, "--name", "later", "-u", "alice")
        for command in commands {
            let undone = try store.shell(command.replacing("chatdb ", with: "$CHATDB ", maxReplacements: 1) + " --yes")
            #expect(undone.code == 0, "\(command): \(undone.errors)")
        }
        let names = try store.succeed("relay", "list", "-u", "alice").output
        for name in ["mine", "spare", "later"] { #expect(names.contains(name), "\(name)") }
        #expect(try store.succeed("server", "list", "-u", "alice").output.contains("xftp.example.org"))
    }

    @Test("a dry run names the kind and the folder of the copy, and writes nothing", arguments: cases)
    func dryRun(_ tried: Case) throws {
        let store = try store()
        let before = try store.folder.fingerprint()
        let kept = try #require(
            try store(tried.words + ["--dry-run", "--format", "json"]).answer()["kept"])
        #expect(kept["kind"]?.stringValue == tried.kind && kept["path"] == .null && kept["command"] == .null)
        let folder = tried.kind == "backup" ? store.file("x.backups") : store.folder.path
        #expect(kept["folder"]?.stringValue == folder)
        let text = try store(tried.words + ["--dry-run"]).output
        #expect(text.contains("would first") && text.contains(folder), "\(text)")
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("--no-backup leaves no copy", arguments: cases)
    func noCopy(_ tried: Case) throws {
        let store = try store()
        let before = try names(store)
        let run = try store(tried.words + ["--yes", "--no-backup"])
        #expect(run.code == 0 && run.output.contains("there is no copy to undo the deletion with"))
        #expect(try Set(names(store)).subtracting(before).isSubset(of: ["x.lock"]))
        let again = try self.store()
        let answer = try again(tried.words + ["--yes", "--no-backup", "--format", "json"]).answer()
        #expect(answer["kept"] == .null && answer["applied"] == true)
    }

    @Test("the text and the CSV have the command; that of a backup says that it takes back everything since")
    func texts() throws {
        for tried in Self.cases {
            for format in ["table", "markdown", "csv"] {
                let run = try store()(tried.words + ["--yes", "--format", format])
                let all = run.output + run.errors
                #expect(
                    run.code == 0 && all.contains(tried.kind == "preset" ? "chatdb preset import" : "chatdb restore"))
                #expect(all.contains("takes back everything") == (tried.kind == "backup"), "\(tried) \(all)")
            }
        }
    }

    @Test("a copy that cannot be written stops the deletion: nothing is changed, and no file is left", arguments: cases)
    func copyFails(_ tried: Case) throws {
        let store = try store()
        // Not even root writes into a folder that is a file, and no name may be that long.
        if tried.kind == "backup" {
            try Data().write(to: URL(fileURLWithPath: store.file("x.backups")))
        } else {
            try store.sql("UPDATE chat_relays SET address = 'x' WHERE preset = 0")
            try store.sql("UPDATE protocol_servers SET key_hash = 'no hash' WHERE preset = 0")
        }
        let (before, files) = (try contents(store), try names(store))
        for option in tried.kind == "preset" ? ["--dry-run", "--yes"] : ["--yes"] {
            let run = try store(tried.words + [option, "--format", "json"])
            let refusal = try run.refusal()
            #expect(run.code != 0 && refusal["state"] == "Nothing was changed.", "\(refusal)")
            #expect(refusal["code"]?.stringValue == (tried.kind == "preset" ? "cannotKeepBefore" : "backupFailed"))
            if tried.kind == "preset" { #expect(refusal["hint"]?.stringValue?.contains("--no-backup") == true) }
        }
        #expect(try contents(store) == before)
        #expect(try Set(names(store)).subtracting(files).isSubset(of: ["x.lock"]))
        #expect(try store(tried.words + ["--yes", "--no-backup"]).code == 0)
    }
}
