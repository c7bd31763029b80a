import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Prepared groups", Links.
@Suite("One group in all spellings of its link") struct LinkSpellingTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    static let short = "https://h.example/c#\(key(1))"
    static let queue = "smp%3A%2F%2F\(key(2))%3D%40smp.example%2Cb.onion%2Fqueue_1%23%2F%3Fv%3D1"
    static let full = "simplex:/contact#/?v=2-7&smp=\(queue)&data=%7B%7D"
    static let spellings = [
        "simplex:/c#\(key(1))?h=H.example,b.onion&p=5223", "https://simplex.chat/c#\(key(1))?h=h.example",
        "https://H.EXAMPLE/c#\(key(1))?c=\(key(3))", "https://simplex.chat/contact#/?smp=\(queue)",
    ]
    static let others = [
        "https://h.example/c#\(key(4))", "https://i.example/c#\(key(1))", "https://h.example/g#\(key(1))",
        "simplex:/contact#/?v=2-7&smp=smp%3A%2F%2F\(key(2))%3D%40smp.example%2Fqueue_2%23%2F",
    ]

    @Test("a prepared, a started and a joined group is found by every spelling of its link", arguments: spellings)
    func opened(_ text: String) throws {
        let link = try GroupLink(text)
        let group = try test.prepare(GroupLink(Self.short, Self.full), "news", of: alice).group
        #expect(try plan(link) == .prepared(group))
        let again = try test.prepare(link, "other", of: alice)
        #expect(again.outcome == .existing && again.group == group)
        try test.write { try GroupsWriter($0, clock: TestStore.clock).start(group.group.id, of: alice.id) }
        #expect(try plan(link) == .connecting(stored(group)))
        try test.setOwnStatus(.connected, in: group)
        #expect(try plan(link) == .known(stored(group)))
        #expect(try test.prepare(link, "other", of: alice).outcome == .existing)
        #expect(try test.read { try GroupsRepo($0).all(link: link, of: alice.id) }.map(\.group.id) == [group.group.id])
        #expect(try plan(link, bob) == .ok)
        #expect(try test.count("SELECT count(*) FROM groups") == 1)
        for other in Self.others { #expect(try plan(GroupLink(other)) == .ok, "\(other)") }
    }

    @Test("a group that publishes the link, or for which the profile made it, is found too", arguments: spellings)
    func publishedAndMade(_ text: String) throws {
        let link = try GroupLink(text)
        let group = try test.addGroup("talk", of: alice)
        try test.setOwnStatus(.connected, in: group)
        try test.write { chat in
            let isShort = link.short != nil
            try GroupsWriter(chat, clock: TestStore.clock).setLink(
                group.group.id, to: isShort ? Self.short : Self.full, of: alice.id)
        }
        #expect(try plan(link) == .known(stored(group)))
        try test.write { chat in
            let links = UserContactLinksWriter(chat, clock: TestStore.clock)
            _ = try links.createGroupLink(Self.full, short: Self.short, id: "id", to: group.group.id, of: alice.id)
        }
        #expect(try plan(link) == .ownLink(stored(group)))
        #expect(try test.read { try UserContactLinksRepo($0).find(text: text, of: alice.id) } != nil)
        #expect(try test.read { try UserContactLinksRepo($0).find(text: text, of: bob.id) } == nil)
    }

    @Test("the own address is refused in every spelling")
    func ownAddress() throws {
        try test.write {
            _ = try UserContactLinksWriter($0, clock: TestStore.clock).createAddress(Self.full, of: alice.id)
        }
        let link = try GroupLink("https://simplex.chat/contact#/?smp=\(Self.queue)")
        #expect(try plan(link) == .ownAddress)
        #expect(throws: GroupsError.ownAddress(link)) { try test.prepare(link, of: alice) }
    }

    @Test("a link without a key is found by its text only, and a stored link with an empty key by its text")
    func byText() throws {
        // Only an app stores such a link.
        let unread = "simplex:/contact#/?v=2-7&smp=x"
        let link = try #require(GroupLink(storedFull: unread, short: nil))
        let group = try test.prepare(link, of: alice).group
        #expect(try plan(link) == .prepared(group))
        #expect(try plan(#require(GroupLink(storedFull: unread + "&data=1", short: nil))) == .ok)
        let second = try test.prepare(GroupLink(Self.short), of: alice).group
        try test.write { try $0.run("UPDATE groups SET conn_short_link_to_connect_key = NULL") }
        #expect(try plan(GroupLink(Self.short)) == .prepared(second))
        #expect(try plan(GroupLink(Self.spellings[0])) == .ok)
    }

    @Test("every change of a link changes its key")
    func keys() throws {
        let group = try test.prepare(GroupLink(Self.short, Self.full), of: alice).group
        let made = try test.write { chat in
            try GroupsWriter(chat, clock: TestStore.clock).setLink(group.group.id, to: Self.short, of: alice.id)
            return try UserContactLinksWriter(chat, clock: TestStore.clock).createGroupLink(
                Self.full, id: "id", to: group.group.id, of: alice.id)
        }
        let short = "c#\(key(1))@h.example"
        let full = "smp#queue_1@smp.example"
        #expect(try stored() == [full, short, short, full, nil])
        try test.write { chat in
            try UserContactLinksWriter(chat, clock: TestStore.clock).setShortLink(
                Self.short, of: made.id, of: alice.id)
            try GroupsWriter(chat, clock: TestStore.clock).setLink(group.group.id, to: Self.full, of: alice.id)
        }
        #expect(try stored() == [full, short, full, full, short])
        try test.write { chat in
            try UserContactLinksWriter(chat, clock: TestStore.clock).setShortLink(nil, of: made.id, of: alice.id)
            try GroupsWriter(chat, clock: TestStore.clock).setLink(group.group.id, to: nil, of: alice.id)
        }
        #expect(try stored() == [full, short, nil, full, nil])
    }

    @Test("a link is looked up in the indexes of the keys and of the texts, and no table is read in full")
    func indexes() throws {
        try test.write { chat in
            let recording = RecordingTransaction(chat)
            _ = try GroupsRepo(recording).plan(for: GroupLink(Self.short, Self.full), of: alice.id)
            _ = try UserContactLinksRepo(recording).find(text: Self.short, of: alice.id)
            var plans: [String] = []
            for query in recording.queries {
                #expect(try FullScan.lines(of: query, in: chat).isEmpty)
                plans += try chat.rows("EXPLAIN QUERY PLAN " + query).map { try $0.get("detail") as String }
            }
            for index in [
                "groups_conn_full_link_to_connect", "groups_conn_short_link_to_connect", "group_profiles_group_link",
                "user_contact_links_conn_req_contact", "user_contact_links_short_link_contact",
            ] {
                for name in ["idx_\(index) ", "idx_\(index)_key "] {
                    #expect(plans.contains { $0.contains(name) }, "\(name)")
                }
            }
        }
    }

    @Test("the migration computes the keys that the repositories write, or none")
    func migration() throws {
        let migrations = try MigrationSource.build.load()[.chat] ?? []
        let place = try #require(migrations.firstIndex { $0.name.hasSuffix("_link_keys") })
        let texts =
            Self.spellings + Self.others + [
                Self.short, Self.full, " \(Self.short)\r\n", "https://10.0.0.1/c#\(key(1))",
                "https://[2001:db8::1]/c#\(key(1))",
                "link", "", "simplex:/contact#x", "https://simplex.chat/c#\(key(1))", "https://h.example/c#x",
                "simplex:/c#\(key(1))?h=h%2", "simplex:/c#\(key(1))?h=h%2eexample", "https://h.example/c#\(key(1))?h",
                "simplex:/contact#/?smp=smp://k@h.example:5223/a-b_c%3D%3D;smp://k@i.example/d&e2e=x",
                "simplex:/contact#/?x=1&smp=smp%3a%2f%2fk%40h.example%2fabc", "https://h..example/c#\(key(1))",
                "simplex:/contact#/?smp=smp%3A%2F%2Fk%40h.example%2Fabc%2", "simplex:/contact#/?smp=&smp=smp://k@h/a",
                "https://-h.example/c#\(key(1))", "https://h.example/c#\(key(1))ä", "HTTPS://h.example/C#\(key(1))",
                "https://h.example:443/c#\(key(1))", "https://u:p@h.example/c#\(key(1))",
                "https://h.example/contact#/?smp=smp://k@a,b@h.example/abc", "simplex:/r#\(key(1))?h=relay.example",
            ] + damaged()
        try execute(migrations[place].down?.statements.map(\.text) ?? [])
        try test.write { chat in
            for (number, text) in texts.enumerated() {
                try chat.run(
                    """
                    INSERT INTO user_contact_links (user_contact_link_id, user_id, conn_req_contact, short_link_contact)
                    VALUES (\(number + 1), \(alice.id), \(text), \(number % 2 == 0 ? text : nil))
                    """)
            }
        }
        try execute(migrations[place].up.statements.map(\.text))
        // Opened anew: an open connection knows the columns of before.
        let store = try Store.openForReading(test.location, with: SQLiteEngine())
        defer { try? store.close() }
        try store.read(.chat) { chat in
            var known = 0
            for row in try chat.rows("SELECT * FROM user_contact_links ORDER BY user_contact_link_id") {
                let text: String = try row.get("conn_req_contact")
                let key: String? = try row.get("conn_req_contact_key")
                if let key { #expect(key == LinkKey.of(text), "\(text)") }
                let short: String? = try row.get("short_link_contact_key")
                #expect(try row.get("short_link_contact") as String? == nil ? short == nil : short == key)
                known += key == nil ? 0 : 1
            }
            #expect(known > 40)
            for text in Self.spellings + Self.others + [Self.short, Self.full] {
                #expect(
                    try chat.count(
                        """
                        SELECT count(*) FROM user_contact_links
                        WHERE conn_req_contact = \(text) AND conn_req_contact_key = \(LinkKey.of(text))
                        """) > 0, "\(text)")
            }
            #expect(try chat.count("SELECT count(*) FROM sqlite_schema WHERE name = 'keys_of_links'") == 0)
        }
    }

    /// Spellings with some characters that are others, missing or doubled.
    private func damaged() -> [String] {
        var random = SplitMix64(seed: 5)
        let characters = Array("%#/?&=,;:@.-_aZ9[] 2Ff~")
        return (0..<600).map { number in
            var text = Array((Self.spellings + [Self.full])[number % 5])
            for _ in 0..<Int(random.next() % 3) {
                let place = Int(random.next() % UInt64(text.count))
                let character = characters[Int(random.next() % UInt64(characters.count))]
                switch random.next() % 3 {
                case 0: text[place] = character
                case 1: text.insert(character, at: place)
                default: text.remove(at: place)
                }
            }
            return String(text)
        }
    }

    /// Runs statements of a migration on the file.
    private func execute(_ statements: [String]) throws {
        let connection = try SQLiteEngine().openForMigration(test.location.path(of: .chat), creating: false)
        defer { connection.close() }
        try connection.begin()
        for statement in statements {
            try connection.execute(statement: statement, rebuild: false, protected: []) { _ in }
        }
        try connection.commit()
    }

    private func plan(_ link: GroupLink, _ user: User? = nil) throws -> GroupLinkPlan {
        try test.read { try GroupsRepo($0).plan(for: link, of: (user ?? alice).id) }
    }

    private func stored(_ group: GroupSummary) throws -> GroupSummary {
        try test.read { try GroupsRepo($0).get(group.group.id, of: alice.id) }
    }

    /// The keys of the first group, of its profile and of the own link.
    private func stored() throws -> [String?] {
        let columns = [
            "conn_full_link_to_connect_key", "conn_short_link_to_connect_key", "group_link_key", "conn_req_contact_key",
            "short_link_contact_key",
        ]
        return try test.read { chat in
            let row = try #require(
                try chat.first(
                    "SELECT * FROM groups JOIN group_profiles USING (group_profile_id), user_contact_links LIMIT 1"))
            return try columns.map { try row.get($0) }
        }
    }
}
