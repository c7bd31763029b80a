import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Prepared groups", Choosing the profile.
@Suite struct ChoosingProfilesTests {
    let world: ContactWorld
    let prepared: GroupSummary

    init() throws {
        world = try ContactWorld()
        prepared = try world.test.prepare(GroupLink(channelLink()), of: world.alice).group
    }

    private var id: GroupID { prepared.group.id }

    @discardableResult
    private func change<T>(_ body: (GroupsWriter) throws -> T) throws -> T {
        try world.test.write { try body(GroupsWriter($0, clock: TestStore.clock)) }
    }

    private func fox(_ name: String = "red fox") -> ContactProfileContent { ContactProfileContent(displayName: name) }

    private func incognitoNames() throws -> [String] {
        try world.test.read {
            try $0.rows("SELECT display_name FROM contact_profiles WHERE incognito = 1").map {
                try $0.get("display_name")
            }
        }
    }

    @Test("a random profile is set, changed and removed before joining; the old one is removed with it")
    func incognito() throws {
        let first = try change { try $0.setIncognitoProfile(fox(), of: id, of: world.alice.id) }
        #expect(first.group.membership?.incognitoProfileID != nil)
        try change { try $0.setIncognitoProfile(fox("blue cat"), of: id, of: world.alice.id) }
        #expect(try incognitoNames() == ["blue cat"])
        let member = try #require(first.group.membership?.memberID)
        let seen = try world.test.read { try GroupMembersRepo($0).profile(of: member, of: world.alice.id) }
        #expect(seen.content.displayName == "blue cat" && seen.isIncognito)
        try world.refuses("invalidMemberName", GroupsError.self) {
            try GroupsWriter($0).setIncognitoProfile(fox(""), of: id, of: world.alice.id)
        }
        let real = try change { try $0.setIncognitoProfile(nil, of: id, of: world.alice.id) }
        #expect(try real.group.membership?.incognitoProfileID == nil && incognitoNames().isEmpty)
    }

    @Test("joining starts with a random profile, or with the one that was chosen before; it stays from then on")
    func start() throws {
        try change { try $0.setIncognitoProfile(fox("blue cat"), of: id, of: world.alice.id) }
        let started = try change { try $0.start(id, of: world.alice.id) }
        #expect(started.group.membership?.incognitoProfileID != nil)
        let other = try world.test.prepare(GroupLink(channelLink(1)), "other", of: world.alice).group.group.id
        let direct = try change { try $0.start(other, incognito: fox(), of: world.alice.id) }
        #expect(direct.group.isStarted && direct.group.membership?.incognitoProfileID != nil)
        #expect(try incognitoNames().sorted() == ["blue cat", "red fox"])
        try world.refuses("alreadyStarted", GroupsError.self) {
            try GroupsWriter($0).start(other, incognito: fox("third"), of: world.alice.id)
        }
        for code in [nil, fox("third")] {
            try world.refuses("alreadyStarted", GroupsError.self) {
                try GroupsWriter($0).setIncognitoProfile(code, of: id, of: world.alice.id)
            }
        }
        try world.refuses("alreadyStarted", GroupsError.self) {
            try GroupsWriter($0).move(id, to: world.bob.id, of: world.alice.id)
        }
    }

    @Test("a group that is not prepared keeps its profile, and so does one that is being connected to")
    func refused() throws {
        let own = try world.test.addGroup("own", of: world.alice).group.id
        try world.refuses("notPrepared", GroupsError.self) {
            try GroupsWriter($0).setIncognitoProfile(fox(), of: own, of: world.alice.id)
        }
        try world.refuses("notPrepared", GroupsError.self) {
            try GroupsWriter($0).move(own, to: world.bob.id, of: world.alice.id)
        }
        try world.refuses("profileNotFound", GroupsError.self) {
            try GroupsWriter($0).move(id, to: UserID(99), of: world.alice.id)
        }
        try world.refuses("groupNotFound", GroupsError.self) {
            try GroupsWriter($0).move(id, to: world.alice.id, of: world.bob.id)
        }
        let member = try #require(prepared.group.membership?.memberID)
        _ = try world.addConnection("c", .member(member), of: world.alice)
        try world.refuses("alreadyStarted", GroupsError.self) {
            try GroupsWriter($0).move(id, to: world.bob.id, of: world.alice.id)
        }
    }

    @Test("a group moves to another profile with all that is in it, and leaves no row in the first")
    func move() throws {
        let test = world.test
        let before = try ContactWorld().rows().count
        let namesBefore = try world.names(of: world.alice).filter { $0 != "prepared" }
        _ = try world.addContact("prepared", of: world.bob)
        let host = try test.addMember("host", .owner, .unknownMember, to: prepared, of: world.alice)
        try change { try $0.setIncognitoProfile(fox(), of: id, of: world.alice.id) }
        let item = try test.say("welcome zanzibar", in: .group(id), of: world.alice)
        try test.write { chat throws in
            try chat.run(
                """
                INSERT INTO files (user_id, group_id, chat_item_id, file_name, file_size, chunk_size, protocol)
                VALUES (\(world.alice.id), \(id), \(item.id), 'f', 1, 1, 'xftp')
                """)
            try chat.run(
                """
                INSERT INTO xftp_file_descriptions (file_descr_id, user_id, file_descr_text)
                VALUES (7, \(world.alice.id), 'd')
                """)
            try chat.run(
                "INSERT INTO rcv_files (file_id, file_status, file_descr_id) SELECT file_id, 'new', 7 FROM files")
            try chat.run(
                """
                INSERT INTO messages (user_id, msg_sent, chat_msg_event, group_id)
                VALUES (\(world.alice.id), 0, 'x', \(id))
                """)
            try chat.run(
                "INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text) VALUES (1, \(world.alice.id), 't')")
            try chat.run("INSERT INTO chat_tags_chats (group_id, chat_tag_id) VALUES (\(id), 1)")
        }
        let moved = try change { try $0.move(id, to: world.bob.id, of: world.alice.id) }
        #expect(moved.group.userID == world.bob.id && moved.group.localDisplayName == "prepared_1")
        #expect(moved.group.nextConnectPrepared && moved.group.membership?.incognitoProfileID == nil)
        try test.read { chat throws in
            #expect(try GroupsRepo(chat).find(id, of: world.alice.id) == nil)
            let members = GroupMembersRepo(chat)
            let own = try #require(moved.group.membership?.memberID)
            #expect(try members.get(own, of: world.bob.id).contactID == world.bob.contactID)
            #expect(try members.profile(of: own, of: world.bob.id).content.displayName == "bob")
            #expect(try members.get(host.id, of: world.bob.id).localDisplayName == "host")
            #expect(try members.profile(of: host.id, of: world.bob.id).content.displayName == "host")
            #expect(
                try ChatItemsRepo(chat).search("zanzibar", in: .profile, of: world.bob.id, limit: 9).count == 1)
            #expect(try ChatItemsRepo(chat).search("zanzibar", in: .profile, of: world.alice.id, limit: 9).isEmpty)
            #expect(try chat.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
            #expect(try chat.count("SELECT count(*) FROM chat_tags_chats") == 0)
            let tables = ["groups", "group_profiles", "group_members", "chat_items", "messages", "files"]
            for table in tables + ["xftp_file_descriptions"] {
                let left = try chat.count(
                    "SELECT count(*) FROM \(identifier: table) WHERE user_id = \(world.alice.id)")
                #expect(left == 0, "\(table)")
            }
        }
        #expect(try incognitoNames().isEmpty)
        #expect(try world.names(of: world.alice) == namesBefore)
        // Back again, and cancelled: nothing is left of it.
        try change { try $0.move(id, to: world.alice.id, of: world.bob.id) }
        try change { try $0.cancel(id, of: world.alice.id) }
        try test.write { chat throws in
            try chat.run("DELETE FROM chat_tags")
            let bobs = try #require(try ContactsRepo(chat).find(named: "prepared", of: world.bob.id))
            for _ in 1...2 { _ = try ContactsWriter(chat).delete(bobs.id, of: world.bob.id) }
        }
        #expect(try world.rows().count == before)
    }

    @Test("a profile that has a group with the link does not get it a second time, and the same profile keeps it")
    func duplicate() throws {
        let same = try change { try $0.move(id, to: world.alice.id, of: world.alice.id) }
        #expect(same == prepared)
        _ = try world.test.prepare(GroupLink(channelLink()), of: world.bob)
        try world.refuses("duplicateGroupLink", GroupsError.self) {
            try GroupsWriter($0).move(id, to: world.bob.id, of: world.alice.id)
        }
    }
}
