import ChatDBKit
import Testing

/// Rule: docs/checks.md, `lostLink`.
@Suite("Lost links whose keys are left")
struct LostLinkTests {
    private static let key = String(repeating: "A", count: 43)
    private static let short = "https://h.example/c#\(key)"
    private static let shortKey = "c#\(key)@h.example"

    private let world: CheckWorld

    init() throws { world = try CheckWorld() }

    @Test("The repair writes the link of a channel again, and the channel has a link")
    func written() throws {
        try lose(Self.shortKey)
        let findings = try world.checkup().findings
        #expect(findings.map(\.id) == ["channelWithoutLink", "lostLink"])
        let lost = try #require(findings.last)
        #expect(lost.isFixable && lost.rows.map(\.groupID) == [1] && lost.rows.map(\.userID) == [1])
        #expect(try world.mend(findings).map(\.changed) == [1])
        #expect(try published(1) == [Self.short, Self.shortKey])
        #expect(try world.checkup().findings.isEmpty)
    }

    @Test(
        "The repair keeps a key from which no link can be made, and a text that is no link",
        arguments: [
            (nil, "smp#q@h.example"), (nil, "c#AAAA@h.example"), (nil, "a#\(key)@h.example"), (nil, "x"),
            ("no link", shortKey),
        ] as [(String?, String)])
    func kept(_ link: String?, _ key: String) throws {
        try lose(key, text: link)
        let found = try #require(try world.checkup().findings.first { $0.id == "lostLink" })
        #expect(!found.isFixable)
        #expect(found.sample.map(\.description) == ["group 1 (profile 1, group_link cannot be made from its key)"])
        #expect(try world.mend([found]).isEmpty)
        #expect(try published(1) == [link, key])
    }

    @Test("The repair writes no short link into a column of full links")
    func fullColumn() throws {
        try world.execute(["UPDATE groups SET conn_full_link_to_connect_key = '\(Self.shortKey)' WHERE group_id = 1"])
        let found = try #require(try world.checkup().findings.first)
        #expect(found.id == "lostLink" && !found.isFixable)
    }

    @Test("The repair removes the key if another group of the profile has the link, unless the profile left that group")
    func elsewhere() throws {
        let other = "UPDATE groups SET conn_short_link_to_connect = '\(Self.short)', "
        try world.execute([other + "conn_short_link_to_connect_key = '\(Self.shortKey)' WHERE group_id = 11"])
        try lose(Self.shortKey)
        func found() throws -> Finding? { try world.checkup().findings.first { $0.id == "lostLink" } }
        #expect(
            try found()?.sample.map(\.description) == ["group 1 (profile 1, group_link is the link of another group)"])
        let isMember = "UPDATE group_members SET member_status = 'unknown' WHERE group_member_id = 11"
        try world.execute([isMember.replacing("unknown", with: "left")])
        #expect(
            try found()?.sample.map(\.description) == ["group 1 (profile 1, group_link can be made from its key)"])
        try world.execute([isMember])
        let lost = try #require(try found())
        #expect(lost.isFixable)
        _ = try world.mend([lost])
        #expect(try published(1) == [nil, nil])
        #expect(try found() == nil)
    }

    @Test("A text that is no link, beside the same key, does not count as the link of another group")
    func otherText() throws {
        try world.execute([
            """
            UPDATE groups SET conn_short_link_to_connect = 'no link', conn_short_link_to_connect_key = '\(Self.shortKey)'
            WHERE group_id = 11
            """
        ])
        try lose(Self.shortKey)
        let lost = try #require(try world.checkup().findings.first { $0.id == "lostLink" })
        #expect(lost.isFixable && lost.count == 2)
        #expect(try world.mend([lost]).map(\.changed) == [1])
        #expect(try published(1) == [Self.short, Self.shortKey])
    }

    /// Loses the link that the channel publishes.
    private func lose(_ key: String, text: String? = nil) throws {
        let link = text.map { "'\($0)'" } ?? "NULL"
        try world.execute([
            "UPDATE group_profiles SET group_link = \(link), group_link_key = '\(key)' WHERE group_profile_id = 1"
        ])
    }

    /// The link that a group publishes, and its key.
    private func published(_ profile: Int64) throws -> [String?] {
        try world.test.read { chat in
            let row = try #require(
                try chat.first(
                    "SELECT group_link, group_link_key FROM group_profiles WHERE group_profile_id = \(profile)"))
            return [try row.get("group_link"), try row.get("group_link_key")]
        }
    }
}
