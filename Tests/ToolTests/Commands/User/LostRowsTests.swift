import ChatDBKit
import Testing

@testable import ChatDBTool

/// New rows in a store that lost rows. Rule: docs/domain.md, "Numbers of new rows".
@Suite("new rows after a loss")
struct LostRowsTests {
    @Test("user add refuses a store with rows of a lost profile, and inspect does not name it")
    func lostProfiles() throws {
        let demo = try DemoStore.make()
        try demo.sql("PRAGMA foreign_keys = OFF; DELETE FROM users")
        let run = try demo("user", "add", "dave", "--format", "json")
        #expect(run.code == 1)
        #expect(try run.refusal()["code"] == "profilesLost")
        #expect(try run.refusal()["message"]?.stringValue?.contains("lost") == true)
        #expect(try run.refusal()["state"] == "Nothing was changed.")
        #expect(try demo.sql("SELECT count(*) FROM users") == "0")
        #expect(try !demo("inspect").output.contains("user add"))
        #expect(try !demo("user", "list").output.contains("user add"))
        let relays = try demo("group", "relays", "news", "--format", "json").refusal()
        #expect(relays["code"] == "noActiveProfile", "\(relays)")
        #expect(relays["hint"]?.stringValue?.contains("chatdb check") == true, "\(relays)")
    }

    @Test("a new relay is not in the channels of a lost one")
    func lostRelay() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE group_relays SET chat_relay_id = 900 WHERE group_relay_id = 1")
        try demo.succeed("relay", "add", "https://new.example.org/r#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAI")
        #expect(try demo.sql("SELECT max(chat_relay_id) FROM chat_relays") == "901")
    }

    @Test(
        "a constraint that refuses a row leads to check",
        arguments: [StoreError.Kind.uniqueViolation, .foreignKeyViolation, .constraintViolation])
    func constraint(_ kind: StoreError.Kind) {
        let hint = StoreError(kind, "UNIQUE constraint failed: group_members.group_id").hint?.text() ?? ""
        #expect(hint.contains("chatdb check"), "\(hint)")
    }

    @Test("a new profile gets neither the contact nor the contact profile of a lost one")
    func lostContact() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE group_members SET contact_profile_id = 800, invited_by = 700 WHERE group_member_id = 2")
        try demo.succeed("user", "add", "eve")
        #expect(
            try demo.sql("SELECT contact_id, contact_profile_id FROM contacts ORDER BY contact_id DESC LIMIT 1")
                == "701|801")
    }
}
