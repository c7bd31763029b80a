import ChatDBKit
import TestKit
import Testing

/// The history of a store of SimpleX Chat, in the same words everywhere. Rule: docs/simplex.md, "Migrations".
@Suite("the history of a store of SimpleX Chat")
struct SimplexHistoryTests {
    private func ids(_ answer: JSONValue) -> [String] {
        (answer["findings"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
    }

    @Test("no described version has a finding about its history", arguments: SimplexStore.versions)
    func known(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexFolder(version)
        let found = ids(try simplex(["check", "--format", "json"]).answer())
        let unwanted = ["otherHistory", "newerVersion", "olderVersion", "unreadableValue"]
        #expect(found.filter(unwanted.contains) == [])
        #expect(try simplex.answer("inspect")["store"]?["chat"]?["history"]?["state"] == "known")
    }

    @Test("a gap, another name and a newer migration have the same words in inspect, check and migrate status")
    func words() throws {
        let simplex = try SimplexFolder()
        try simplex.store.execute(
            "DELETE FROM migrations WHERE name = '20250105_indexes'",
            "UPDATE migrations SET name = '20250127_mentions' WHERE name = '20250126_mentions'")
        try simplex.store.execute("INSERT INTO migrations (name, ts) VALUES ('m20270101_more', '')", in: .agent)
        let other = """
            the chat database has another history than SimpleX Chat's: lacks 20250105_indexes, has 20250127_mentions in \
            the place of 20250126_mentions. The app shows "different migration": 20250105_indexes in the app, \
            20250115_chat_ttl in the database
            """
        let newer = """
            the agent database has migrations that this build does not know (20270101_more): chatdb reads what it knows, \
            and an app without them shows its downgrade screen
            """
        let page = try simplex.answer("inspect")
        #expect([other, newer].allSatisfy { page["warnings"]?.texts?.contains($0) == true })
        #expect(page["store"]?["chat"]?["history"]?["missing"]?.texts == ["20250105_indexes"])
        #expect(page["store"]?["agent"]?["history"]?["newer"]?.texts == ["20270101_more"])
        let check = try simplex(["check", "--format", "json"]).answer()
        #expect([other, newer].allSatisfy { check["notes"]?.texts?.contains($0) == true })
        let findings = (check["findings"]?.arrayValue ?? []).filter { $0["id"]?.stringValue?.hasSuffix("ry") == true }
        #expect(
            findings.first?["sample"]?.texts == [
                "chat: lacks 20250105_indexes", "chat: has 20250127_mentions in the place of 20250126_mentions",
            ])
        #expect(ids(check).contains("newerVersion"))
        let status = try simplex(["migrate", "status"])
        #expect(status.code == 0 && status.output.contains("warning: \(other)"), "\(status.output)")
        #expect(status.output.contains("warning: \(newer)"))
        #expect(try simplex.answer("migrate", "status")["chat"]?["history"]?["state"] == "different")
        #expect(try simplex(["user", "list"]).errors.contains(other))
    }

    @Test("two versions that no release had together have the same words in inspect, check and the bundle")
    func pair() throws {
        let simplex = try SimplexFolder(SimplexStore.Version(chat: "20260924", agent: "20250322"))
        let reason = "versions: no release had agent 2025-03-22 and chat 2026-09-24 together"
        let warning = "the chat and the agent database do not belong together: \(reason)"
        #expect(try simplex.answer("inspect")["warnings"]?.texts?.contains(warning) == true)
        let check = try simplex(["check", "--format", "json"]).answer()
        #expect(check["findings"]?[0]?["id"] == "mismatchedPair")
        #expect(check["findings"]?[0]?["sample"]?.texts?.contains(reason) == true)
        #expect(try simplex(["bundle", "--preview"]).answer()["store"]?["mismatched"] == true)
        let whole = try SimplexFolder()
        #expect(try whole(["bundle", "--preview"]).answer()["store"]?["mismatched"] == false)
        #expect(try whole.answer("inspect")["warnings"]?.texts?.contains { $0.contains("belong together") } == false)
    }
}
