import ChatDBKit
import Foundation
import Testing

@Suite("contact list and show")
struct ContactCommandTests {
    /// The demo with contacts of alice, newest chat last.
    static func demo(_ names: String...) throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        for (index, name) in names.enumerated() {
            let id = 50 + index
            try demo.sql(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix)
                    VALUES (1, '\(name)', '\(name)', 0);
                INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, full_name, local_alias)
                    VALUES (\(id), 1, '\(name)', 'Full \(name)', 'alias \(name)');
                INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name, chat_ts)
                    VALUES (\(id), 1, \(id), '\(name)', '2026-01-0\(index + 1) 00:00:00.000');
                """)
        }
        return demo
    }

    @Test("the list has the newest chat first, in pages, and no contact of another profile")
    func list() throws {
        let demo = try Self.demo("bob", "carol", "dave")
        let all = try demo.succeed("contact", "list", "--format", "json").answer()
        #expect(all["contacts"]?.arrayValue?.map { $0["localDisplayName"] } == ["dave", "carol", "bob"])
        #expect(all["next"] == .null)
        let first = try demo.succeed("contact", "list", "--limit", "2", "--format", "json").answer()
        #expect(first["next"] == 51)
        let second = try demo.succeed("contact", "list", "--limit", "2", "--after", "51", "--format", "json").answer()
        #expect(second["contacts"]?.arrayValue?.map { $0["contactId"] } == [50] && second["next"] == .null)
        #expect(try demo.succeed("contact", "list", "--limit", "2").output.contains("more contacts follow: --after 51"))
        let shown = try demo.onTerminal("contact", "list")
        #expect(shown.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        #expect(try demo.succeed("contact", "list", "-u", "work").output == "no contacts\n")
        let other = try demo("contact", "list", "-u", "work", "--after", "51", "--format", "json")
        #expect(try other.code == 1 && other.refusal()["code"] == "contactNotFound")
        #expect(try demo("contact", "list", "--limit", "0").code == 64)
        #expect(
            try demo.succeed("contact", "list", "--format", "csv").output.hasPrefix("contactId,name,localDisplayName,"))
    }

    @Test("a contact is found by name, alias and id, and shown with its profile and the settings of its chat")
    func show() throws {
        let demo = try Self.demo("bob", "carol")
        try demo.sql("UPDATE contacts SET enable_ntfs = 0, send_rcpts = 1, chat_item_ttl = 60 WHERE contact_id = 50")
        for name in ["bob", "id:50", "50", "alias bob", "ALIAS BOB"] {
            let answer = try demo.succeed("contact", "show", name, "--format", "json").answer()
            #expect(answer["contact"]?["contactId"] == 50, "\(name)")
            #expect(answer["settings"] == ["notifications": "none", "sendRcpts": true, "chatItemTtl": 60])
            #expect(answer["profile"]?["fullName"] == "Full bob" && answer["unread"] == 0)
        }
        try Snapshot.check(demo.succeed("contact", "show", "bob").output, "contact-show.txt", in: demo)
        let typo = try demo("contact", "show", "bbo", "--format", "json")
        #expect(try typo.code == 1 && typo.refusal()["code"] == "contactNotFound")
        #expect(try typo.refusal()["hint"] == "did you mean \"bob\"?")
        #expect(try demo("contact", "show", "bob", "-u", "work").code == 1)
        // The profile's own contact is none of its contacts.
        #expect(try demo("contact", "show", "alice").code == 1)
    }
}
