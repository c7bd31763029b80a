import ChatDBKit
import Testing

/// Rule: docs/json.md, the key `unreadableDatabase`.
@Suite("A store whose agent database alone cannot be read")
struct UnreadableAgentTests {
    /// The loss as a line of bash, and the code of the error.
    private static let losses = [
        ("head -c 100 y > x_agent.db", "truncated"), ("head -c 8192 y > x_agent.db", "truncated"),
        ("printf 'Dear support,\\n' > x_agent.db", "notADatabase"),
    ]

    private func store(_ loss: String) throws -> ToolRun {
        let demo = try DemoStore.make()
        let made = try demo.shell("set -e; cp x_agent.db y; \(loss); rm y")
        #expect(made.code == 0, "\(made.errors)")
        return demo
    }

    @Test("Lists answer from the chat database, with one warning, and JSON says so", arguments: losses)
    func lists(_ loss: String, _ code: String) throws {
        let demo = try store(loss)
        let lists = [
            ["group", "relays", "news"], ["group", "show", "news"], ["group", "list"], ["relay", "list"],
            ["user", "show"],
        ]
        for words in lists {
            let profile = words[0] == "user" ? ["alice"] : ["-u", "alice"]
            let json = try demo(words + profile + ["--format", "json"])
            #expect(json.code == 0, "\(words): \(json.errors)")
            let database = try json.answer()["unreadableDatabase"]
            #expect(database?["database"] == "agent" && database?["code"]?.stringValue == code, "\(json.output)")
            #expect(database?["path"]?.stringValue?.hasSuffix("x_agent.db") == true, "\(json.output)")
            let shown = try demo(words + profile)
            let warnings = shown.errors.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            #expect(shown.code == 0 && warnings.count == 1, "\(words): \(shown.errors)")
            #expect(warnings.first?.contains("x_agent.db") == true && warnings.first?.contains("chatdb check") == true)
            #expect(!shown.errors.contains("is missing"), "\(shown.errors)")
        }
        let relays = try demo("group", "relays", "news", "-u", "alice", "--format", "json").answer()
        #expect(relays["relays"]?.arrayValue?.count == 2, "\(relays)")
    }

    @Test("A store that is in order has no such key")
    func whole() throws {
        let demo = try DemoStore.make()
        let answer = try demo("group", "relays", "news", "-u", "alice", "--format", "json").answer()
        #expect(answer["unreadableDatabase"] == nil && answer["relays"]?.arrayValue?.count == 2)
    }

    @Test("A change is refused with the error of the file", arguments: losses)
    func change(_ loss: String, _ code: String) throws {
        let demo = try store(loss)
        let run = try demo("group", "relay", "add", "news", "id:3", "-u", "alice", "--format", "json")
        #expect(run.code == 66 && run.errors.contains("x_agent.db"), "\(run.errors)")
        #expect(try run.refusal()["code"]?.stringValue == code)
    }

    @Test("The error of the file stays if the chat database cannot be read either")
    func both() throws {
        let demo = try store("head -c 100 y > x_agent.db; cp x_chat.db c; head -c 100 c > x_chat.db; rm c")
        let run = try demo("group", "relays", "news", "--format", "json")
        #expect(run.code == 66 && run.errors.contains("x_agent.db is truncated"), "\(run.errors)")
    }

    @Test("A store of SimpleX Chat is read without its agent database too")
    func simplex() throws {
        let simplex = try SimplexFolder()
        let path = simplex.store.location.path(of: .agent)
        let cut = try simplex.run.shell("cp '\(path)' y; head -c 100 y > '\(path)'; rm y")
        #expect(cut.code == 0, "\(cut.errors)")
        let answer = try simplex.answer("relay", "list")
        #expect(answer["relays"]?.arrayValue?.isEmpty == false, "\(answer)")
        #expect(answer["unreadableDatabase"]?["database"] == "agent", "\(answer)")
    }
}
