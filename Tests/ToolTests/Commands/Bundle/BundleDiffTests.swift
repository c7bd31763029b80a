import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `bundle diff`.
@Suite("Two bundles", .timeLimit(.minutes(30))) struct BundleDiffTests {
    private func bundles(_ change: (ToolRun) throws -> Void) throws -> ToolRun {
        let chatdb = try DemoStore.make()
        try chatdb.succeed("bundle", "write", "a.json")
        try change(chatdb)
        // Without `write`, as scripts have it.
        try chatdb.succeed("bundle", "b.json")
        return chatdb
    }

    private func paths(_ answer: JSONValue) -> [String] {
        (answer["differences"]?.arrayValue ?? []).map { entry in
            (entry["path"]?.arrayValue ?? []).compactMap(\.stringValue).joined(separator: " ")
        }
    }

    @Test("values that differ are shown by section, and nothing else")
    func changed() throws {
        let chatdb = try bundles {
            try $0.succeed("relay", "disable", "mine", "-u", "alice")
            try $0.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        }
        let answer = try chatdb("bundle", "diff", "a.json", "b.json", "--format", "json").answer()
        #expect(answer["sameStore"] == true)
        let paths = paths(answer)
        #expect(paths.contains("rows agent users") && paths.contains("findings agentProfileWithoutProfile"))
        #expect(paths.contains { $0.hasPrefix("relays ") && $0.hasSuffix("enabled") })
        #expect(!paths.contains { $0.hasPrefix("manifest") || $0.hasPrefix("servers") })
        let text = try chatdb("bundle", "diff", "a.json", "b.json").output
        #expect(text.contains("agentProfileWithoutProfile") && !text.contains("different stores"))
    }

    @Test("a bundle is the same as itself; --exit-code tells a difference")
    func same() throws {
        let chatdb = try bundles { try $0.succeed("relay", "disable", "mine", "-u", "alice") }
        let same = try chatdb("bundle", "diff", "a.json", "a.json", "--exit-code")
        #expect(same.code == 0 && same.output.contains("no differences"))
        #expect(try chatdb("bundle", "diff", "a.json", "b.json").code == 0)
        #expect(try chatdb("bundle", "diff", "a.json", "b.json", "--exit-code").code == 1)
    }

    @Test("bundles of two stores are compared with a warning")
    func stores() throws {
        let chatdb = try bundles { _ in }
        let other = try ToolRun()
        try other.succeed("migrate", "run", "-q")
        try other.succeed("bundle", "write", "c.json")
        let answer = try chatdb("bundle", "diff", "a.json", other.file("c.json"), "--format", "json").answer()
        #expect(answer["sameStore"] == false)
        #expect(try chatdb("bundle", "diff", "a.json", other.file("c.json")).output.contains("two different stores"))
    }

    @Test(
        "a file that is no bundle is refused",
        arguments: ["", "{}", "[1", "{\"manifest\": {\"format\": \"chatdb-bundle\", \"version\": 9}}"])
    func others(_ text: String) throws {
        let chatdb = try bundles { _ in }
        try Data(text.utf8).write(to: URL(fileURLWithPath: chatdb.file("other.json")))
        let run = try chatdb("bundle", "diff", "a.json", "other.json", "--format", "json")
        #expect(run.code == 65)
        #expect(try run.refusal()["code"] == "notABundle")
        #expect(try chatdb("bundle", "diff", "a.json", "none.json").code == 66)
    }
}
