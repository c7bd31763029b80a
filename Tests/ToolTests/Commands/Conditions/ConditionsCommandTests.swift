import ChatDBKit
import Foundation
import Testing

@Suite("conditions list and accept")
struct ConditionsCommandTests {
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.sql("INSERT INTO usage_conditions (conditions_commit) VALUES ('abc123')")
        return demo
    }

    @Test("a store without conditions says so, and there is nothing to accept")
    func none() throws {
        let demo = try DemoStore.make()
        let list = try demo.succeed("conditions", "list", "--format", "json").answer()
        #expect(list["conditions"] == .null && list["operators"]?[0]?["conditions"] == .null)
        #expect(try demo.succeed("conditions", "list").output.contains("the store has no conditions of use"))
        let accept = try demo("conditions", "accept", "--yes", "--format", "json")
        #expect(try accept.code == 1 && accept.refusal()["code"] == "noConditions")
    }

    @Test("accept asks, and accepts the current conditions for the operators that need it")
    func accept() throws {
        let demo = try demo()
        let before = try demo.succeed("conditions", "list", "--format", "json").answer()
        #expect(before["conditions"]?["action"] == "review")
        let refused = try demo("conditions", "accept")
        #expect(
            refused.code == 64
                && refused.errors.contains("Accept the conditions of use (abc123) for SimpleX Chat, Flux?"))
        let dry = try demo.succeed("conditions", "accept", "flux", "--dry-run", "--format", "json").answer()
        #expect(dry["applied"] == false && dry["accepted"]?.arrayValue?.map { $0["name"] } == ["Flux"])
        #expect(try demo.sql("SELECT count(*) FROM operator_usage_conditions") == "0")
        try demo.succeed("operator", "disable", "flux")
        let done = try demo.succeed("conditions", "accept", "--yes", "--format", "json").answer()
        #expect(done["accepted"]?.arrayValue?.map { $0["tag"] } == ["simplex"], "a disabled operator needs none")
        #expect(done["conditions"]?["action"] == "accepted" && done["applied"] == true)
        #expect(done["operators"]?[0]?["conditions"]?["accepted"] == true)
        let again = try demo.succeed("conditions", "accept")
        #expect(again.output.hasPrefix("The conditions of use are accepted already; nothing was changed."))
        try demo.succeed("conditions", "accept", "2", "--yes")
        #expect(try demo.sql("SELECT count(*) FROM operator_usage_conditions WHERE auto_accepted = 0") == "2")
        #expect(try demo("conditions", "accept", "nobody").code == 1)
        try Snapshot.check(demo.succeed("conditions", "list").output, "conditions-list.txt", in: demo)
    }
}
