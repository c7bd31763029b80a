import ChatDBKit
import Testing

/// What a relay has to deliver. Rule: docs/domain.md, "Relay operators", Delivery.
@Suite struct DeliveryQueueTests {
    let test: TestStore
    let relay: User
    let group: GroupSummary
    let members: [GroupMember]

    init() throws {
        test = try TestStore()
        relay = try test.addUser("relay")
        group = try test.addGroup("news", of: relay)
        let (store, user, talk) = (test, relay, group)
        try test.write { try $0.run("UPDATE groups SET use_relays = 1, relay_own_status = 'active'") }
        members = try [
            ("owner", GroupMemberRole.owner, GroupMemberStatus.connected), ("anna", .observer, .connected),
            ("ben", .observer, .complete), ("cleo", .moderator, .connected), ("dora", .observer, .pendingApproval),
            ("eve", .observer, .left),
        ].map { try store.addMember($0.0, $0.1, $0.2, to: talk, of: user) }
    }

    private func message(_ text: String = "{}") throws -> MessageID {
        try test.write {
            var new = NewMessage(.received, event: "x.msg.new", body: text)
            new.groupID = group.group.id
            return try MessagesWriter($0).add(new, deliveries: [], of: relay.id).id
        }
    }

    private func add(_ scope: DeliveryScope = .group(), from sender: Int = 0, at seconds: Int64 = 0) throws
        -> DeliveryTask
    {
        let message = try message()
        return try test.write {
            try DeliveryTasksWriter($0, clock: .fixed(TestStore.time(seconds))).add(
                NewDeliveryTask(in: group.group.id, to: scope, from: members[sender].id, message: message), of: relay.id
            )
        }
    }

    private func tasks<T>(_ body: (DeliveryTasksWriter) throws -> T) throws -> T {
        try test.write { try body(DeliveryTasksWriter($0, clock: TestStore.clock)) }
    }

    private func jobs<T>(_ body: (DeliveryJobsWriter) throws -> T) throws -> T {
        try test.write { try body(DeliveryJobsWriter($0, clock: TestStore.clock)) }
    }

    private func code(_ body: () throws -> Void) -> String? {
        #expect(throws: RelayServiceError.self) { try body() }?.code
    }

    private func recipients(_ job: DeliveryJob, limit: Int = 100) throws -> [String] {
        try test.read { try DeliveryJobsRepo($0).recipients(of: job.id, of: relay.id, limit: limit) }.map(
            \.localDisplayName)
    }

    @Test("the recipients of a job of a newer app are unknown, so nobody gets it")
    func unknownScope() throws {
        let task = try add(.support(members[1].id)).id
        let job = try jobs { try $0.add(from: [task], body: [1], of: relay.id) }
        #expect(try recipients(job).contains("anna"))
        for change in ["worker_scope = 'floating'", "job_scope_support_gm_id = NULL"] {
            try test.write { try $0.run(.unchecked(sql: "UPDATE delivery_jobs SET \(change)")) }
            #expect(code { _ = try recipients(job) } == "unknownScope")
        }
        #expect(try jobs { try $0.leaveOut(job.id, of: relay.id) }.isFailed)
    }

    @Test("the clean-up of members keeps those of whom or for whom something waits")
    func cleanUpOfMembers() throws {
        let (eve, ben) = (members[5], members[2])
        try test.write {
            try $0.run("UPDATE group_members SET member_status = 'left' WHERE group_member_id = \(ben.id)")
        }
        _ = try add(.support(eve.id), from: 2)
        let gone = try test.write {
            try GroupMembersWriter($0).cleanUp(in: group.group.id, of: relay.id).map(\.localDisplayName)
        }
        #expect(gone.isEmpty)
    }

    @Test("each worker has its tasks in their order; tasks for the same members make one batch")
    func order() throws {
        let first = try add()
        let removed = try add(.relayRemoved)
        let support = try add(.support(members[1].id), from: 1)
        let second = try add(from: 1)
        let pending = try add(.group(includingPending: true))
        let worker = DeliveryWorker(groupID: group.group.id, scope: .group)
        let supporter = DeliveryWorker(groupID: group.group.id, scope: .memberSupport)
        try test.read { chat throws in
            let tasks = DeliveryTasksRepo(chat)
            #expect(try tasks.workers(of: relay.id) == [worker, supporter])
            #expect(try tasks.next(for: worker, of: relay.id) == first)
            #expect(try tasks.next(for: supporter, of: relay.id) == support)
            #expect(try tasks.batch(with: first.id, of: relay.id) == [first, second])
            #expect(try tasks.batch(with: first.id, of: relay.id, limit: 1) == [first])
            #expect(try tasks.batch(with: removed.id, of: relay.id) == [removed])
            #expect(try tasks.batch(with: support.id, of: relay.id) == [support])
            #expect(try tasks.batch(with: pending.id, of: relay.id) == [pending])
            for task in [first, removed, support, pending] { #expect(task.scope.isKnown) }
        }
        try test.write { try $0.run("UPDATE groups SET use_relays = 0") }
        #expect(try test.read { try DeliveryTasksRepo($0).batch(with: first.id, of: relay.id) } == [first])
        try tasks { _ = try $0.fail(first.id, reason: "", of: relay.id) }
        try tasks { _ = try $0.leaveOut(second.id, of: relay.id) }
        #expect(try test.read { try DeliveryTasksRepo($0).next(for: worker, of: relay.id) } == removed)
    }

    @Test("tasks become a job with their senders, once, and only tasks for the same members")
    func job() throws {
        let tasks = try [add(from: 1), add(from: 0), add(from: 1)]
        let other = try add(.relayRemoved)
        #expect(code { try jobs { _ = try $0.add(from: [], body: [1], of: relay.id) } } == "noDeliveryTasks")
        #expect(
            code { try jobs { _ = try $0.add(from: [tasks[0].id, other.id], body: [1], of: relay.id) } }
                == "differentScopes")
        let job = try jobs { try $0.add(from: tasks.map(\.id), body: [1, 2], of: relay.id) }
        #expect(job.senders == [members[0].id, members[1].id] && job.body == [1, 2] && job.cursor == nil)
        #expect(job.isWaiting && job.scope == .group())
        #expect(
            try test.read { chat in try tasks.map { try DeliveryTasksRepo(chat).get($0.id, of: relay.id).status } }
                == [.processed, .processed, .processed])
        #expect(
            code { try jobs { _ = try $0.add(from: [tasks[0].id], body: [1], of: relay.id) } } == "deliveryTaskDone")
        #expect(
            code { try self.tasks { _ = try $0.fail(tasks[0].id, reason: "x", of: relay.id) } } == "deliveryTaskDone")
        let worker = DeliveryWorker(groupID: group.group.id, scope: .group)
        #expect(try test.read { try DeliveryJobsRepo($0).workers(of: relay.id) } == [worker])
        #expect(try test.read { try DeliveryJobsRepo($0).next(for: worker, of: relay.id) } == job)
    }

    @Test("a job goes to the members after its cursor, without the profile, past members and a single sender")
    func recipientsOfJob() throws {
        func job(_ scope: DeliveryScope, _ senders: [Int]) throws -> DeliveryJob {
            let ids = try senders.map { try add(scope, from: $0).id }
            return try jobs { try $0.add(from: ids, body: [1], of: relay.id) }
        }
        let single = try job(.group(), [1])
        #expect(try recipients(single) == ["owner", "ben", "cleo"])
        #expect(try recipients(single, limit: 1) == ["owner"])
        #expect(try recipients(job(.group(), [0, 1])) == ["owner", "anna", "ben", "cleo"])
        #expect(try recipients(job(.group(includingPending: true), [0])) == ["anna", "ben", "cleo", "dora"])
        #expect(try recipients(job(.support(members[4].id), [4])) == ["owner", "cleo"])
        #expect(try recipients(job(.support(members[4].id), [3])) == ["owner", "dora"])
        let moved = try jobs { try $0.advance(single.id, to: members[0].id, of: relay.id) }
        #expect(moved.cursor == members[0].id && moved.isWaiting)
        #expect(try recipients(moved) == ["ben", "cleo"])
        _ = try jobs { try $0.advance(single.id, to: members[3].id, of: relay.id) }
        #expect(try recipients(single).isEmpty)
        #expect(code { try jobs { _ = try $0.advance(single.id, to: members[2].id, of: relay.id) } } == "cursorBehind")
    }

    @Test("a job ends once: complete, failed with its reason, or left out")
    func ends() throws {
        func job() throws -> DeliveryJob {
            let task = try add().id
            return try jobs { try $0.add(from: [task], body: [1], of: relay.id) }
        }
        let all = try [job(), job(), job()]
        #expect(try jobs { try $0.complete(all[0].id, of: relay.id) }.status == .complete)
        let failed = try jobs { try $0.fail(all[1].id, reason: "no route", of: relay.id) }
        #expect(failed.status == .error && failed.failure == "no route")
        #expect(try jobs { try $0.leaveOut(all[2].id, of: relay.id) }.isFailed)
        for job in all {
            for end in [
                { _ = try $0.complete($1, of: relay.id) }, { _ = try $0.fail($1, reason: "x", of: relay.id) },
                { _ = try $0.leaveOut($1, of: relay.id) }, { _ = try $0.advance($1, to: members[5].id, of: relay.id) },
            ] as [(DeliveryJobsWriter, DeliveryJobID) throws -> Void] {
                #expect(code { try jobs { try end($0, job.id) } } == "deliveryJobDone")
            }
        }
        #expect(try test.read { try DeliveryJobsRepo($0).workers(of: relay.id).isEmpty })
    }

    @Test("rows that are done go by their age, and waiting ones stay; the queue of a group counts what is left")
    func cleanUp() throws {
        let old = try [add(at: 0), add(at: 0), add(at: 0), add(at: 0)]
        let new = try add(at: 50)
        try tasks { _ = try $0.fail(old[0].id, reason: "x", of: relay.id) }
        try tasks { _ = try $0.leaveOut(old[1].id, of: relay.id) }
        try tasks { _ = try $0.fail(new.id, reason: "x", of: relay.id) }
        let job = try test.write {
            try DeliveryJobsWriter($0, clock: .fixed(TestStore.time())).add(from: [old[2].id], body: [], of: relay.id)
        }
        func queue() throws -> DeliveryQueue {
            try test.read { try RelayedGroupsRepo($0).queue(of: group.group.id, of: relay.id) }
        }
        #expect(
            try queue().tasks == DeliveryBacklog(waiting: 1, failed: 3, oldest: TestStore.time(0)))
        #expect(try queue().jobs == DeliveryBacklog(waiting: 1, failed: 0, oldest: TestStore.time(0)))
        #expect(try tasks { try $0.deleteDone(madeBefore: TestStore.time(10), of: relay.id) } == 3)
        #expect(try jobs { try $0.deleteDone(madeBefore: TestStore.time(10), of: relay.id) } == 0)
        #expect(try queue().tasks == DeliveryBacklog(waiting: 1, failed: 1, oldest: TestStore.time(0)))
        _ = try jobs { try $0.complete(job.id, of: relay.id) }
        #expect(try jobs { try $0.deleteDone(madeBefore: TestStore.time(0), of: relay.id) } == 0)
        #expect(try jobs { try $0.deleteDone(madeBefore: TestStore.time(10), of: relay.id) } == 1)
        let counts = try test.read { try RelayedGroupsRepo($0).counts(of: relay.id) }
        #expect(try counts.tasks == queue().tasks && counts.jobs.isEmpty)
    }

    @Test("a task needs a message, and a sender in its group; a message that goes takes its tasks with it")
    func refused() throws {
        let (talk, message) = (try test.addGroup("talk", of: relay, seed: 9), try message())
        let stranger = try test.addMember("stranger", to: talk, of: relay)
        func code(_ new: NewDeliveryTask) -> String? { self.code { try tasks { _ = try $0.add(new, of: relay.id) } } }
        let id = group.group.id
        #expect(code(NewDeliveryTask(in: id, to: .group(), from: stranger.id, message: message)) == "memberNotFound")
        #expect(
            code(NewDeliveryTask(in: id, to: .support(stranger.id), from: members[0].id, message: message))
                == "memberNotFound")
        #expect(
            code(NewDeliveryTask(in: id, to: .group(), from: members[0].id, message: MessageID(99)))
                == "messageNotFound")
        #expect(
            code(NewDeliveryTask(in: GroupID(99), to: .group(), from: members[0].id, message: message))
                == "groupNotFound")
        let task = try add()
        #expect(!task.isFromChannel && task.messageID != nil)
        try test.write { _ = try MessagesWriter($0).delete(storedBefore: StoredTime(microseconds: .max), of: relay.id) }
        #expect(try test.read { try DeliveryTasksRepo($0).find(task.id, of: relay.id) } == nil)
    }
}
