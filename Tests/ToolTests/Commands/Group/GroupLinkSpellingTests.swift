import ChatDBKit
import Testing

@Suite("One channel under two spellings of its link") struct GroupLinkSpellingTests {
    private static let key = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    private static let queue = "smp%3A%2F%2F\(key)%3D%40smp12.simplex.im%2CB.onion%2FTdP6yRcDOv_DDqvA6sXqvKcXdoDVOLTN"

    @Test(
        "group prepare shows the existing group, prepared, started or joined",
        arguments: [
            ("https://h.example/c#\(key)", "simplex:/c#\(key)?h=H.EXAMPLE,b.onion&p=5223"),
            ("simplex:/c#\(key)?h=h.example", "https://h.example/c#\(key)?c=\(key)"),
            (
                "simplex:/contact#/?v=2-7&smp=\(queue)%23%2F&data=%7B%7D",
                "https://simplex.chat/contact#/?v=1&smp=\(queue)%23%2F%3Fv%3D1"
            ),
        ])
    func existing(_ first: String, _ second: String) throws {
        let demo = try DemoStore.make()
        let made = try prepare(first, in: demo)
        #expect(made["outcome"] == "prepared")
        #expect(try prepare(second, in: demo)["outcome"] == "existing")
        try demo.succeed("group", "start", "id:2")
        let started = try prepare(second, in: demo)
        #expect(started["outcome"] == "existing" && started["group"]?["groupId"] == made["group"]?["groupId"])
        try demo.sql("UPDATE group_members SET member_status = 'connected' WHERE member_category = 'user'")
        #expect(try prepare(second, in: demo)["outcome"] == "existing")
        #expect(try demo.sql("SELECT count(*) FROM groups") == "2")
    }

    @Test("check names the doubles of an older version, and --fix computes the keys that are missing")
    func doubles() throws {
        let demo = try DemoStore.make()
        try prepare("https://10.0.0.1/c#\(Self.key)", in: demo)
        try prepare("https://h.example/c#\(Self.key)", in: demo)
        // As it was when links were compared by their texts.
        try demo.succeed("migrate", "down", "--to", "20260907_list_indexes", "--yes", "--no-backup")
        try demo.sql(
            """
            INSERT INTO group_profiles (group_profile_id, user_id, display_name, group_link)
                VALUES (90, 2, 'w', 'simplex:/c#\(Self.key)?h=H.example');
            INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (2, 'w', 'w');
            INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays)
                VALUES (90, 2, 90, 'w', 1);
            """)
        try demo.succeed("migrate", "run", "--confirm", "yes-up", "--no-backup")
        let found = try findings(demo)
        #expect(found["duplicateGroup"]?["sample"] == ["groups 3 and 90"])
        #expect(found["missingLinkKey"]?["sample"] == ["groups 2"])
        let run = try demo("check", "--fix", "--yes", "--no-backup")
        #expect(run.output.contains("computes the keys"), "\(run.output) \(run.errors)")
        #expect(try findings(demo)["missingLinkKey"] == nil)
        #expect(
            try demo.sql("SELECT conn_short_link_to_connect_key FROM groups WHERE group_id = 2")
                == "c#\(Self.key)@10.0.0.1")
        #expect(try prepare("simplex:/c#\(Self.key)?h=10.0.0.1", in: demo)["outcome"] == "existing")
    }

    private func findings(_ demo: ToolRun) throws -> [String: JSONValue] {
        let list = try demo("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
        return Dictionary(list.map { ($0["id"]?.stringValue ?? "", $0) }) { first, _ in first }
    }

    @discardableResult
    private func prepare(_ link: String, in demo: ToolRun) throws -> JSONValue {
        try demo.succeed("group", "prepare", link, "--name", "news", "-u", "work", "--format", "json").answer()
    }
}
