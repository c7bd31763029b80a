import ChatDBKit
import Foundation
import Testing

@Suite("check")
struct CheckTests: CheckTesting {
    @Test("A valid store of this or any older version has no finding but its age: exit 0, and no byte changes")
    func healthy() throws {
        let demo = try DemoStore.make()
        var left = 0
        for step in 0...24 {
            if step > 0 { try demo.succeed("migrate", "down", "--steps", "1", "--yes", "-q", "--no-backup") }
            let answer = try checked(demo)
            #expect(ids(answer) == (step == 0 ? [] : ["olderVersion"]), "\(step) steps down")
            let leftOut = answer["leftOut"]?.arrayValue ?? []
            #expect(leftOut.allSatisfy { $0["reason"] == "otherVersion" })
            // An older version never has more to check.
            #expect(leftOut.count >= left, "\(step) steps down")
            left = leftOut.count
        }
    }

    @Test("check exits with 1 on an error, with 0 on a warning")
    func exitCodes() throws {
        let demo = try faultyStore()
        #expect(
            try ids(checked(demo)) == [
                "startedWithoutLink", "duplicateServer", "agentProfileWithoutProfile", "deletedRelayWithoutReference",
            ])
        #expect(try demo("check").code == 1)
        try demo.sql(
            "UPDATE groups SET conn_link_started_connection = 0; DELETE FROM protocol_servers WHERE host LIKE 'a.%'")
        #expect(try ids(checked(demo)) == ["agentProfileWithoutProfile", "deletedRelayWithoutReference"])
        #expect(try demo("check").code == 0)
    }

    @Test("--fix repairs what it can after a backup, and still reports the rest: exit 1")
    func fixes() throws {
        let demo = try faultyStore()
        let run = try demo("check", "--fix", "--yes", "--format", "json")
        #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
        let answer = try run.answer()
        #expect(ids(answer) == ["duplicateServer"])
        #expect(answer["fixed"]?.arrayValue?.map { $0["changed"] } == [1, 1, 1])
        let backup = try #require(answer["backup"]?.stringValue)
        #expect(answer["kept"]?["path"]?.stringValue == backup)
        #expect(answer["kept"]?["command"]?.stringValue?.hasPrefix("chatdb restore \(backup) -d ") == true)
        let before = try ToolRun()
        for file in ["x_chat.db", "x_agent.db"] {
            try FileManager.default.copyItem(atPath: "\(backup)/\(file)", toPath: before.file(file))
        }
        #expect(try ids(checked(before)).count == 4)
        // Nothing is left to repair: no question, no backup.
        let again = try demo("check", "--fix", "--format", "json").answer()
        #expect(again["backup"] == .null && again["fixed"] == [])
        let nothing = "Nothing was repaired: chatdb can repair none of these findings.\n"
        for options in [["--yes"], ["--dry-run"]] {
            #expect(try demo(["check", "--fix"] + options).output.contains(nothing))
        }
        #expect(try !demo("check").output.contains("Nothing was repaired"))
        try demo.sql("UPDATE groups SET conn_link_started_connection = 1")
        #expect(try demo("check", "--fix", "--yes", "--no-backup", "--format", "json").answer()["backup"] == .null)
    }

    @Test("Without a terminal and without --yes, check --fix repairs nothing: exit 64")
    func noTerminal() throws {
        let demo = try faultyStore()
        let before = try demo.folder.fingerprint()
        let run = try demo("check", "--fix", "--format", "json")
        #expect(try run.code == 64 && run.refusal()["code"] == "confirmationNeeded")
        #expect(run.output.isEmpty)
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test(
        "On a terminal --fix shows its plan and asks: no exits with 1 and changes nothing, yes repairs, Ctrl-C is 130")
    func asked() throws {
        let demo = try faultyStore()
        let before = try demo.folder.fingerprint()
        let run = try TerminalRun(["check", "--fix"], in: demo)
        let question = try run.terminal.read(until: "[y/N] ")
        #expect(question.contains("Repair 3 of 5 findings?") && question.contains("removes them"))
        run.terminal.type("n\n")
        let end = try run.end()
        #expect(end.code == 1 && end.shown.contains("Nothing was done."))
        let stopped = try TerminalRun(["check", "--fix"], in: demo)
        _ = try stopped.terminal.read(until: "[y/N] ")
        stopped.interrupt()
        #expect(try stopped.end().code == 130)
        #expect(try demo.folder.fingerprint() == before)
        let done = try TerminalRun(["check", "--fix"], in: demo)
        _ = try done.terminal.read(until: "[y/N] ")
        done.terminal.type("y\n")
        #expect(try done.end().code == 1)
        #expect(try demo.sql("SELECT count(*) FROM chat_relays WHERE deleted") == "0")
    }

    @Test("S08: a damaged or outdated search index is an error, and --fix rebuilds it")
    func search() throws {
        let item = """
            INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text)
            SELECT user_id, group_id, 0, '2026-01-01 00:00:00.000', 'rcv_new', '{}', 'hello world' FROM groups
            """
        for fault in [
            "UPDATE chat_items_fts_data SET block = zeroblob(length(block)) WHERE id > 10",
            "INSERT INTO chat_items_fts (chat_items_fts) VALUES ('delete-all')",
            "DROP TABLE chat_items_fts_docsize",
        ] {
            let demo = try DemoStore.make()
            try demo.sql(item)
            #expect(try ids(checked(demo)).isEmpty)
            try demo.sql(fault)
            #expect(try ids(checked(demo)).contains("searchIndex"), "\(fault)")
            if fault.hasPrefix("DROP") {
                // --fix cannot repair this one, and still repairs the rest.
                let run = try demo("check", "--fix", "--yes", "--format", "json")
                #expect(try run.code == 1 && ids(run.answer()).contains("searchIndex"), "\(run.errors)")
                continue
            }
            #expect(try demo("check", "--fix", "--yes").code == 0, "\(fault)")
            #expect(try demo.sql("SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH 'world'") == "1")
            #expect(try ids(checked(demo)).isEmpty)
        }
    }

    @Test("Options of --fix are refused without --fix; without a store: exit 66")
    func usage() throws {
        let folder = try ToolRun()
        #expect(try folder("check", "--yes").code == 64)
        #expect(try folder("check", "--no-backup").code == 64)
        for command in [["check"], ["check", "--fix"]] {
            let run = try folder(command + ["--format", "json"])
            #expect(try run.code == 66 && run.refusal()["code"] == "storeNotFound")
        }
        #expect(try folder.folder.fingerprint().isEmpty)
    }

    @Test("Every answer is as recorded, in every format")
    func recorded() throws {
        let demo = try faultyStore()
        for (format, ending) in [("table", "txt"), ("json", "json"), ("csv", "csv"), ("markdown", "md")] {
            let run = try demo("check", "--format", format)
            #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
            try Snapshot.check(run.output, "check.\(ending)", in: demo)
        }
        try Snapshot.check(try demo.onTerminal("check", "--no-progress").output, "check-terminal.txt", in: demo)
        try Snapshot.check(try demo("check", "--fix", "--yes").output, "check-fix.txt", in: demo)
        try Snapshot.check(try DemoStore.finished()("check").output, "check-healthy.txt")
    }
}
