import ChatDBKit

extension TestStore {
    @discardableResult
    func addGroup(_ name: String, of user: User, seed: UInt64 = 2) throws -> GroupSummary {
        try write { chat in
            var random = SplitMix64(seed: seed)
            return try GroupsWriter(chat, clock: Self.clock).createGroup(
                GroupProfile(displayName: name), of: user.id, using: &random)
        }
    }

    @discardableResult
    func addMember(
        _ name: String, _ role: GroupMemberRole = .member, _ status: GroupMemberStatus = .connected,
        to group: GroupSummary, of user: User
    ) throws -> GroupMember {
        try write { chat in
            try GroupMembersWriter(chat, clock: Self.clock).add(
                NewMember(name: name, memberID: "id of \(name)", role: role, category: .post, status: status),
                to: group.group.id, of: user.id)
        }
    }

    /// Loses all rows of `display_names`, as damage would: with foreign keys off.
    func loseNames() throws {
        let connection = try SQLiteEngine().openForMigration(location.path(of: .chat), creating: false)
        defer { connection.close() }
        _ = try connection.rows("DELETE FROM display_names")
    }

    @discardableResult
    func prepare(
        _ link: GroupLink, _ name: String = "prepared", throughRelays: Bool = true, of user: User
    ) throws -> PreparedGroup {
        try write { chat in
            var random = SplitMix64(seed: 3)
            return try GroupsWriter(chat, clock: Self.clock).prepare(
                link, profile: GroupProfile(displayName: name), throughRelays: throughRelays, of: user.id,
                using: &random)
        }
    }

    func setOwnRole(_ role: GroupMemberRole, in group: GroupSummary) throws {
        try write {
            try $0.run(
                """
                UPDATE group_members SET member_role = \(role)
                WHERE group_id = \(group.group.id) AND member_category = 'user'
                """)
        }
    }

    /// The group as it is now.
    func group(_ id: GroupID, of user: User) throws -> Group {
        try read { try GroupsRepo($0).get(id, of: user.id).group }
    }

    /// Every row of every table, as text.
    func everything() throws -> [String] {
        try read { tx in
            try tx.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'chat_items_fts%'")
                .map { row in try row.get("name") as String }.sorted()
                .flatMap { table in
                    try tx.rows("SELECT * FROM \(identifier: table)").map { "\(table): \($0.values)" }.sorted()
                }
        }
    }
}

/// The short link of a channel.
func channelLink(_ number: Int = 0) -> String { "https://h.example/c#\(key(number))" }
