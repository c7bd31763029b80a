import Foundation
import Testing

@Suite("group")
struct GroupTests {
    /// The ids of the relays of a new channel.
    private func created(_ folder: ToolRun, _ arguments: String...) throws -> [Int64] {
        let run = try folder(["group", "create", "x", "-u", "alice", "--format", "json"] + arguments)
        try #require(run.code == 0, "\(run.errors)")
        let relays = try run.answer()["relays"]?.arrayValue ?? []
        return relays.compactMap { $0["userChatRelayId"]?.integerValue }
    }

    @Test("--relay takes a name, an id, an address in either scheme, or a unique host")
    func naming() throws {
        let demo = try DemoStore.make()
        let ways = [
            "mine", "MINE", "name:mine", "7", "id:7", DemoStore.relay, DemoStore.sameRelay, "relay.example.org",
        ]
        for way in ways { #expect(try created(demo, "--relay", way) == [7], "\(way)") }
        // A name precedes an id, unless the text begins with `id:`.
        try demo.succeed("relay", "add", DemoStore.otherRelay, "--name", "7", "-u", "alice")
        #expect(try created(demo, "--relay", "7") == [8])
        #expect(try created(demo, "--relay", "id:7", "--relay", "7", "--relay", "mine") == [7, 8])
    }

    @Test("A host of several relays is refused, with the candidates")
    func ambiguous() throws {
        let demo = try DemoStore.make()
        try demo.succeed(
            "relay", "add", "https://relay.example.org/r#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ", "-u", "alice")
        let run = try demo(
            "group", "create", "x", "--relay", "relay.example.org", "-u", "alice", "--format", "json")
        #expect(run.code == 1)
        #expect(try run.refusal()["code"] == "ambiguousName")
        #expect(try run.refusal()["details"]?["candidates"]?.texts?.count == 2)
    }

    @Test("Without --relays a channel gets two relays, or the only one; a seed repeats the choice")
    func choice() throws {
        let demo = try DemoStore.make()
        #expect(try created(demo).count == 2)
        #expect(try created(demo, "--relays", "3").count == 3)
        #expect(try created(demo, "--seed", "3") == created(demo, "--seed", "3"))
        let choices = try (0..<8).map { try created(demo, "--relays", "1", "--seed", "\($0)") }
        #expect(Set(choices).count > 1)
        try demo.sql("UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id <> 7")
        #expect(try created(demo) == [7])
        let tooMany = try demo("group", "create", "x", "-u", "alice", "--relays", "2", "--format", "json")
        #expect(tooMany.code == 1)
        #expect(try tooMany.refusal()["code"] == "notEnoughRelays")
    }

    @Test("Without an enabled relay chatdb creates no channel, and shows the app's message")
    func noRelays() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE chat_relays SET enabled = 0")
        let run = try demo("group", "create", "x", "-u", "alice")
        #expect(run.code == 1)
        #expect(run.errors.hasPrefix("error: No chat relays enabled. Channels require at least one relay.\n"))
        let named = try demo("group", "create", "x", "--relay", "mine", "-u", "alice", "--format", "json")
        #expect(try named.refusal()["code"] == "relayDisabled")
        #expect(try demo.sql("SELECT count(*) FROM groups") == "1")
        #expect(try demo.sql("SELECT count(*) FROM group_members") == "3")
    }

    @Test("The error about an unknown relay suggests names and hosts")
    func didYouMean() throws {
        let demo = try DemoStore.make()
        let run = try demo("group", "create", "x", "--relay", "mien", "-u", "alice")
        #expect(run.code == 1)
        #expect(run.errors.contains("the profile \"alice\" has no relay \"mien\""))
        #expect(run.errors.contains("did you mean \"mine\"?"))
        let host = try demo("group", "create", "x", "--relay", "relay.exmple.org", "-u", "alice")
        #expect(host.errors.contains("did you mean \"relay.example.org\"?"))
    }

    @Test("--relay and --relays exclude each other, and a channel has at least one relay")
    func usage() throws {
        let demo = try DemoStore.make()
        #expect(try demo("group", "create", "x", "--relay", "mine", "--relays", "1").code == 64)
        #expect(try demo("group", "create", "x", "--relays", "0").code == 64)
        #expect(try demo("group", "create").code == 64)
    }

    @Test("The list shows groups with the newest chat first, and the progress of their relays")
    func list() throws {
        let demo = try DemoStore.make()
        try demo.succeed("group", "create", "second", "-u", "alice", "--relay", "mine")
        try demo.sql("UPDATE groups SET chat_ts = '2020-01-01 00:00:00.000' WHERE group_id = 2")
        try demo.sql("UPDATE group_relays SET relay_status = 'active' WHERE group_id = 1 AND chat_relay_id = 7")
        let groups = try demo.succeed("group", "list", "-u", "alice", "--format", "json").answer()["groups"]
        let list = try #require(groups?.arrayValue)
        #expect(list.map { $0["name"] } == ["news", "second"])
        #expect(list[0]["progress"] == ["active": 1, "failed": 0, "removed": 0, "total": 2, "done": false])
        let relays = try #require(list[0]["relays"]?.arrayValue)
        #expect(relays.map { $0["relayStatus"] } == ["active", "new"])
        #expect(relays.map { $0["host"] } == ["relay.example.org", "smp5.simplex.im"])
    }
}
