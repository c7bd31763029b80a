import ChatDBKit
import Testing

/// Rule: docs/checks.md, first section: "If neither database can be read".
@Suite("A store of which no database can be read")
struct UnreadablePairTests {
    private static let losses = ["head -c 100 y > x_agent.db", ": > x_agent.db", "rm x_agent.db"]

    private func unreadable(_ loss: String, backup: Bool) throws -> ToolRun {
        let demo = try DemoStore.make()
        let made = try demo.shell(
            """
            set -e
            \(backup ? "$CHATDB backup make" : "true")
            cp x_chat.db c; head -c 50000 c > x_chat.db; mv x_agent.db y; cp y x_agent.db
            \(loss)
            """)
        #expect(made.code == 0, "\(made.errors)")
        return demo
    }

    @Test("Check and inspect name the problems of both files, and the salvage", arguments: losses)
    func both(_ loss: String) throws {
        let demo = try unreadable(loss, backup: false)
        for command in ["check", "inspect"] {
            let run = try demo(command, "--format", "json")
            #expect(run.code == 66, "\(run.output)\(run.errors)")
            let error = try run.refusal()
            #expect(error["code"] == "truncated")
            let message = error["message"]?.stringValue ?? ""
            #expect(message.contains("x_chat.db is truncated") && message.contains("if somebody sent it, "), "\(error)")
            let others = error["details"]?["others"]?.texts ?? []
            #expect(others.count == 1 && others[0].contains("x_agent.db"), "\(error)")
            let hint = error["hint"]?.stringValue ?? ""
            #expect(hint.contains("chatdb salvage --output NEW") && hint.contains("chatdb restore FOLDER"), "\(hint)")
            #expect(!hint.contains("chatdb backup list"), "\(hint)")
            let shown = try demo(command).errors
            #expect(shown.contains("x_agent.db") && shown.contains("hint: chatdb restore"), "\(shown)")
        }
    }

    @Test("The hint names the list of backups if the store has backups")
    func backups() throws {
        let demo = try unreadable("rm x_agent.db", backup: true)
        for command in ["check", "inspect"] {
            let hint = try demo(command, "--format", "json").refusal()["hint"]?.stringValue ?? ""
            #expect(hint.hasPrefix("chatdb backup list") && hint.contains("chatdb salvage --output NEW"), "\(hint)")
        }
        // Empty files have nothing to salvage.
        #expect(try demo.shell(": > x_chat.db").code == 0)
        let hint = try demo("check", "--format", "json").refusal()["hint"]?.stringValue ?? ""
        #expect(hint.hasPrefix("chatdb backup list") && !hint.contains("salvage"), "\(hint)")
    }
}
