import ChatDBKit
import Foundation
import Testing

/// Helpers for tests of `check`.
protocol CheckTesting {}

extension CheckTesting {
    /// Runs `check` and returns its findings. The run must change no byte, create no file and touch none.
    func checked(_ folder: ToolRun, _ store: String? = nil) throws -> JSONValue {
        let before = try folder.folder.fingerprint()
        let run = try folder("check", "-d", store ?? folder.store, "--format", "json")
        #expect(try folder.folder.fingerprint() == before)
        let answer = try run.answer()
        #expect(answer["ok"]?.boolValue == (run.code == 0), "\(run.errors)")
        return answer
    }

    /// The ids of the findings, without `unfinishedChannel`: the creation of the demo's channel is never finished.
    func ids(_ answer: JSONValue) -> [String] {
        (answer["findings"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }.filter { $0 != "unfinishedChannel" }
    }

    /// A store with a half-created profile, a soft-deleted relay that no channel uses, and a group marked without a
    /// reason.
    func faultyStore() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.sql("INSERT INTO users (deleted) VALUES (0)", in: "x_agent.db")
        try demo.sql(
            """
            INSERT INTO chat_relays (user_id, address, address_key, deleted)
                SELECT 2, address, address_key, 1 FROM chat_relays WHERE preset = 0;
            UPDATE groups SET conn_link_started_connection = 1;
            INSERT INTO protocol_servers (user_id, host, key_hash) VALUES (1, 'a.example', 'k'), (1, 'A.example,b', 'k')
            """)
        return demo
    }
}

extension CheckTesting {
    /// The sentences of a remedy about the word RELAY in a command for a channel of the first profile.
    static func relayChoice(_ group: String) -> String {
        """
        RELAY is an enabled relay of chatdb relay list --user id:1 that the channel does not have yet. \
        chatdb group relays \(group) --user id:1 shows those that it has. If it has all of them, RELAY is one that is \
        Inactive or Rejected there.
        """
    }
}
