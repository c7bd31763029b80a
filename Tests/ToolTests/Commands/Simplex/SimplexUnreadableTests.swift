import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Rule: docs/simplex.md, "Values that the app cannot read".
@Suite("values of a store that SimpleX Chat cannot read")
struct SimplexUnreadableTests {
    /// A store with four such values.
    private func broken() throws -> SimplexPhone {
        let phone = try SimplexPhone(hasPresets: false)
        try phone.store.execute(
            "UPDATE operator_usage_conditions SET auto_accepted = NULL",
            "UPDATE server_operators SET server_domains = NULL WHERE server_operator_id = 3",
            "UPDATE protocol_servers SET key_hash = CAST('key' AS BLOB) WHERE smp_server_id = 2",
            "UPDATE chat_relays SET address = CAST('not a link' AS BLOB) WHERE chat_relay_id = 6")
        return phone
    }

    private static let names = [
        "operator_usage_conditions 1 auto_accepted", "server_operators 3 server_domains",
        "protocol_servers 2 key_hash", "chat_relays 6 address",
    ]

    private func finding(_ phone: SimplexPhone) throws -> JSONValue? {
        try phone(["check", "--format", "json"]).answer()["findings"]?.arrayValue?.first {
            $0["id"] == "unreadableInApp"
        }
    }

    @Test("a refusal names all of them at once, and its hint leads to a finding with all of them")
    func refused() throws {
        let phone = try broken()
        for command in [["server", "add", SimplexPhone.server], ["relay", "disable", "mine"]] {
            let error = try phone(command + ["--format", "json"]).refusal()
            #expect(error["code"] == "simplexStart", "\(error)")
            #expect(error["details"]?["values"]?.texts == Self.names, "\(error)")
        }
        let text = try phone(["relay", "disable", "mine"]).errors
        #expect(text.contains("could not read 4 values, and would not start"), "\(text)")
        #expect(text.contains("  the column auto_accepted of the row 1 of operator_usage_conditions\n"), "\(text)")
        #expect(text.contains("hint: chatdb check -d "), "\(text)")
        let found = try #require(try finding(phone))
        #expect(found["severity"] == "error" && found["fixable"] == false, "\(found)")
        #expect(found["sample"]?.texts == Self.names, "\(found)")
    }

    @Test("after the statements of the remedy, the finding is gone, and chatdb writes the store")
    func corrected() throws {
        let phone = try broken()
        let remedy = try finding(phone)?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("UPDATE TABLE SET COLUMN = VALUE WHERE rowid = ROW"), "\(remedy)")
        try phone.store.execute(
            "UPDATE operator_usage_conditions SET auto_accepted = 0 WHERE rowid = 1",
            "UPDATE server_operators SET server_domains = 'nobody.example.org' WHERE rowid = 3",
            "DELETE FROM protocol_servers WHERE rowid = 2",
            """
            UPDATE chat_relays SET address = CAST('https://odd.example.org/r#\(SimplexPhone.key)' AS BLOB)
            WHERE rowid = 6
            """)
        #expect(try finding(phone) == nil)
        _ = try phone.launches()
        let outcome = try phone(["relay", "disable", "mine"])
        #expect(outcome.code == 0, "\(outcome.errors)")
    }

    @Test("lists mark the servers and relays whose address is not valid, and no others")
    func marked() throws {
        let phone = try broken()
        let servers = try phone(["server", "list"]).output
        #expect(servers.split(separator: "enabled, invalid address").count == 2, "\(servers)")
        #expect(try phone(["server", "show", "id:2"]).output.contains("enabled, invalid address"))
        let relays = try phone(["relay", "list"]).output
        #expect(relays.split(separator: "disabled, invalid address").count == 2, "\(relays)")
        for list in [servers, relays] {
            #expect(list.split(separator: "invalid address").count == 2, "\(list)")
        }
    }

    @Test("a profile without an enabled relay is a finding about new channels, and existing ones keep their relays")
    func newChannels() throws {
        let phone = try SimplexPhone(hasPresets: false)
        try phone.store.execute("UPDATE chat_relays SET enabled = 0")
        let text = try phone(["check"]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(text.contains("Profiles without a relay that new channels can use."), "\(text)")
        #expect(text.contains("A channel that exists keeps its relays, whether they are on or off."), "\(text)")
    }
}
