import ChatDBKit
import Foundation
import TestKit
import Testing

/// What a person sees of a store with a value that cannot be read.
@Suite("commands and values that cannot be read")
struct UnreadableRowsToolTests {
    private func spoilt() throws -> ToolRun {
        let demo = try DemoStore.finished()
        try demo.sql("UPDATE chat_relays SET tested_at = 'soon' WHERE chat_relay_id = 2")
        return demo
    }

    @Test("inspect shows the other rows and names the one that is left out, and check finds it")
    func inspect() throws {
        let demo = try spoilt()
        let page = try demo("inspect", "--format", "json").answer()
        #expect(page["relays"]?.arrayValue?.count == 6)
        #expect(page["channels"]?.arrayValue?.count == 1 && page["users"]?.arrayValue?.count == 2)
        #expect(
            page["unreadable"]
                == [["table": "chat_relays", "row": 2, "column": "tested_at", "reason": "not a time"]])
        #expect(
            page["warnings"]?.texts == ["1 row is left out: chat_relays 2, column tested_at: not a time"])
        let check = try demo("check", "--format", "json")
        #expect(check.code == 1)
        let finding = try check.answer()["findings"]?[0]
        #expect(finding?["id"] == "unreadableValue" && finding?["sample"]?.texts == ["chat_relays 2 tested_at"])
        let bundle = try demo("bundle", "--preview").output
        #expect(bundle.contains("\"unreadable\"") && !bundle.contains("soon"))
    }

    @Test("a list ends with a warning, and show names the value")
    func lists() throws {
        let demo = try spoilt()
        let warning = "warning: 1 row is left out: chat_relays 2, column tested_at: not a time"
        let list = try demo("relay", "list", "-u", "alice")
        #expect(list.code == 0 && list.output.contains(warning) && list.output.contains("mine"))
        let json = try demo("relay", "list", "-u", "alice", "--format", "json").answer()
        #expect(json["unreadable"]?.arrayValue?.count == 1 && json["relays"]?.arrayValue?.count == 3)
        let csv = try demo("relay", "list", "-u", "alice", "--format", "csv")
        #expect(csv.errors.contains(warning) && !csv.output.contains("left out"))
        #expect(try demo("relay", "show", "mine", "-u", "alice").code == 0)
        let whole = try demo("relay", "list", "-u", "work", "--format", "json").answer()
        #expect(whole["unreadable"] == nil)
        let show = try demo("relay", "show", "id:2", "-u", "alice")
        #expect(show.code == 65 && show.errors.contains("column tested_at holds another text"), "\(show.errors)")
        #expect(show.errors.contains("in the row with chat_relay_id 2"))
    }

    @Test("a group whose profile row is missing is named, and its name leads to no other group")
    func lostProfile() throws {
        let demo = try DemoStore.finished()
        try demo.succeed("group", "create", "news", "--relay", "mine", "-u", "alice")
        try demo.sql("DELETE FROM group_profiles WHERE group_profile_id = 1")
        let unreadable: JSONValue = [
            ["table": "groups", "row": 1, "column": "group_profile_id", "reason": "its profile row is missing"]
        ]
        let list = try demo("group", "list", "-u", "alice", "--format", "json").answer()
        #expect(list["unreadable"] == unreadable && list["groups"]?.arrayValue?.count == 1)
        let page = try demo("inspect", "--format", "json").answer()
        #expect(page["unreadable"] == unreadable && page["channels"]?.arrayValue?.count == 1)
        for words in [
            ["show", "news"], ["show", "ne"], ["relays", "news"], ["relays", "id:1"], ["relay", "add", "news", "mine"],
        ] {
            let run = try demo(["group"] + words + ["-u", "alice", "--format", "json"])
            let refusal = try run.refusal()
            #expect(run.code == 65 && refusal["code"] == "unexpectedRow", "\(words) \(run.errors)")
            #expect(refusal["message"] == "group 1 cannot be read: its profile row is missing", "\(run.errors)")
            #expect(refusal["hint"]?.stringValue?.contains("chatdb check") == true, "\(run.errors)")
        }
        try demo.succeed("group", "relays", "news_1", "-u", "alice")
    }

    @Test("an export does not lose the row")
    func export() throws {
        let simplex = try SimplexFolder()
        try simplex.store.execute("UPDATE chat_relays SET enabled = 2 WHERE chat_relay_id = 1")
        let list = try simplex.answer("relay", "list")
        #expect(
            list["unreadable"]
                == [["table": "chat_relays", "row": 1, "column": "enabled", "reason": "neither 0 nor 1"]])
        #expect(list["relays"]?.arrayValue?.isEmpty == false)
        let export = try simplex(["preset", "export", "-o", "p.json"])
        #expect(export.errors.contains("column enabled holds"), "\(export.errors)")
        #expect(!FileManager.default.fileExists(atPath: simplex.run.file("p.json")))
        let check = try simplex(["check", "--format", "json"]).answer()
        let found = check["findings"]?.arrayValue?.first { $0["id"] == "unreadableValue" }
        #expect(found?["sample"]?.texts == ["chat_relays 1 enabled"])
    }
}
