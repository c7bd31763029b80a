import ChatDBKit
import Testing

@testable import ChatDBTool

/// Rule: docs/checks.md, first section: "After a loss of rows".
@Suite("check after a loss of rows")
struct CheckAfterLossTests: CheckTesting {
    private struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let sql: String
        /// The finding whose repair would remove what is left.
        let left: String
        let cause: String
    }

    private static let losses = [
        Loss(
            testDescription: "a profile is lost", sql: "DELETE FROM users WHERE user_id = 1",
            left: "agentProfileWithoutProfile", cause: "chatDanglingReference"),
        Loss(
            testDescription: "all contacts are lost", sql: "DELETE FROM contacts", left: "unusedContactProfile",
            cause: "chatDanglingReference"),
        Loss(
            testDescription: "two profiles have one agent profile",
            sql: "DROP INDEX idx_users_agent_user_id; UPDATE users SET agent_user_id = 1",
            left: "agentProfileWithoutProfile", cause: "sharedAgentProfile"),
    ]

    @Test("--fix removes nothing of what is left, and the remedy names the loss", arguments: losses)
    private func keeps(_ loss: Loss) throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "add", "other", "-q")
        try demo.sql("PRAGMA foreign_keys = OFF; \(loss.sql)")
        let answer = try checked(demo)
        let finding = try #require(answer["findings"]?.arrayValue?.first { $0["id"]?.stringValue == loss.left })
        #expect(finding["fixable"] == false)
        #expect(finding["remedy"]?.stringValue?.contains("see \(loss.cause) first") == true)
        func rows() throws -> [String] {
            try [
                demo.sql("SELECT * FROM users", in: "x_agent.db"), demo.sql("SELECT * FROM contact_profiles"),
                demo.sql("SELECT * FROM display_names"),
            ]
        }
        let before = try rows()
        _ = try demo("check", "--fix", "--yes")
        #expect(try rows() == before)
    }

    @Test("--fix marks no connection in use as deleted when the chat database has lost their profile")
    func lostProfile() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            "INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (x'6231', 2, 'INV'), (x'6232', 2, 'INV')",
            in: "x_agent.db")
        try demo.sql("PRAGMA foreign_keys = ON; DELETE FROM users WHERE user_id = 2")
        let answer = try checked(demo)
        let finding = try #require(
            answer["findings"]?.arrayValue?.first { $0["id"] == "agentProfileWithoutProfile" }, "\(answer)")
        #expect(finding["severity"] == "error" && finding["fixable"] == false, "\(finding)")
        #expect(finding["detail"] == "agent user 2 has 2 connections that are not deleted", "\(finding)")
        let remedy = finding["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("older than the agent's") && remedy.contains("chatdb restore FOLDER"), "\(remedy)")
        #expect(!remedy.contains("--fix"), "\(remedy)")
        let run = try demo("check", "--fix", "--yes", "--no-backup", "--format", "json")
        #expect(run.code == 1, "\(run)")
        let deleted = "SELECT (SELECT sum(deleted) FROM users), (SELECT sum(deleted) FROM connections)"
        #expect(try demo.sql(deleted, in: "x_agent.db") == "0|0")
    }

    private func remedies(_ answer: JSONValue) -> [String: String] {
        let findings = answer["findings"]?.arrayValue ?? []
        var remedies: [String: String] = [:]
        for finding in findings { remedies[finding["id"]?.stringValue ?? ""] = finding["remedy"]?.stringValue }
        return remedies
    }

    @Test("no remedy advises to delete groups, channels or relays while the chat database shows lost rows")
    func cautions() throws {
        let demo = try DemoStore.make()
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM group_members")
        let found = remedies(try checked(demo))
        for id in ["groupWithoutOwnMember", "groupRelayWithoutMember", "unfinishedChannel"] {
            let remedy = found[id] ?? ""
            #expect(remedy.hasPrefix("The chat database lost rows (chatDanglingReference)"), "\(id): \(remedy)")
            #expect(remedy.contains("chatdb restore FOLDER") && remedy.contains("Delete nothing because of them"))
        }
        for (id, remedy) in found {
            for command in ["group delete", "group cancel", "group relay remove"] {
                #expect(!remedy.contains(command), "\(id): \(remedy)")
            }
        }
        // In a store of SimpleX Chat, the backup is an archive of the app.
        let findings = try CheckedStore.check(
            StoreLocation(prefix: demo.file("x")), with: SQLiteEngine(), cancellation: Cancellation()
        ).checkup.findings
        for kind in [FoundDatabase.Kind.chatdb, .simplex] {
            for finding in findings where finding.id.hasPrefix("group") {
                let caution = LossCautions.remedy(for: finding, among: findings, in: kind)?.text() ?? ""
                #expect(caution.contains("Delete nothing because of them"), "\(caution)")
                #expect(caution.contains("import an earlier archive in the app") == (kind == .simplex), "\(caution)")
            }
        }
    }

    @Test("without a sign of lost rows, the remedies for groups and relays name the commands that delete")
    func withoutLoss() throws {
        let demo = try DemoStore.make()
        let found = remedies(try checked(demo))
        #expect(found["unfinishedChannel"]?.contains("chatdb group cancel id:1") == true, "\(found)")
    }

    @Test("the remedy for a group without the own membership begins with the loss, and ends with the deletion")
    func ownMembership() throws {
        let remedy = Remedies.remedy(for: "groupWithoutOwnMember", in: .chatdb)?.text() ?? ""
        #expect(remedy.hasPrefix("The row of the own membership may be lost"), "\(remedy)")
        let parts = remedy.components(separatedBy: "Only if the profile has left the group")
        #expect(parts.count == 2 && parts[0].contains("chatdb restore FOLDER"), "\(remedy)")
        #expect(parts[0].contains("delete") == false && parts[1].contains("chatdb group delete"), "\(remedy)")
    }

    @Test("the remedy for a connection whose owner is missing says that nothing uses it")
    func ownerless() throws {
        let demo = try DemoStore.make()
        func add(_ connection: Int, _ member: Int) throws {
            try demo.sql(
                """
                PRAGMA foreign_keys = OFF;
                INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type, group_member_id)
                VALUES (\(connection), 1, 'key\(connection)', 'ready', 'member', \(member))
                """)
        }
        try add(77, 99)
        let one = try checked(demo)
        let alone = remedies(one)["connectionWithoutAgent"] ?? ""
        #expect(alone.hasPrefix("The owner of this connection"), "\(alone)")
        #expect(alone.contains("Nothing uses this connection") && !alone.contains("ask an admin"), "\(alone)")
        #expect(remedies(one)["chatDanglingReference"]?.contains("connectionWithoutAgent") == true, "\(one)")
        let finding = one["findings"]?.arrayValue?.first { $0["id"] == "connectionWithoutAgent" }
        #expect(finding?["rows"]?[0]?["missing"] == ["owner"] && finding?["fixable"] == false, "\(one)")
        // The connection of a member that the store has needs its own remedy too.
        try add(78, 1)
        let both = try checked(demo)
        let mixed = remedies(both)["connectionWithoutAgent"] ?? ""
        #expect(mixed.contains("ask an admin"), "\(mixed)")
        #expect(mixed.contains("The owner of connection 77 (a contact, a member, a link or a file) is missing too."))
        #expect(!mixed.contains("connection 78"), "\(mixed)")
        // Rows of other tables that lack theirs are no matter of connections.
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM group_members WHERE group_member_id = 2")
        let more = remedies(try checked(demo))["chatDanglingReference"] ?? ""
        #expect(more.contains("Do not delete chats or profiles"), "\(more)")
    }
}
