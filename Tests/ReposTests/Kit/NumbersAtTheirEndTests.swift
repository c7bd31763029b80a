import ChatDBKit
import Testing

/// Numbers that are as high as they can be, in a store that another program has written.
@Suite struct NumbersAtTheirEndTests {
    let test: TestStore
    let alice: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
    }

    @Test(
        "after any suffix there is a name for the next",
        arguments: [Int64.max, .max - 1, -1, .min, 1_000_000_000, 1_000_000_001])
    func suffix(_ last: Int64) throws {
        try test.write {
            try $0.run(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix)
                VALUES (\(alice.id), 'x', 'x', \(last))
                """)
        }
        let names = try (0..<3).map { try test.addGroup("x", of: alice, seed: UInt64($0)).group.localDisplayName }
        #expect(Set(names + ["x"]).count == 4)
        let suffixes = names.map { name in Int64(name.dropFirst(2)) }
        #expect(suffixes.allSatisfy { $0 != nil })
    }

    @Test("names that only look like suffixed ones are passed over, however many, in one statement")
    func takenNames() throws {
        try test.write { chat in
            for number in 1...40 {
                try chat.run(
                    """
                    INSERT INTO display_names (user_id, local_display_name, ldn_base)
                    VALUES (\(alice.id), \("x_\(number)"), \("x_\(number)"))
                    """)
            }
            let recorded = RecordingTransaction(chat)
            let contacts = ContactsWriter(recorded, clock: TestStore.clock)
            #expect(try contacts.create(.init(displayName: "x"), of: alice.id).localDisplayName == "x")
            let before = recorded.queries.count
            #expect(try contacts.create(.init(displayName: "x"), of: alice.id).localDisplayName == "x_41")
            #expect(recorded.queries.count - before <= before)
            #expect(try contacts.create(.init(displayName: "x"), of: alice.id).localDisplayName == "x_42")
        }
    }

    @Test("a profile is activated after the highest number too, and the lists keep their order")
    func activeOrder() throws {
        let bob = try test.addUser("bob")
        let carol = try test.addUser("carol")
        try test.write { chat in
            try chat.run("UPDATE users SET active_order = \(Int64.max) WHERE user_id = \(bob.id)")
            try chat.run("UPDATE users SET active_order = \(Int64.max - 1) WHERE user_id = \(carol.id)")
            let users = UsersWriter(chat, clock: TestStore.clock)
            #expect(try users.activate(alice.id).isActive)
            #expect(try UsersRepo(chat).all().map(\.name) == ["alice", "bob", "carol"])
            try users.activate(carol.id)
            #expect(try UsersRepo(chat).all().map(\.name) == ["carol", "alice", "bob"])
            #expect(try chat.count("SELECT count(*) FROM users WHERE active_user = 1") == 1)
        }
        try test.addUser("dan")
        #expect(try test.read { try UsersRepo($0).all().map(\.name) } == ["dan", "carol", "alice", "bob"])
    }

    @Test("a tag is added after the highest number too, and the list keeps its order")
    func tagOrder() throws {
        try test.write { chat in
            let tags = ChatTagsWriter(chat, clock: TestStore.clock)
            let first = try tags.create("first", of: alice.id)
            let last = try tags.create("last", of: alice.id)
            try chat.run("UPDATE chat_tags SET tag_order = \(Int64.max) WHERE chat_tag_id = \(last.id)")
            let new = try tags.create("new", of: alice.id)
            #expect(try ChatTagsRepo(chat).all(of: alice.id).map(\.id) == [first.id, last.id, new.id])
        }
    }

    @Test("a description takes no part after the one with the highest number")
    func descriptionParts() throws {
        try test.write { chat in
            let files = FilesWriter(chat, clock: TestStore.clock)
            let file = try files.createReceived(NewFile(name: "f", size: 1, chunkSize: 1), of: alice.id).id
            try files.addDescriptionPart("a", number: 0, isComplete: false, of: file, of: alice.id)
            try chat.run("UPDATE xftp_file_descriptions SET file_descr_part_no = \(Int64.max)")
            for number in [0, 1, Int.max, .min] {
                #expect(throws: FilesError.invalidDescriptionPart(file, part: number, expected: nil)) {
                    try files.addDescriptionPart("b", number: number, isComplete: false, of: file, of: alice.id)
                }
            }
        }
    }
}
