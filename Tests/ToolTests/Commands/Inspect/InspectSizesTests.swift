import ChatDBKit
import Testing

@Suite("inspect: sizes of tables")
struct InspectSizesTests {
    @Test("inspect measures tables of databases up to 32 MiB; for larger ones the page names --sizes")
    func largest() throws {
        let demo = try DemoStore.make()
        try demo.sql("INSERT INTO snd_message_bodies (agent_msg) VALUES (zeroblob(34000000))", in: "x_agent.db")
        let page = try demo("inspect").output
        #expect(page.contains("Largest tables") && page.contains("--sizes measures every table"))
        func bytes(_ arguments: String...) throws -> [String: [JSONValue]] {
            let store = try demo(["inspect", "--format", "json"] + arguments).answer()["store"]
            return ["chat", "agent"].reduce(into: [:]) { all, name in
                all[name] = (store?[name]?["tables"]?.arrayValue ?? []).compactMap { $0["bytes"] }
            }
        }
        let unasked = try bytes()
        #expect(unasked["chat"]?.isEmpty == false && unasked["chat"]?.contains(.null) == false)
        #expect(unasked["agent"]?.isEmpty == false && unasked["agent"]?.allSatisfy { $0 == .null } == true)
        let asked = try bytes("--sizes")
        #expect(asked["agent"]?.contains { ($0.integerValue ?? 0) > 34_000_000 } == true)
        #expect(try !demo("inspect", "--sizes").output.contains("--sizes"))
    }
}
