import ChatDBKit
import Testing

/// Rule: docs/repositories.md, "Pages".
@Suite struct PageSizeTests {
    private static let agentServer = AgentServerID(host: "smp.example", port: "5223")

    private struct Page: Sendable, CustomTestStringConvertible {
        /// As in the catalogue.
        let name: String
        let ask: @Sendable (Call, _ limit: Int) throws -> Int

        init(_ name: String, _ ask: @escaping @Sendable (Call, _ limit: Int) throws -> Int) {
            (self.name, self.ask) = (name, ask)
        }

        var testDescription: String { name }
    }

    private static let pages: [Page] = [
        Page("ChatItemsRepo.last(_:in:scope:of:includingDeleted:)") { call, limit in
            try ChatItemsRepo(call.chat).last(limit, in: .contact(call.things.friend), of: call.user).count
        },
        Page("ChatItemsRepo.before(_:limit:in:of:includingDeleted:)") { call, limit in
            try ChatItemsRepo(call.chat).before(
                call.things.contactItem, limit: limit, in: .contact(call.things.friend), of: call.user
            ).count
        },
        Page("ChatItemsRepo.after(_:limit:in:of:includingDeleted:)") { call, limit in
            try ChatItemsRepo(call.chat).after(
                call.things.contactItem, limit: limit, in: .contact(call.things.friend), of: call.user
            ).count
        },
        Page("ChatItemsRepo.around(_:limit:in:of:includingDeleted:)") { call, limit in
            try ChatItemsRepo(call.chat).around(
                call.things.contactItem, limit: limit, in: .contact(call.things.friend), of: call.user
            ).count
        },
        Page("ChatItemsRepo.ofKind(_:in:before:of:limit:)") { call, limit in
            try ChatItemsRepo(call.chat).ofKind(
                .text, in: .contact(call.things.friend), of: call.user, limit: limit
            ).count
        },
        Page("ChatItemsRepo.search(_:in:of:limit:offset:)") { call, limit in
            try [SearchScope.profile, .chat(.contact(call.things.friend))].map {
                try ChatItemsRepo(call.chat).search("a", in: $0, of: call.user, limit: limit).count
            }.reduce(0, +)
        },
        Page("ChatListRepo.page(of:filter:after:limit:)") { call, limit in
            try ChatListRepo(call.chat).page(of: call.user, limit: limit).count
        },
        Page("ContactsRepo.page(of:after:limit:)") { call, limit in
            try ContactsRepo(call.chat).page(of: call.user, limit: limit).contacts.count
        },
        Page("ContactsRepo.search(_:of:limit:)") { call, limit in
            try ContactsRepo(call.chat).search("a", of: call.user, limit: limit).count
        },
        Page("CrossStoreRepo.orphanConnections(after:limit:)") { call, limit in
            try CrossStoreRepo(chat: call.chat, agent: call.agent).orphanConnections(limit: limit).count
        },
        Page("FilesRepo.toCleanUp(of:madeBefore:limit:)") { call, limit in
            try FilesRepo(call.chat).toCleanUp(of: call.user, madeBefore: .now(), limit: limit).count
        },
        Page("FilesRepo.toReceive(of:limit:)") { call, limit in
            try FilesRepo(call.chat).toReceive(of: call.user, limit: limit).count
        },
        Page("FilesRepo.withAgentFileToDelete(of:limit:)") { call, limit in
            try FilesRepo(call.chat).withAgentFileToDelete(of: call.user, limit: limit).count
        },
        Page("GroupMembersRepo.page(of:of:roles:statuses:includingPast:after:limit:)") { call, limit in
            try GroupMembersRepo(call.chat).page(of: call.things.channel, of: call.user, limit: limit).members.count
        },
        Page("GroupMembersRepo.toCleanUp(in:of:limit:)") { call, limit in
            try GroupMembersRepo(call.chat).toCleanUp(in: call.things.group, of: call.user, limit: limit).count
        },
        Page("GroupMembersWriter.cleanUp(in:of:limit:)") { call, limit in
            try GroupMembersWriter(call.chat).cleanUp(in: call.things.group, of: call.user, limit: limit).count
        },
        Page("GroupMembersRepo.subscribers(of:of:after:limit:)") { call, limit in
            try GroupMembersRepo(call.chat).subscribers(
                of: call.things.channel, of: call.user, limit: limit
            ).members.count
        },
        Page("GroupsRepo.info(of:of:subscribers:)") { call, limit in
            try GroupsRepo(call.chat).info(
                of: call.things.channel, of: call.user, subscribers: limit
            ).subscriberPage?.members.count ?? 0
        },
        Page("GroupsRepo.page(of:after:limit:)") { call, limit in
            try GroupsRepo(call.chat).page(of: call.user, limit: limit).groups.count
        },
        Page("DeliveryJobsRepo.recipients(of:of:limit:)") { call, limit in
            try DeliveryJobsRepo(call.chat).recipients(of: call.things.job, of: call.user, limit: limit).count
        },
        Page("DeliveryTasksRepo.batch(with:of:limit:)") { call, limit in
            try DeliveryTasksRepo(call.chat).batch(with: call.things.task, of: call.user, limit: limit).count
        },
        Page("RelayRequestsRepo.failed(of:after:limit:)") { call, limit in
            try RelayRequestsRepo(call.chat).failed(of: call.user, limit: limit).count
        },
        Page("RelayRequestsRepo.waiting(of:limit:)") { call, limit in
            try RelayRequestsRepo(call.chat).waiting(of: call.user, limit: limit).count
        },
        Page("RelayedGroupsRepo.inactive(of:since:limit:)") { call, limit in
            try RelayedGroupsRepo(call.chat).inactive(of: call.user, since: .now(), limit: limit).count
        },
        Page("RelayedGroupsRepo.page(of:statuses:after:limit:)") { call, limit in
            try RelayedGroupsRepo(call.chat).page(of: call.user, limit: limit).groups.count
        },
        Page("NotificationSubscriptionsRepo.due(atMessageServer:by:limit:)") { call, limit in
            try NotificationSubscriptionsRepo(call.agent).due(
                atMessageServer: agentServer, by: .now(), limit: limit
            ).count
        },
        Page("NotificationSubscriptionsRepo.due(atNotificationServer:by:limit:)") { call, limit in
            try NotificationSubscriptionsRepo(call.agent).due(
                atNotificationServer: agentServer, by: .now(), limit: limit
            ).count
        },
        Page("ReceiveQueuesRepo.toSubscribe(at:after:limit:)") { call, limit in
            try ReceiveQueuesRepo(call.agent).toSubscribe(at: agentServer, limit: limit).count
        },
    ]

    @Test(
        "a limit may be any number: above the largest page it means the largest, and below 1 at most one row",
        arguments: pages)
    private func anyLimit(page: Page) throws {
        try TwoProfiles.undoing { chat, agent in
            let call = Call(chat: chat, agent: agent, user: Things.alice.user, things: .alice)
            let all = try page.ask(call, PageSize.largest)
            for limit in [Int.max, .max - 1, PageSize.largest + 1] { #expect(try page.ask(call, limit) == all) }
            for limit in [Int.min, -1, 0] { #expect(try page.ask(call, limit) <= min(all, 2)) }
        }
    }

    @Test("every method that takes a limit is among them")
    func complete() throws {
        let limited = try DeclaredMethods.read().filter { $0.contains("limit:") }
        #expect(Set(limited).subtracting(Self.pages.map(\.name)).sorted() == [])
    }

    @Test("a limit below 1 gives no items, or one where the result has a next page; to SQLite it would mean no limit")
    func belowOne() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let names = ["a", "b", "c"]
        let chat = ChatID.contact(try names.map { try test.addContact($0, of: alice) }[0])
        let items = try names.map { try test.say("word \($0)", in: chat, of: alice).id }
        for limit in [-1, 0, Int.min] {
            try test.read { transaction in
                let repo = ChatItemsRepo(transaction)
                #expect(try repo.last(limit, in: chat, of: alice.id).isEmpty)
                #expect(try repo.around(items[1], limit: limit, in: chat, of: alice.id).map(\.id) == [items[1]])
                #expect(try repo.search("word", in: .chat(chat), of: alice.id, limit: limit).isEmpty)
                #expect(try ChatListRepo(transaction).page(of: alice.id, limit: limit).isEmpty)
                let page = try ContactsRepo(transaction).page(of: alice.id, limit: limit)
                #expect(page.contacts.count == 1 && page.next != nil)
            }
        }
    }

    @Test("a page has at most the largest size, and says where the next begins")
    func largest() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.write { chat in
            try chat.run(
                """
                WITH RECURSIVE numbers (number) AS (
                    SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number <= \(PageSize.largest))
                INSERT INTO display_names (user_id, local_display_name, ldn_base)
                SELECT \(alice.id), 'c' || number, 'c' || number FROM numbers
                """)
            try chat.run(
                """
                INSERT INTO contact_profiles (user_id, display_name)
                SELECT \(alice.id), local_display_name FROM display_names WHERE ldn_base <> 'alice'
                """)
            try chat.run(
                """
                INSERT INTO contacts (user_id, contact_profile_id, local_display_name)
                SELECT \(alice.id), contact_profile_id, display_name FROM contact_profiles
                WHERE display_name <> 'alice'
                """)
            let page = try ContactsRepo(chat).page(of: alice.id, limit: .max)
            #expect(page.contacts.count == PageSize.largest && page.next != nil)
            #expect(try ContactsRepo(chat).page(of: alice.id, after: page.next, limit: .max).contacts.count == 1)
        }
    }
}
