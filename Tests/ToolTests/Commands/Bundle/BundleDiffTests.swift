import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `bundle diff`.
@Suite("Two bundles", .timeLimit(.minutes(60))) struct BundleDiffTests {
    private func bundles(_ change: (ToolRun) throws -> Void) throws -> ToolRun {
        let chatdb = try DemoStore.make()
        try chatdb.succeed("bundle", "write", "a.json")
        try change(chatdb)
        // Without `write`, as scripts have it.
        try chatdb.succeed("bundle", "b.json")
        return chatdb
    }

    private func paths(_ answer: JSONValue) -> [String] {
        (answer["differences"]?.arrayValue ?? []).map { entry in
            (entry["path"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " ")
        }
    }

    @Test("bundle refuses a file whose name has another ending than .json")
    func ending() throws {
        let chatdb = try DemoStore.make()
        let zip = try chatdb("bundle", "out.zip")
        #expect(zip.code == 64 && zip.errors.contains("chatdb writes no .zip files; end the name in .json"))
        #expect(FileState(at: chatdb.file("out.zip")) == .missing)
        #expect(try chatdb("bundle", "out").code == 0)
    }

    @Test("values that differ are shown by section, and nothing else")
    func changed() throws {
        let chatdb = try bundles {
            try $0.succeed("relay", "disable", "mine", "-u", "alice")
            try $0.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        }
        let answer = try chatdb("bundle", "diff", "a.json", "b.json", "--format", "json").answer()
        #expect(answer["sameStore"] == true)
        let paths = paths(answer)
        #expect(paths.contains("rows agent users") && paths.contains("findings agentProfileWithoutProfile"))
        #expect(paths.contains { $0.hasPrefix("relays ") && $0.hasSuffix("enabled") })
        #expect(!paths.contains { $0.hasPrefix("manifest") || $0.hasPrefix("servers") })
        let text = try chatdb("bundle", "diff", "a.json", "b.json").output
        #expect(text.contains("agentProfileWithoutProfile") && !text.contains("different stores"))
    }

    @Test("elements of a list are compared by what identifies them, not by their places")
    func places() throws {
        let chatdb = try bundles {
            try $0.sql(
                """
                INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text,
                    created_at) VALUES (1, 1, 0, '2025-01-01 00:00:00', 'rcv_read', '{}', '', '2025-01-01 00:00:00');
                UPDATE group_relays SET chat_relay_id = 7;
                DELETE FROM chat_relays WHERE chat_relay_id = 1
                """)
        }
        let answer = try chatdb("bundle", "diff", "a.json", "b.json", "--format", "json").answer()
        let differences = answer["differences"]?.arrayValue ?? []
        let timeline = differences.filter { $0["path"]?[0]?.stringValue == "timeline" }
        let received = timeline.filter { $0["path"]?[1]?.stringValue == "chat messageReceived" }
        #expect(received.count == 1 && received[0]["from"] == .null && received[0]["to"] != .null, "\(timeline)")
        let events = timeline.compactMap { $0["path"]?[1]?.stringValue }
        #expect(Set(events).isSubset(of: ["chat messageReceived", "filesWritten"]), "\(timeline)")
        let relays = paths(answer).filter { $0.hasPrefix("relays ") }
        #expect(relays.contains("relays profile 1 relay 1"), "\(relays)")
        #expect(!relays.contains { $0.hasSuffix("chatRelayId") }, "\(relays)")
    }

    @Test("a relay of a channel that comes before others in a list changes none of them")
    func relayInFront() {
        func bundle(_ relays: Int64...) -> JSONValue {
            let rows = relays.map { relay -> JSONValue in
                ["userId": 1, "groupId": 1, "userChatRelayId": .integer(relay), "relayStatus": "new"]
            }
            let incomplete = relays.map { relay -> JSONValue in
                ["userId": 1, "groupId": 1, "userChatRelayId": 9, "groupRelayId": .integer(relay)]
            }
            return ["inactiveRelays": .array(rows), "incompleteRelays": .array(incomplete)]
        }
        let entries = BundleDifferences(from: bundle(7), to: bundle(3, 7)).entries
        #expect(
            entries.map(\.path) == [
                ["inactiveRelays", "profile 1 group 1 relay 3"],
                ["incompleteRelays", "profile 1 group 1 relay 9 row 3"],
            ])
        #expect(entries.allSatisfy { $0.before == nil && $0.after != nil })
    }

    @Test("rows that cannot be read are told apart by their numbers")
    func unreadable() {
        func bundle(_ rows: Int64...) -> JSONValue {
            [
                "unreadable": .array(
                    rows.map {
                        ["table": "contacts", "row": .integer($0), "column": "updated_at", "reason": "not a time"]
                    })
            ]
        }
        let entries = BundleDifferences(from: bundle(11, 12, 13), to: bundle(12, 13)).entries
        #expect(entries.map(\.path) == [["unreadable", "contacts 11 updated_at"]])
        #expect(entries.first?.after == nil && entries.first?.before != nil)
    }

    @Test("a bundle is the same as itself; --exit-code tells a difference")
    func same() throws {
        let chatdb = try bundles { try $0.succeed("relay", "disable", "mine", "-u", "alice") }
        let same = try chatdb("bundle", "diff", "a.json", "a.json", "--exit-code")
        #expect(same.code == 0 && same.output.contains("no differences"))
        #expect(try chatdb("bundle", "diff", "a.json", "b.json").code == 0)
        #expect(try chatdb("bundle", "diff", "a.json", "b.json", "--exit-code").code == 1)
    }

    @Test("bundles of two stores are compared with a warning")
    func stores() throws {
        let chatdb = try bundles { _ in }
        let other = try ToolRun()
        try other.succeed("migrate", "run", "-q")
        try other.succeed("bundle", "write", "c.json")
        let answer = try chatdb("bundle", "diff", "a.json", other.file("c.json"), "--format", "json").answer()
        #expect(answer["sameStore"] == false)
        #expect(try chatdb("bundle", "diff", "a.json", other.file("c.json")).output.contains("two different stores"))
    }

    private func bundle(_ kind: String, made: String, first: String? = nil, _ more: String = "") -> String {
        let event = first.map { #"{"at": "\#($0)", "database": "chat", "event": "firstMigration"}"# } ?? ""
        return #"{"manifest": {"format": "chatdb-bundle", "version": 1, "made": "\#(made)"}, "#
            + #""store": {"kind": "\#(kind)"}, "timeline": [\#(event)]\#(more)}"#
    }

    private func warnings(_ one: String, _ other: String) throws -> (same: JSONValue?, warnings: [String]) {
        let chatdb = try ToolRun()
        try Data(one.utf8).write(to: URL(fileURLWithPath: chatdb.file("a.json")))
        try Data(other.utf8).write(to: URL(fileURLWithPath: chatdb.file("b.json")))
        let answer = try chatdb("bundle", "diff", "a.json", "b.json", "--format", "json").answer()
        let text = try chatdb("bundle", "diff", "a.json", "b.json").output
        let errors = try chatdb("bundle", "diff", "a.json", "b.json", "--format", "csv").errors
        for warning in answer["warnings"]?.texts ?? [] { #expect(text.contains(warning) && errors.contains(warning)) }
        return (answer["sameStore"], answer["warnings"]?.texts ?? [])
    }

    @Test("bundles of two programs, of two stores, or in the wrong order are compared with a warning")
    func warned() throws {
        let (early, late) = ("2026-11-22T10:00:00Z", "2026-11-23T10:00:00Z")
        let kinds = try warnings(bundle("chatdb", made: early), bundle("simplex", made: late))
        #expect(kinds.same == false)
        #expect(kinds.warnings == ["the bundles are of stores of two programs: chatdb, SimpleX Chat"])
        let stores = try warnings(
            bundle("simplex", made: late, first: early), bundle("simplex", made: early, first: late))
        #expect(stores.same == false)
        #expect(
            stores.warnings == [
                "the bundles are of two different stores",
                "the second bundle is the earlier one: give the earlier one first",
            ])
        let none = try warnings(
            bundle("simplex", made: early, first: early), bundle("simplex", made: late, first: early))
        #expect(none.same == .null && none.warnings.isEmpty)
    }

    @Test("cells have the values of objects and lists, and an element without a name has a place")
    func cells() throws {
        #expect(BundleDiffReport.shown(["a": 1, "b": ["x", "y"], "c": nil]) == "a: 1, b: x, y, c: –")
        #expect(BundleDiffReport.shown([["a": 1], ["a": true]]) == "a: 1; a: true")
        #expect(BundleDiffReport.shown([]) == "none" && BundleDiffReport.shown("text") == "text")
        let entries = BundleDifferences(
            from: ["timeline": [["at": "1"]]], to: ["timeline": [["at": "2"], ["at": "3"]]]
        ).entries
        #expect(entries.map(\.path) == [["timeline", "#1", "at"], ["timeline", "#2"]])
    }

    @Test("- is a bundle on standard input")
    func standardInput() throws {
        let chatdb = try bundles { _ in }
        let run = try chatdb.shell("$CHATDB bundle --preview | $CHATDB bundle diff a.json - --format json")
        #expect(try run.code == 0 && run.answer()["to"]?["file"] == "standard input")
    }

    @Test(
        "a file that is no bundle is refused",
        arguments: ["", "{}", "[1", "{\"manifest\": {\"format\": \"chatdb-bundle\", \"version\": 9}}"])
    func others(_ text: String) throws {
        let chatdb = try bundles { _ in }
        try Data(text.utf8).write(to: URL(fileURLWithPath: chatdb.file("other.json")))
        let run = try chatdb("bundle", "diff", "a.json", "other.json", "--format", "json")
        #expect(run.code == 65)
        #expect(try run.refusal()["code"] == "notABundle" && run.refusal()["state"] == nil)
        let missing = try chatdb("bundle", "diff", "a.json", "none.json")
        // The command changes nothing in any case.
        #expect(missing.code == 66 && missing.errors == "error: there is no file none.json\n", "\(missing)")
    }
}
