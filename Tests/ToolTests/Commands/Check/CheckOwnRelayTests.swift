import ChatDBKit
import Testing

@testable import ChatDBTool

/// Rule: docs/checks.md, `connectionWithoutAgent`.
@Suite("check of connections with the relays of an own channel")
struct CheckOwnRelayTests: CheckTesting {
    /// Adds a connection of a member of the demo's channel that the agent database lacks. Member 1 is the profile, 2
    /// and 3 are relays.
    private func add(_ number: Int, _ member: Int, to demo: ToolRun) throws {
        try demo.sql(
            """
            INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
            VALUES (\(number), 1, 'key\(number)', 'ready', 'member', \(member))
            """)
    }

    private func remedy(_ demo: ToolRun) throws -> String {
        let findings = try checked(demo)["findings"]?.arrayValue ?? []
        return findings.first { $0["id"] == "connectionWithoutAgent" }?["remedy"]?.stringValue ?? ""
    }

    @Test("The owner gets the commands that remove the relay and add it, with their numbers")
    func owner() throws {
        let demo = try DemoStore.make()
        try add(77, 2, to: demo)
        let text = try remedy(demo)
        #expect(text.contains("chatdb group relays id:1 --user id:1 "), "\(text)")
        #expect(text.contains("chatdb group relay remove id:1 row:1 --user id:1 "), "\(text)")
        #expect(text.contains("chatdb group relay add id:1 id:7 --user id:1 "), "\(text)")
        #expect(!text.contains("ask an admin"), "\(text)")
        // A channel cannot get a soft-deleted relay again.
        try demo.sql("UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 7")
        #expect(try remedy(demo).contains("chatdb group relay add id:1 RELAY --user id:1 "))
        // The connection of another member needs its own remedy too.
        try add(78, 1, to: demo)
        let mixed = try remedy(demo)
        #expect(mixed.contains("ask an admin") && mixed.contains("chatdb group relay remove id:1 row:1 "), "\(mixed)")
    }

    @Test("The commands about several relays have what the relays have in common")
    func several() throws {
        let demo = try DemoStore.make()
        try add(77, 2, to: demo)
        try add(78, 3, to: demo)
        let text = try remedy(demo)
        #expect(text.contains("connection 77, connection 78"), "\(text)")
        #expect(text.contains("chatdb group relay remove id:1 ROW --user id:1 "), "\(text)")
    }

    @Test("No action is needed for a relay that is no longer in the channel")
    func removed() throws {
        let demo = try DemoStore.make()
        try add(77, 2, to: demo)
        try demo.succeed("group", "relay", "remove", "id:1", "row:1", "-u", "id:1", "--yes")
        let text = try remedy(demo)
        #expect(text.contains("no longer in the channel") && text.hasSuffix("no action is needed."), "\(text)")
        #expect(!text.contains("group relay"), "\(text)")
        // What needs no action is no error. Another connection makes it one again.
        func severity() throws -> JSONValue? {
            try checked(demo)["findings"]?.arrayValue?.first { $0["id"] == "connectionWithoutAgent" }?["severity"]
        }
        #expect(try severity() == "info")
        #expect(try demo("check").code == 0)
        try add(78, 1, to: demo)
        #expect(try severity() == "error")
        #expect(try demo("check").code == 1)
    }

    @Test("After a loss of rows, the remedy removes no relay")
    func loss() throws {
        let demo = try DemoStore.make()
        try add(77, 2, to: demo)
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM contact_profiles")
        let text = try remedy(demo)
        #expect(text.contains("Delete nothing because of them") && !text.contains("relay remove"), "\(text)")
    }

    @Test("In a store of SimpleX Chat, the remedy is in the app")
    func simplex() throws {
        let demo = try DemoStore.make()
        try add(77, 2, to: demo)
        let found = try CheckedStore.check(
            StoreLocation(prefix: demo.file("x")), with: SQLiteEngine(), cancellation: Cancellation()
        ).checkup.findings.first { $0.id == "connectionWithoutAgent" }
        let text = try #require(found).remedy(in: .simplex).text()
        #expect(text.contains("In the app, remove the relay from the channel"), "\(text)")
        #expect(!text.contains("group relay remove") && !text.contains("ask an admin"), "\(text)")
    }

    @Test("A bundle has the number of the channel")
    func bundle() throws {
        let demo = try DemoStore.make()
        try add(77, 2, to: demo)
        let bundle = try demo("bundle", "--preview").answer()
        let finding = bundle["findings"]?.arrayValue?.first { $0["id"] == "connectionWithoutAgent" }
        #expect(
            finding?["rows"] == [["table": "connections", "row": 77, "userId": 1, "groupId": 1, "missing": []]],
            "\(finding ?? .null)")
        #expect(bundle["channels"]?.arrayValue?.contains { $0["groupId"] == 1 } == true)
    }
}
