import ChatDBKit
import Testing

/// The store of a relay operator in the answers of commands. Rule: docs/domain.md, "Relay operators".
@Suite struct RelayOperatorTests {
    /// The demo's store, whose profile alice is a chat relay with a group of each status, and a queue.
    static let sql = """
        UPDATE users SET is_user_chat_relay = 1 WHERE local_display_name = 'alice';
        UPDATE groups SET creating_in_progress = 0;
        CREATE TEMP TABLE made (number INTEGER, status TEXT, reason TEXT, failed INTEGER, retries INTEGER);
        INSERT INTO made VALUES (11, 'active', NULL, 0, 0), (12, 'accepted', NULL, 0, 0), (13, 'invited', NULL, 0, 2),
            (14, 'invited', 'ChatErrorAgent {agentError = BROKER {brokerAddress = "hidden.example"}}', 0, 0),
            (15, 'invited', NULL, 1, 11), (16, 'rejected', NULL, 0, 0), (17, 'inactive', NULL, 0, 0);
        INSERT INTO display_names (user_id, local_display_name, ldn_base)
        SELECT 1, 'relayed' || number, 'relayed' || number FROM made;
        INSERT INTO group_profiles (group_profile_id, user_id, display_name)
        SELECT number, 1, 'relayed' || number FROM made;
        INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays, relay_own_status,
            relay_request_inv_id, relay_request_group_link, relay_request_group_link_key,
            relay_request_peer_chat_min_version, relay_request_peer_chat_max_version, relay_request_err_reason,
            relay_request_failed, relay_request_retries, relay_request_execute_at, relay_inactive_at, chat_ts, created_at)
        SELECT number, 1, number, 'relayed' || number, 1, status, 'inv' || number,
            'https://h.example/c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' || number,
            'c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' || number || '@h.example', 1, 16, reason, failed, retries,
            '2026-07-20 10:00:00.000', CASE status WHEN 'inactive' THEN '2026-07-21 09:00:00.000' END,
            '2026-07-20 09:05:00.000', '2026-07-20 09:05:00.000'
        FROM made;
        INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
            member_status, local_display_name, contact_profile_id, contact_id)
        SELECT 100 + number, 1, number, 'own' || number, 'relay', 'user',
            CASE status WHEN 'rejected' THEN 'left' ELSE 'connected' END, 'alice', contact_profile_id, contact_id
        FROM made JOIN contacts ON user_id = 1 AND is_user = 1;
        INSERT INTO messages (message_id, user_id, msg_sent, chat_msg_event, msg_body, group_id)
        VALUES (1, 1, 0, 'x.msg.new', '{}', 11);
        INSERT INTO delivery_tasks (user_id, group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
            sender_group_member_id, message_id, task_status, task_err_reason, created_at)
        VALUES (1, 11, 'group', 'delivery_job', 0, 111, 1, 'new', NULL, '2026-07-20 09:06:00.000'),
            (1, 11, 'group', 'delivery_job', 0, 111, 1, 'new', NULL, '2026-07-20 09:07:00.000'),
            (1, 11, 'group', 'delivery_job', 0, 111, 1, 'error', 'secret words', '2026-07-20 09:07:00.000');
        INSERT INTO delivery_jobs (user_id, group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
            body, job_status, created_at)
        VALUES (1, 11, 'group', 'delivery_job', 0, x'01', 'pending', '2026-07-20 09:05:30.000');
        """

    private func store() throws -> ToolRun {
        let store = try DemoStore.make()
        try store.sql(Self.sql)
        return store
    }

    @Test("user show has what the profile does as a chat relay; another profile has none of it")
    func user() throws {
        let store = try store()
        let answer = try store.succeed("user", "show", "alice", "--format", "json").answer()
        #expect(answer["settings"]?["userChatRelay"] == true)
        let service = try #require(answer["relayService"])
        #expect(service["groups"] == ["accepted": 1, "active": 1, "inactive": 1, "rejected": 1])
        #expect(service["requests"]?["waiting"] == 1 && service["requests"]?["failed"] == 1)
        #expect(service["requests"]?["gaveUp"] == 1 && service["requests"]?["incomplete"] == 0)
        #expect(service["requests"]?["reasons"] == [["reason": "ChatErrorAgent", "requests": 1]])
        #expect(service["tasks"]?["waiting"] == 2 && service["tasks"]?["failed"] == 1)
        #expect(service["tasks"]?["oldest"] == "2026-07-20T09:06:00.000Z" && service["jobs"]?["waiting"] == 1)
        let text = try store.succeed("user", "show", "alice").output
        #expect(text.contains("Chat relay") && text.contains("1 waiting, 1 failed, 1 given up"))
        let other = try store.succeed("user", "show", "work", "--format", "json").answer()
        #expect(other["relayService"] == .null && other["settings"]?["userChatRelay"] == false)
    }

    @Test("group show has the own status, the request with its reason, and the queue")
    func group() throws {
        let store = try store()
        func show(_ number: Int) throws -> JSONValue {
            try store.succeed("group", "show", "relayed\(number)", "-u", "alice", "--format", "json").answer()
        }
        let active = try show(11)
        #expect(active["relayService"]?["relayOwnStatus"] == "active")
        #expect(active["relayService"]?["request"]?["state"] == .null)
        #expect(active["delivery"]?["tasks"]?["waiting"] == 2 && active["delivery"]?["jobs"]?["waiting"] == 1)
        let waiting = try show(13)["relayService"]?["request"]
        #expect(waiting?["state"] == "waiting" && waiting?["retries"] == 2 && waiting?["reason"] == .null)
        #expect(
            waiting?["executeAt"] == "2026-07-20T10:00:00.000Z" && waiting?["peerVersions"] == ["min": 1, "max": 16])
        let failed = try show(14)["relayService"]?["request"]
        #expect(failed?["state"] == "failed" && failed?["reason"]?.stringValue?.contains("hidden.example") == true)
        #expect(try show(15)["relayService"]?["request"]?["state"] == "gaveUp")
        #expect(try show(17)["relayService"]?["inactiveAt"] == "2026-07-21T09:00:00.000Z")
        let rejected = try show(16)
        #expect(rejected["mayDelete"] == false && rejected["delivery"]?["tasks"]?["waiting"] == 0)
        #expect(try show(14)["relayService"] != .null)
        let text = try store.succeed("group", "show", "relayed11", "-u", "alice").output
        #expect(text.contains("Own status") && text.contains("2 waiting, 1 failed"))
        let own = try store.succeed("group", "show", "news", "-u", "alice", "--format", "json").answer()
        #expect(own["relayService"] == .null)
        #expect(try !store.succeed("group", "show", "news", "-u", "alice").output.contains("Chat relay"))
        let refused = try store("group", "delete", "relayed16", "-u", "alice", "--yes")
        #expect(refused.code == 1 && refused.errors.contains("allow it first"))
    }

    @Test("inspect and the bundle count the work of a relay, and a reason stays in the store")
    func inspect() throws {
        let store = try store()
        let answer = try store.succeed("inspect", "--format", "json").answer()
        let services = try #require(answer["relayService"]?.arrayValue)
        #expect(services.count == 1 && services[0]["userChatRelay"] == true && services[0]["userId"] == 1)
        #expect(services[0]["groups"]?["active"] == 1 && services[0]["jobs"]?["waiting"] == 1)
        let page = try store.succeed("inspect").output
        #expect(page.contains("Chat relay") && page.contains("1 waiting, 1 failed, 1 given up"))
        let bundle = try store.succeed("bundle", "--preview", "--format", "json").output
        #expect(bundle.contains(#""relayService""#) && bundle.contains(#""ChatErrorAgent""#))
        for text in [page, bundle, try store.succeed("inspect", "--format", "json").output] {
            #expect(!text.contains("hidden.example") && !text.contains("secret words"))
        }
        let none = try DemoStore.make().succeed("inspect", "--format", "json").answer()
        #expect(none["relayService"] == .array([]))
    }

    @Test("query masks the reason and the link of a request, and shows the states")
    func query() throws {
        let answer = try store().succeed(
            "query", "SELECT relay_own_status, relay_request_err_reason, relay_request_group_link FROM groups"
        ).output
        #expect(answer.contains("rejected") && !answer.contains("hidden.example") && !answer.contains("h.example/c#"))
    }
}
