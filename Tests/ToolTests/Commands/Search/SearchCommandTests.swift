import ChatDBKit
import Foundation
import Testing

@Suite("search")
struct SearchCommandTests {
    private func demo() throws -> ToolRun {
        let demo = try ContactCommandTests.demo("bob", "carol")
        for (contact, text) in [(50, "hello wonderful world"), (51, "hello secret"), (51, "nothing")] {
            try demo.sql(
                """
                INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_content, item_text, item_status)
                VALUES (1, \(contact), 0, '2026-01-01 00:00:00.000', '{}', '\(text)', 'rcv_new')
                """)
        }
        return demo
    }

    @Test(
        "the answer has ids and times, and texts and names only with --show personal",
        arguments: ["table", "json", "csv"])
    func privacy(_ format: String) throws {
        let demo = try demo()
        let plain = try demo.succeed("search", "hello", "--format", format)
        for text in ["wonderful", "secret", "bob", "carol"] { #expect(!plain.output.contains(text), "\(text)") }
        let shown = try demo.succeed("search", "hello", "--show", "personal", "--format", format)
        for text in ["wonderful", "secret", "bob", "carol"] { #expect(shown.output.contains(text), "\(text)") }
        #expect(try demo("search", "hello", "--show", "secret").code == 64)
    }

    @Test("words, chats and pages narrow the answer")
    func words() throws {
        let demo = try demo()
        func ids(_ arguments: String...) throws -> [JSONValue?] {
            let answer = try demo(["search"] + arguments + ["--format", "json"]).answer()
            return answer["items"]?.arrayValue?.map { $0["chatItemId"] } ?? []
        }
        #expect(try ids("hello").count == 2 && ids("HELLO", "wond") == [1] && ids("wond", "hello").isEmpty)
        #expect(try ids("hello", "--contact", "carol") == [2] && ids("hello", "--group", "news").isEmpty)
        #expect(try ids("hello", "-u", "work").isEmpty)
        let first = try demo.succeed("search", "hello", "--limit", "1", "--format", "json").answer()
        #expect(first["next"] == 1)
        let item = try #require(first["items"]?[0])
        #expect(
            item["chat"] == "contact" && item["direction"] == "received" && item["itemTs"] == "2026-01-01T00:00:00.000Z"
        )
        let second = try demo.succeed("search", "hello", "--limit", "1", "--offset", "1", "--format", "json").answer()
        #expect(second["next"] == .null && second["items"]?[0]?["chatItemId"] != item["chatItemId"])
        let matched = try demo.succeed("search", "wond", "--show", "personal", "--format", "json").answer()
        #expect(
            matched["items"]?[0]?["text"]?.arrayValue?.filter { $0["match"] == true }.map { $0["text"] } == [
                "wonderful"
            ])
        #expect(try demo.succeed("search", "absent").output == "no message of alice has these words\n")
    }

    @Test("wrong names and options are errors")
    func errors() throws {
        let demo = try demo()
        #expect(try demo("search").code == 64 && demo("search", "x", "--limit", "0").code == 64)
        #expect(try demo("search", "x", "--contact", "bob", "--group", "news").code == 64)
        #expect(
            try demo("search", "x", "--contact", "nobody").code == 1 && demo("search", "x", "--group", "g").code == 1)
        let long = try demo("search", String(repeating: "a", count: 1_001), "--format", "json")
        #expect(try long.refusal()["code"] == "searchTextTooLong")
    }
}
