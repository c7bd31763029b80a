import ChatDBKit
import Testing

/// Rule: docs/checks.md, "Rows that stay lost".
@Suite("groups and channels that lost a row, as check names them")
struct LostGroupsTests {
    private struct Loss: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statements: [String]
        let detail: String
        /// The rows of the finding, as `number user missing`.
        let rows: [String]
    }

    private static let losses = [
        Loss(
            testDescription: "the row of a group", statements: ["DELETE FROM groups WHERE group_id = 11"],
            detail: "group 11 (profile 1) is lost", rows: ["11 1 group"]),
        Loss(
            testDescription: "the rows of all groups", statements: ["DELETE FROM groups"],
            detail: "group 1 (profile 1), group 11 (profile 1) are lost", rows: ["1 1 group", "11 1 group"]),
        Loss(
            testDescription: "the row of a group of a hidden profile",
            statements: [CheckFault.hide, "DELETE FROM groups WHERE group_id = 11"], detail: "group 11 is lost",
            rows: ["11 - group"]),
        Loss(
            testDescription: "the rows of a group and of its members",
            statements: ["DELETE FROM groups WHERE group_id = 11", "DELETE FROM group_members WHERE group_id = 11"],
            detail: "group 11 (profile 1) is lost", rows: ["11 1 group"]),
        Loss(
            testDescription: "the profile row of a group",
            statements: ["DELETE FROM group_profiles WHERE group_profile_id = 11"],
            detail: "the profile row of group 11 (profile 1) is lost", rows: ["11 1 groupProfile"]),
        Loss(
            testDescription: "the profile of the store", statements: ["DELETE FROM users WHERE user_id = 1"],
            detail: "the profile that has group 1, group 11 is lost", rows: ["1 - profile", "11 - profile"]),
        Loss(
            testDescription: "the profile of the store, the row of one group and the profile row of the other",
            statements: [
                "DELETE FROM users WHERE user_id = 1", "DELETE FROM groups WHERE group_id = 11",
                "DELETE FROM group_profiles WHERE group_profile_id = 1",
            ],
            detail: "group 11 is lost; the profile row of group 1 is lost; the profile that has group 1 is lost",
            rows: ["1 - groupProfile profile", "11 - group"]),
    ]

    @Test("the finding names the groups, and has them as rows", arguments: losses)
    private func named(_ loss: Loss) throws {
        let world = try CheckWorld()
        try world.execute(loss.statements)
        let finding = try #require(try world.checkup().findings.first { $0.id == "chatDanglingReference" })
        #expect(finding.detail == loss.detail)
        let rows = finding.rows.filter { $0.table == "groups" }.map { row in
            let user = row.userID.map(String.init) ?? "-"
            return "\(row.row) \(user) \(row.missing.joined(separator: " "))"
        }
        #expect(rows == loss.rows)
        #expect(!finding.isFixable)
    }

    @Test("a reference to another missing row names no group")
    func others() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE connections SET contact_id = 99 WHERE connection_id = 14"])
        let finding = try #require(try world.checkup().findings.first { $0.id == "chatDanglingReference" })
        #expect(finding.detail == nil && finding.rows.isEmpty)
    }

    @Test("a missing user of the agent database is no lost profile")
    func agent() throws {
        let world = try CheckWorld()
        try world.execute(["DELETE FROM users WHERE user_id = 2"], in: .agent)
        let finding = try #require(try world.checkup().findings.first { $0.id == "agentDanglingReference" })
        #expect(finding.detail == nil && finding.rows.isEmpty)
    }
}
