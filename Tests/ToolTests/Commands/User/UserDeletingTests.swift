import Foundation
import Testing

/// Rule: docs/domain.md, "Profiles", Deleting.
@Suite("user show, rename and delete")
struct UserDeletingTests {
    @Test("Without a terminal and without --yes nothing is deleted: exit 64")
    func noTerminal() throws {
        let demo = try DemoStore.make()
        let before = try demo.folder.fingerprint()
        let run = try demo("user", "delete", "alice", "--format", "json")
        #expect(try run.code == 64 && run.refusal()["code"] == "confirmationNeeded")
        #expect(run.output.isEmpty)
        #expect(try demo.folder.fingerprint()["x_chat.db"] == before["x_chat.db"])
    }

    @Test("The question lists what the profile has; no keeps it, Ctrl-C exits with 130, yes deletes it")
    func asked() throws {
        let demo = try DemoStore.make()
        for (answer, code) in [("n\n", Int32(1)), ("\n", 1)] {
            let run = try TerminalRun(["user", "delete", "alice"], in: demo)
            let question = try run.terminal.read(until: "[y/N] ")
            #expect(question.contains("Delete the profile \"alice\" with 1 channel, 4 relays and 32 servers?"))
            run.terminal.type(answer)
            let end = try run.end()
            #expect(end.code == code && end.shown.contains("Nothing was done.") && end.answer.isEmpty, "\(end)")
        }
        let stopped = try TerminalRun(["user", "delete", "alice"], in: demo)
        _ = try stopped.terminal.read(until: "[y/N] ")
        stopped.interrupt()
        #expect(try stopped.end().code == 130)
        #expect(try demo.sql("SELECT count(*) FROM users") == "2")
        #expect(!FileManager.default.fileExists(atPath: demo.file("x.backups")))
        let run = try TerminalRun(["user", "delete", "alice"], in: demo)
        _ = try run.terminal.read(until: "[y/N] ")
        run.terminal.type("y\n")
        #expect(try run.end().code == 0)
        #expect(try demo.sql("SELECT count(*) FROM users") == "1")
    }

    @Test("user delete deletes all data of the profile and marks the agent's user; the backup has everything")
    func deletes() throws {
        let demo = try DemoStore.make()
        let works = try demo.succeed("preset", "export", "-u", "work").output
        let answer = try demo.succeed("user", "delete", "alice", "--yes", "--format", "json").answer()
        #expect(answer["outcome"] == "deleted")
        #expect(answer["activeUser"]?["name"] == "work")
        for table in [
            "users", "contacts", "groups", "group_members", "chat_relays", "protocol_servers", "display_names",
        ] {
            #expect(try demo.sql("SELECT count(*) FROM \(table) WHERE user_id = 1") == "0", "\(table)")
        }
        #expect(try demo.sql("SELECT group_concat(deleted) FROM users", in: "x_agent.db") == "1,0")
        #expect(try demo.succeed("preset", "export", "-u", "work").output == works)
        let backup = try #require(answer["backup"]?.stringValue)
        let restored = try ToolRun()
        for file in ["x_chat.db", "x_agent.db"] {
            try FileManager.default.copyItem(atPath: "\(backup)/\(file)", toPath: restored.file(file))
        }
        #expect(try restored.succeed("relay", "list", "-u", "alice").output.contains("relay.example.org"))
    }

    @Test("If the backup fails nothing is deleted; --no-backup skips it, --backup-dir sets its folder")
    func backups() throws {
        let demo = try DemoStore.make()
        try Data().write(to: URL(fileURLWithPath: demo.file("file")))
        let run = try demo("user", "delete", "work", "--yes", "--backup-dir", demo.file("file"), "--format", "json")
        #expect(run.code == 74)
        #expect(try demo.sql("SELECT count(*) FROM users") == "2")
        #expect(try demo("user", "delete", "work", "--no-backup", "--backup-dir", "x").code == 64)
        let folder = try demo.succeed(
            "user", "delete", "work", "--yes", "--backup-dir", demo.file("kept"), "--format", "json")
        #expect(try folder.answer()["backup"]?.stringValue?.hasPrefix(demo.file("kept")) == true)
        #expect(try folder.answer()["activeUser"]?["name"] == "alice")
        let last = try demo.succeed("user", "delete", "alice", "--yes", "--no-backup", "--format", "json").answer()
        #expect(last["backup"] == .null && last["activeUser"] == .null)
        #expect(try demo("relay", "list", "--format", "json").refusal()["code"] == "noActiveProfile")
    }

    @Test("The answer names the older copies of the store that remain beside it, and no backup of its own")
    func copies() throws {
        let demo = try DemoStore.make()
        let first = try demo.succeed("user", "delete", "work", "--dry-run", "--format", "json").answer()
        #expect(first["copies"] == [])
        let backup = try demo.succeed("backup", "--format", "json").answer()["backup"]?["path"]?.stringValue ?? ""
        try demo.succeed("restore", backup, "--yes")
        let replaced = try FileManager.default.contentsOfDirectory(atPath: demo.folder.path)
            .filter { $0.hasPrefix("x.replaced-") }
        let answer = try demo.succeed("user", "delete", "work", "--yes", "--format", "json").answer()
        let paths = (["x.backups"] + replaced).map(demo.file)
        #expect(answer["copies"]?.arrayValue?.compactMap(\.stringValue) == paths && paths.count == 2)
        let text = try demo.succeed("user", "delete", "alice", "--yes", "--no-backup").output
        #expect(text.contains("older copies of the store remain") && text.contains(paths[1]))
        #expect(text.contains("other copies, such as backups in other folders, remain too"))
    }

    @Test("user rename changes the name everywhere; a taken or invalid name is refused and changes nothing")
    func rename() throws {
        let demo = try DemoStore.make()
        #expect(try demo.succeed("user", "rename", "alice", "alicia").output.contains("was renamed to alicia"))
        #expect(try demo.succeed("group", "list", "-u", "alicia").output.contains("news"))
        #expect(try demo.succeed("user", "rename", "alicia", "alicia").output.contains("already"))
        for (name, code, exit) in [
            ("work", "duplicateProfileName", Int32(1)), ("news", "nameTaken", 1), (" ", "invalidProfileName", 65),
        ] {
            let run = try demo("user", "rename", "alicia", name, "--format", "json")
            #expect(try run.code == exit && run.refusal()["code"]?.stringValue == code, "\(name)")
            #expect(try run.refusal()["state"] == "Nothing was changed.")
        }
        let run = try demo("user", "rename", "alicai", "x")
        #expect(run.code == 1 && run.errors.contains("did you mean \"alicia\"?"))
    }

    @Test("user show shows the active profile, or the named one, once")
    func show() throws {
        let demo = try DemoStore.make()
        func shown(_ arguments: String...) throws -> String? {
            let answer = try demo(["user", "show", "--format", "json"] + arguments).answer()
            return answer["user"]?["name"]?.stringValue
        }
        #expect(try shown() == "work" && shown("alice") == "alice" && shown("-u", "id:1") == "alice")
        #expect(try demo("user", "show", "alice", "-u", "work").code == 64)
        #expect(try demo("user", "show", "9").code == 1)
        #expect(
            try DemoStore.empty()("user", "show", "--format", "json").refusal()["code"] == "noActiveProfile")
    }

    @Test("user add takes a preset file; an invalid or missing file creates no profile")
    func preset() throws {
        let demo = try DemoStore.make()
        try demo.succeed("preset", "export", "-u", "alice", "-o", demo.file("alice.json"))
        let file = demo.file("alice.json")
        try demo.succeed("user", "add", "copy", "--preset", file)
        #expect(try demo.succeed("relay", "list", "-u", "copy").output.contains("relay.example.org"))
        #expect(try demo.shell("\"$CHATDB\" user add piped --preset - < '\(file)'").code == 0)
        try Data("{".utf8).write(to: URL(fileURLWithPath: demo.file("broken.json")))
        for (given, code, exit) in [
            (demo.file("broken.json"), "invalidPreset", Int32(65)), (demo.file("none.json"), "fileNotFound", 66),
            (demo.folder.path, "cannotRead", 66),
        ] {
            let run = try demo("user", "add", "other", "--preset", given, "--format", "json")
            #expect(try run.code == exit && run.refusal()["code"]?.stringValue == code, "\(given): \(run)")
        }
        #expect(try demo("user", "add", "other", "--preset", file, "--no-preset").code == 64)
        #expect(try demo.sql("SELECT count(*) FROM users") == "4")
    }

    @Test("The list counts unread messages")
    func unread() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text)
            SELECT user_id, group_id, 0, '2026-01-01 00:00:00.000', 'rcv_new', '{}', 'x' FROM groups
            """)
        let users = try demo.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue ?? []
        #expect(users.map { $0["unread"] } == [0, 1])
    }

    @Test("Every answer is as recorded, in every format")
    func recorded() throws {
        let demo = try DemoStore.make()
        func check(_ name: String, _ arguments: String...) throws {
            let run = try demo(arguments)
            #expect(run.code == 0 && run.errors.isEmpty, "\(arguments): \(run.errors)")
            try Snapshot.check(run.output, name, in: demo)
        }
        try check("user-show.txt", "user", "show", "alice")
        try check("user-show.json", "user", "show", "alice", "--format", "json")
        try check("user-show.csv", "user", "show", "alice", "--format", "csv")
        try check("user-show.md", "user", "show", "alice", "--format", "markdown")
        try check("user-list.csv", "user", "list", "--format", "csv")
        try check("user-list.md", "user", "list", "--format", "markdown")
        try check("user-activate.csv", "user", "activate", "work", "--format", "csv")
        try check("user-rename.txt", "user", "rename", "alice", "alicia")
        try check("user-rename.json", "user", "rename", "alicia", "alice", "--format", "json")
        let hide = try demo.shell("printf x | \"$CHATDB\" user hide alice --password-stdin")
        try Snapshot.check(hide.output, "user-hide.txt", in: demo)
        let unhide = try demo.shell("printf x | \"$CHATDB\" user unhide alice --password-stdin")
        try Snapshot.check(unhide.output, "user-unhide.txt", in: demo)
        let hidden = try demo.shell("printf x | \"$CHATDB\" user hide alice --password-stdin --format json")
        try Snapshot.check(hidden.output, "user-hide.json", in: demo)
        try check("user-list-hidden.txt", "user", "list", "--show-hidden")
        try check("user-delete.txt", "user", "delete", "work", "--yes", "--no-backup")
        try check(
            "user-delete.json", "user", "delete", "alice", "--show-hidden", "--yes", "--no-backup", "--format", "json")
    }

    @Test("Every verb has help with examples")
    func help() throws {
        let folder = try ToolRun()
        for verb in ["show", "rename", "hide", "unhide", "delete"] {
            let run = try folder("user", verb, "--help")
            #expect(run.code == 0)
            #expect(run.output.split(separator: "\n").count { $0.hasPrefix("  chatdb user \(verb)") } >= 2, "\(verb)")
        }
    }

    @Test("Without a store: exit 66, without a question, and no file created")
    func noStore() throws {
        let folder = try ToolRun()
        for command in [["show"], ["rename", "a", "b"], ["hide", "a"], ["unhide", "a"], ["delete", "a"]] {
            let run = try folder(["user"] + command + ["--format", "json"])
            #expect(try run.code == 66 && run.refusal()["code"] == "storeNotFound", "\(command)")
        }
        #expect(try folder.folder.fingerprint().isEmpty)
    }
}
