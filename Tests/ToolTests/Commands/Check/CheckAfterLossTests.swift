import ChatDBKit
import Testing

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
}
