import ChatDBKit
import Foundation
import Testing

@Suite("notification target")
struct NotificationCommandTests {
    /// The demo with a contact of alice whose queue has the notifier id `abc`.
    private func demo() throws -> ToolRun {
        let demo = try ContactCommandTests.demo("bob")
        try demo.sql(
            """
            INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, contact_id)
            VALUES (1, 'one', 'ready', 'contact', 50)
            """)
        try demo.sql(
            """
            PRAGMA foreign_keys = OFF;
            INSERT INTO connections (conn_id, user_id, conn_mode) VALUES (CAST('one' AS BLOB), 1, 'INV');
            INSERT INTO servers (host, port, key_hash) VALUES ('smp.example.org', '5223', 'k');
            INSERT INTO rcv_queues (rcv_queue_id, host, port, rcv_id, conn_id, rcv_private_key, rcv_dh_secret, e2e_priv_key, snd_id,
                status, ntf_id) VALUES (1, 'smp.example.org', '5223', x'01', CAST('one' AS BLOB), x'01', x'01', x'01', x'01',
                'active', CAST('abc' AS BLOB));
            """, in: "x_agent.db")
        return demo
    }

    @Test("the queue leads to the profile and the contact, in every spelling of the queue")
    func target() throws {
        let demo = try demo()
        for queue in [
            "smp.example.org:5223/YWJj", "smp.example.org/YWJj", "smp.example.org/abc",
            "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.example.org:5223/YWJj",
        ] {
            let run = try demo("notification", "target", queue, "--format", "json")
            #expect(run.code == 0, "\(queue): \(run.errors)")
            let target = try run.answer()["target"]
            #expect(target?["user"]?["name"] == "alice" && target?["kind"] == "contact" && target?["contactId"] == 50)
            #expect(target?["agentConnId"] == "one" && target?["groupId"] == .null)
        }
        let shown = try demo.succeed("notification", "target", "smp.example.org/YWJj").output
        #expect(shown.contains("alice (id 1)") && shown.contains("50"))
    }

    @Test("an unknown queue, one of a hidden profile, and a text that is no queue are errors")
    func errors() throws {
        let demo = try demo()
        for queue in ["smp.example.org:5224/YWJj", "other.example.org/YWJj", "smp.example.org/YWJk"] {
            let run = try demo("notification", "target", queue, "--format", "json")
            #expect(try run.code == 1 && run.refusal()["code"] == "notificationTargetNotFound", "\(queue)")
        }
        for wrong in ["smp.example.org", "/YWJj", "smp.example.org/"] {
            #expect(try demo("notification", "target", wrong).code == 64, "\(wrong)")
        }
        try demo.succeed("user", "activate", "work")
        #expect(try demo.shell("printf secret | $CHATDB user hide alice --password-stdin").code == 0)
        #expect(try demo("notification", "target", "smp.example.org/YWJj").code == 1)
        #expect(try demo("notification", "target", "smp.example.org/YWJj", "--show-hidden").code == 0)
    }
}
