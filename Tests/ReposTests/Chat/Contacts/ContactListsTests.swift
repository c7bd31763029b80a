import ChatDBKit
import Testing

@Suite struct ContactListsTests {
    let world: ContactWorld
    var alice: User { world.alice }

    init() throws {
        world = try ContactWorld()
    }

    @Test("pages of any size have every contact once, newest chat first, with any times", arguments: 1...6)
    func pages(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        // Few different times, so that many are equal; and six digits, as another app writes them.
        let times = ["00.120", "00.1204", "00.120456", "00.120", "01.000", "01.000000", "02"]
        var expected: [(String, ContactID)] = []
        for number in 0..<40 {
            let contact = try world.addContact("c\(number)", of: number % 5 == 0 ? world.bob : alice)
            let time = "2026-07-20 09:05:" + (times.randomElement(using: &random) ?? "")
            let isDeleted = Int.random(in: 0..<6, using: &random) == 0
            try world.test.write {
                try $0.run(
                    "UPDATE contacts SET chat_ts = \(time), deleted = \(isDeleted) WHERE contact_id = \(contact.id)")
            }
            if contact.userID == alice.id, !isDeleted { expected.append((time, contact.id)) }
        }
        let sorted = expected.sorted { ($0.0, $0.1) > ($1.0, $1.1) }.map(\.1)
        for size in [1, 2, 7, expected.count, 100] {
            try world.test.read { chat throws in
                var found: [ContactID] = []
                var cursor: ContactCursor?
                repeat {
                    let page = try ContactsRepo(chat).page(of: alice.id, after: cursor, limit: size)
                    #expect(page.contacts.count <= size && !page.contacts.isEmpty)
                    found += page.contacts.map(\.id)
                    cursor = page.next
                } while cursor != nil && found.count < 100
                #expect(found == sorted)
            }
        }
    }

    @Test("a page has from one contact to the largest page, with any limit")
    func sizes() throws {
        for number in 0..<3 { _ = try world.addContact("c\(number)", of: alice) }
        try world.test.read { chat throws in
            for size in [Int.min, -1, 0, 1] {
                let page = try ContactsRepo(chat).page(of: alice.id, limit: size)
                #expect(page.contacts.count == 1 && page.next != nil)
                #expect(try ContactsRepo(chat).search("c", of: alice.id, limit: size).count == 1)
            }
            let all = try ContactsRepo(chat).page(of: alice.id, limit: .max)
            #expect(all.contacts.count == 3 && all.next == nil)
            #expect(try ContactsRepo(chat).search("c", of: alice.id, limit: .max).count == 3)
        }
    }

    @Test("a contact is found by every word in any of their names, as a part of it and in any case")
    func search() throws {
        let people = [
            ContactProfileContent(displayName: "carol", fullName: "Carol Ångström"),
            ContactProfileContent(displayName: "ZOË"), ContactProfileContent(displayName: "100%_sure"),
        ]
        let ids = try world.test.write { chat throws in
            let contacts = ContactsWriter(chat, clock: TestStore.clock)
            let ids = try people.map { try contacts.create($0, of: alice.id).id }
            _ = try contacts.setAlias("Mother of Zoë", of: ids[0], of: alice.id)
            _ = try contacts.create(.init(displayName: "carol"), of: world.bob.id)
            return ids
        }
        let cases: [(String, [ContactID])] = [
            ("carol", [ids[0]]), ("ARO", [ids[0]]), ("ång", [ids[0]]), ("str\u{F6}m carol", [ids[0]]),
            ("stro\u{308}m", [ids[0]]), ("zoë", [ids[1], ids[0]]), ("zoë mother", [ids[0]]), ("zoë dan", []),
            ("%", [ids[2]]), ("_", [ids[2]]), ("", []), (" \n", []),
        ]
        try world.test.read { chat throws in
            for (text, expected) in cases {
                #expect(try ContactsRepo(chat).search(text, of: alice.id).map(\.id) == expected, "\(text)")
            }
        }
        try world.test.write { _ = try ContactsWriter($0).delete(ids[0], of: alice.id) }
        #expect(try world.test.read { try ContactsRepo($0).search("carol", of: alice.id) }.isEmpty)
    }
}
