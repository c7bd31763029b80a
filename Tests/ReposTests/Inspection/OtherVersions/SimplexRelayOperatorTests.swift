import ChatDBKit
import TestKit
import Testing

@testable import ChatDBInspection

/// The store of a relay operator, as SimpleX Chat leaves it. A version without a column or a table shows nothing.
@Suite struct SimplexRelayOperatorTests {
    private let alice = UserID(1)

    /// The tables of the queues, which the app has had since 2025-08-13, as far as this build reads them.
    private static let queues = """
        CREATE TABLE delivery_tasks (
            delivery_task_id INTEGER PRIMARY KEY AUTOINCREMENT, group_id INTEGER NOT NULL REFERENCES groups,
            worker_scope TEXT NOT NULL, job_scope_spec_tag TEXT, job_scope_include_pending INTEGER,
            job_scope_support_gm_id INTEGER, sender_group_member_id INTEGER NOT NULL, message_id INTEGER,
            message_from_channel INTEGER NOT NULL DEFAULT 0, task_status TEXT NOT NULL, task_err_reason TEXT,
            failed INTEGER DEFAULT 0, created_at TEXT NOT NULL, updated_at TEXT NOT NULL) STRICT;
        CREATE TABLE delivery_jobs (
            delivery_job_id INTEGER PRIMARY KEY AUTOINCREMENT, group_id INTEGER NOT NULL REFERENCES groups,
            worker_scope TEXT NOT NULL, job_scope_spec_tag TEXT, job_scope_include_pending INTEGER,
            job_scope_support_gm_id INTEGER, sender_group_member_ids TEXT, body BLOB, cursor_group_member_id INTEGER,
            job_status TEXT NOT NULL, job_err_reason TEXT, failed INTEGER DEFAULT 0, created_at TEXT NOT NULL,
            updated_at TEXT NOT NULL) STRICT;
        INSERT INTO delivery_tasks (group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
            sender_group_member_id, task_status, failed, created_at, updated_at)
        VALUES (1, 'group', 'delivery_job', 0, 1, 'new', 0, '2026-07-20 09:05:00.120000', '2026-07-20 09:05:00'),
            (1, 'group', 'relay_removed', NULL, 1, 'new', 0, '2026-07-20 09:06:00', '2026-07-20 09:05:00'),
            (1, 'group', 'delivery_job', 1, 1, 'error', 0, '2026-07-20 09:05:00', '2026-07-20 09:05:00');
        INSERT INTO delivery_jobs (group_id, worker_scope, job_scope_spec_tag, job_scope_include_pending,
            sender_group_member_ids, body, job_status, created_at, updated_at)
        VALUES (1, 'group', 'delivery_job', 0, '1,2', x'0102', 'pending', '2026-07-20 09:07:00', '2026-07-20 09:05:00')
        """

    private static let rows = """
        UPDATE users SET is_user_chat_relay = 1 WHERE user_id = 1;
        UPDATE groups SET relay_own_status = 'active' WHERE group_id = 1;
        UPDATE groups
        SET relay_own_status = 'invited', relay_request_inv_id = CAST('inv' AS BLOB),
            relay_request_group_link = CAST('https://h.example/c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' AS BLOB),
            relay_request_peer_chat_min_version = 1, relay_request_peer_chat_max_version = 16
        WHERE group_id = 2
        """

    @Test(
        "the groups and the requests of a relay are read in every version that has them",
        arguments: SimplexStore.versions)
    func groups(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        if version.hasRelays { for sql in Self.rows.split(separator: ";") { try simplex.execute(String(sql)) } }
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let groups = try RelayedGroupsRepo(chat).page(of: alice).groups
            #expect(try UsersRepo(chat).get(alice).isChatRelay == version.hasRelays)
            guard version.hasRelays else {
                #expect(try groups.isEmpty && RelayedGroupsRepo(chat).counts(of: alice).isEmpty)
                #expect(try RelayRequestsRepo(chat).next(of: alice, by: .now()) == nil)
                return
            }
            #expect(groups.map(\.status) == [.active, .invited])
            let request = try #require(try RelayRequestsRepo(chat).next(of: alice, by: .now()))
            #expect(request.id == GroupID(2) && request.requestState == .waiting && request.request?.retries == 0)
            #expect(request.request?.invitationID == InvitationID(bytes: Array("inv".utf8)))
            #expect(request.request?.link?.hasSuffix("/c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA") == true)
            #expect(request.request?.peerVersions == RelayRequest.PeerVersions(lowest: 1, highest: 16))
            let counts = try RelayedGroupsRepo(chat).counts(of: alice)
            #expect(counts.active == 1 && counts.waitingRequests == 1 && counts.tasks.isEmpty)
            #expect(try StoreFacts(of: chat).profiles.first { $0.user.id == alice }?.relayService == counts)
        }
    }

    @Test("a refusal is found in every spelling of its link, although the app keeps no key of it")
    func refusal() throws {
        let simplex = try SimplexStore(SimplexStore.newest)
        for sql in Self.rows.split(separator: ";") { try simplex.execute(String(sql)) }
        try simplex.execute("UPDATE groups SET relay_own_status = 'rejected' WHERE group_id = 2")
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let link = try GroupLink("simplex:/c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA?h=h.example")
            #expect(try RelayRequestsRepo(chat).refusal(of: link, of: alice)?.id == GroupID(2))
        }
    }

    @Test("the delivery queues of the newest version are read, with the profile of their group")
    func queues() throws {
        let simplex = try SimplexStore(SimplexStore.newest)
        for sql in Self.queues.split(separator: ";") { try simplex.execute(String(sql)) }
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let queue = try RelayedGroupsRepo(chat).queue(of: GroupID(1), of: alice)
            #expect(queue.tasks.waiting == 2 && queue.tasks.failed == 1 && queue.jobs.waiting == 1)
            #expect(queue.tasks.oldest == StoredTime(text: "2026-07-20 09:05:00.120"))
            #expect(try RelayedGroupsRepo(chat).queue(of: GroupID(1), of: UserID(2)).isEmpty)
            let worker = DeliveryWorker(groupID: GroupID(1), scope: .group)
            #expect(try DeliveryTasksRepo(chat).workers(of: alice) == [worker])
            #expect(try DeliveryTasksRepo(chat).next(for: worker, of: alice)?.scope == .group())
            let job = try #require(try DeliveryJobsRepo(chat).next(for: worker, of: alice))
            #expect(job.senders.map(\.rawValue) == [1, 2] && job.body == [1, 2])
        }
    }
}
