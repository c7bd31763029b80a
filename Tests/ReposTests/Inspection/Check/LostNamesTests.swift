import ChatDBKit
import Testing

/// Rule: docs/checks.md, "Files and versions", `chatDanglingReference`.
@Suite("names that are missing in display_names")
struct LostNamesTests {
    @Test("Of references to missing rows, the repair reserves lost names again, and leaves the others")
    func lostNames() throws {
        let world = try CheckWorld()
        try world.execute([
            "UPDATE connections SET contact_id = 99 WHERE connection_id = 14",
            "DELETE FROM display_names WHERE local_display_name IN ('group', 'carol_1', 'dan')",
        ])
        let finding = try #require(try world.checkup().findings.first)
        #expect(finding.id == "chatDanglingReference" && finding.count == 4 && finding.isFixable)
        #expect(finding.sample.contains(.text("connections 14: contact_id in contacts")))
        #expect(
            finding.detail
                == "the reserved names of contact 12 (profile 1), member 12 of group 11 (profile 1), group 11 (profile 1) are lost"
        )
        #expect(
            finding.rows.map(\.name) == ["contact 12", "member 12 of group 11", "group 11"].map { "\($0) (profile 1)" })
        #expect(try world.mend([finding]).map(\.changed) == [3])
        let left = try #require(try world.checkup().findings.first)
        #expect(left.id == "chatDanglingReference" && left.count == 1 && !left.isFixable && left.detail == nil)
        #expect(try world.mend([left]).isEmpty)
        // The next name is counted past the one with a suffix.
        let added = try world.test.write {
            try ContactsWriter($0).create(ContactProfileContent(displayName: "carol"), of: world.alice.id)
        }
        #expect(added.localDisplayName == "carol_2")
    }

    @Test("The repair of lost names shows no number of a hidden profile")
    func lostNameOfHidden() throws {
        let world = try CheckWorld()
        try world.execute([CheckFault.hide, "DELETE FROM display_names WHERE local_display_name = 'alice'"])
        let finding = try #require(try world.checkup().findings.first { $0.id == "chatDanglingReference" })
        #expect(finding.isFixable && !finding.rows.contains { $0.table == "users" || $0.userID != nil })
        _ = try world.mend([finding])
        #expect(try !world.checkup().findings.contains { $0.id == "chatDanglingReference" })
    }
}
