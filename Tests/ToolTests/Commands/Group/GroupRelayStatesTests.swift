import ChatDBKit
import Foundation
import Testing

/// Relays of a channel that no new channel can choose, in the answers about the channel.
@Suite("states of a channel's relays")
struct GroupRelayStatesTests {
    @Test(
        "group relays, its JSON and inspect tell that a channel's relay is soft-deleted, disabled or its operator off")
    func states() throws {
        let demo = try DemoStore.make()
        #expect(try demo.succeed("inspect", "--format", "json").answer()["relaysOff"] == [])
        #expect(try !demo.succeed("inspect").output.contains("Relays off"))
        try demo.succeed("relay", "delete", "mine", "-u", "alice", "--yes")
        try demo.succeed("relay", "disable", "id:1", "-u", "alice")
        let text = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(text.contains("soft-deleted") && text.contains("disabled"))
        try demo.succeed("relay", "enable", "id:1", "-u", "alice")
        try demo.succeed("operator", "disable", "simplex")
        let off = try demo.succeed("group", "relays", "news", "-u", "alice").output
        #expect(off.contains("soft-deleted") && off.contains("operator off"))
        for verb in ["relays", "show"] {
            let relays = try demo.succeed("group", verb, "news", "-u", "alice", "--format", "json").answer()["relays"]
            #expect(relays?.arrayValue?.map { $0["userChatRelayId"] } == [7, 1])
            #expect(relays?.arrayValue?.map { $0["deleted"] } == [true, false])
            #expect(relays?.arrayValue?.map { $0["enabled"] } == [true, true])
            #expect(relays?.arrayValue?.map { $0["operatorOff"] } == [false, true])
        }
        let csv = try demo.succeed("group", "relays", "news", "-u", "alice", "--format", "csv").output
        #expect(csv.contains("enabled,deleted,operatorOff,joining,failure\n") && csv.contains(",yes,yes,no,,\n"))
        let page = try demo.succeed("inspect").output
        #expect(page.contains("mine (soft-deleted), SimpleX Chat Relay 1 (operator off)"))
        let found = try demo.succeed("inspect", "--format", "json").answer()["relaysOff"]?.arrayValue
        #expect(found?.map { $0["userChatRelayId"] } == [7, 1] && found?.allSatisfy { $0["groupId"] == 1 } == true)
        #expect(found?.map { $0["deleted"] } == [true, false] && found?.map { $0["operatorOff"] } == [false, true])
    }

    @Test("a row without a member counts neither for the channel nor for the relay, but still refers to the relay")
    func withoutMember() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
            VALUES (1, 9998, 7, 'inactive')
            """)
        func use(_ relay: String) throws -> [JSONValue?] {
            let shown = try demo.succeed("relay", "show", relay, "-u", "alice", "--format", "json").answer()
            return [shown["relay"]?["channels"]?["using"], .integer(Int64(shown["usedBy"]?.arrayValue?.count ?? 0))]
        }
        func head() throws -> String? {
            let page = try demo.succeed("group", "relays", "news", "-u", "alice").output
            return page.split(separator: "\n").first.map(String.init)
        }
        #expect(try head() == "Relays of news: 2 of 2 active")
        #expect(try use("id:7") == [1, 1])
        try demo.sql(
            "UPDATE group_relays SET group_member_id = 9999 WHERE chat_relay_id = 7 AND group_member_id <> 9998")
        #expect(try head() == "Relays of news: 1 of 1 active")
        #expect(try use("id:7") == [0, 0] && use("id:1") == [1, 1])
        let list = try demo.succeed("relay", "list", "-u", "alice", "--format", "json").answer()["relays"]
        #expect(list?.arrayValue?.first { $0["chatRelayId"] == 7 }?["channels"]?["using"] == 0)
        let deletion = try demo.succeed("relay", "delete", "id:7", "-u", "alice", "--dry-run", "--format", "json")
        #expect(try deletion.answer()["outcome"] == "softDeleted")
    }

    @Test("a relay that is disabled and whose operator is off shows both, in every list")
    func both() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "disable", "id:1", "-u", "alice")
        try demo.succeed("operator", "disable", "simplex")
        for command in [["relay", "list"], ["relay", "show", "id:1"], ["group", "relays", "news"]] {
            let shown = try demo(command + ["-u", "alice"]).output
            #expect(shown.contains("disabled, operator off"), "\(command): \(shown)")
        }
        #expect(try demo.succeed("inspect").output.contains("SimpleX Chat Relay 1 (disabled, operator off)"))
    }

    @Test("inspect lists relays of channels that the profile is in, and only those")
    func left() throws {
        let demo = try DemoStore.make()
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
        #expect(try demo.succeed("inspect", "--format", "json").answer()["relaysOff"]?.arrayValue?.count == 1)
        try demo.sql("UPDATE group_members SET member_status = 'left' WHERE member_category = 'user'")
        #expect(try demo.succeed("inspect", "--format", "json").answer()["relaysOff"] == [])
    }
}
