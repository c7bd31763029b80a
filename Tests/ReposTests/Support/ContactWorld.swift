import ChatDBKit
import Testing

/// A store with the profiles alice and bob, and short words for what tests of contacts, connections and files do.
struct ContactWorld {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    func addContact(_ name: String, link: String? = nil, of user: User) throws -> Contact {
        try test.write {
            try ContactsWriter($0, clock: TestStore.clock).create(
                ContactProfileContent(displayName: name, contactLink: link), of: user.id)
        }
    }

    func addConnection(_ agentID: String, _ owner: ConnectionOwner? = nil, of user: User) throws -> ChatConnection {
        try test.write {
            try ConnectionsWriter($0, clock: TestStore.clock).add(
                NewConnection(agentID: .init(bytes: Array(agentID.utf8)), owner: owner), of: user.id)
        }
    }

    func addAddress(_ link: String, of user: User) throws -> UserContactLink {
        try test.write { try UserContactLinksWriter($0, clock: TestStore.clock).createAddress(link, of: user.id) }
    }

    /// A group with a member, by SQL.
    func addGroup(_ name: String, of user: User) throws -> (group: GroupID, member: GroupMemberID) {
        try test.write { chat in
            for taken in [name, "\(name)-member"] {
                try chat.run(
                    """
                    INSERT INTO display_names (user_id, local_display_name, ldn_base)
                    VALUES (\(user.id), \(taken), \(taken))
                    """)
            }
            let profile = try chat.insert(
                "INSERT INTO group_profiles (user_id, display_name) VALUES (\(user.id), \(name))",
                returning: "group_profile_id")
            let group = try chat.insert(
                """
                INSERT INTO groups (user_id, group_profile_id, local_display_name)
                VALUES (\(user.id), \(profile), \(name))
                """, returning: "group_id")
            let person = try chat.insert(
                "INSERT INTO contact_profiles (user_id, display_name) VALUES (\(user.id), \(name))",
                returning: "contact_profile_id")
            let member = try chat.insert(
                """
                INSERT INTO group_members (user_id, group_id, member_id, member_role, member_category, member_status,
                    local_display_name, contact_profile_id)
                VALUES (\(user.id), \(group), 'm', 'member', 'invitee', 'connected', \(name + "-member"), \(person))
                """, returning: "group_member_id")
            return (GroupID(group), GroupMemberID(member))
        }
    }

    /// An item in the chat with a contact, by SQL.
    func addItem(_ text: String, with contact: Contact) throws -> ChatItemID {
        try test.write {
            ChatItemID(
                try $0.insert(
                    """
                    INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_status, item_content, item_text)
                    VALUES (\(contact.userID), \(contact.id), 0, '2026-07-20 09:05:00.120', 'rcv_new', '{}', \(text))
                    """, returning: "chat_item_id"))
        }
    }

    /// Every row of the chat database as text, tables and rows in a fixed order.
    func rows() throws -> [String] {
        try test.read { tx in
            try tx.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'chat_items_fts%'")
                .map { row in try row.get("name") as String }.filter { $0 != "sqlite_sequence" }.sorted()
                .flatMap { table in
                    try tx.rows("SELECT * FROM \(identifier: table)").map { "\(table): \($0.values)" }.sorted()
                }
        }
    }

    func names(of user: User) throws -> [String] {
        try test.read {
            try $0.rows(
                """
                SELECT local_display_name FROM display_names WHERE user_id = \(user.id) ORDER BY local_display_name
                """
            ).map { try $0.get("local_display_name") }
        }
    }

    /// Expects that something fails with a code, and that nothing was changed.
    func refuses<E: RuleViolation>(
        _ code: String, _ type: E.Type, _ body: (any WriteTransaction) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try rows()
        // Not undone by the store: what was changed before the error would be seen.
        try test.write { chat in
            let error = #expect(throws: type, sourceLocation: sourceLocation) { try body(chat) }
            #expect(error?.code == code, sourceLocation: sourceLocation)
            #expect(error?.message.isEmpty == false && error?.storeError == nil, sourceLocation: sourceLocation)
        }
        #expect(try rows() == before, sourceLocation: sourceLocation)
    }
}
