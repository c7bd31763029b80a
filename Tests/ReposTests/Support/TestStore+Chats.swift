import ChatDBKit

// Chats and what is in them, for tests.

extension TestStore {
    /// The beginning of the times that tests use, and a moment so many seconds after it.
    static func time(_ seconds: Int64 = 0) -> StoredTime {
        StoredTime(microseconds: 1_784_000_000_000_000 + seconds * 1_000_000)
    }

    private func addName(_ name: String, of user: User, _ chat: any WriteTransaction) throws -> Int64 {
        try chat.run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (\(user.id), \(name), \(name))
            """)
        return try chat.insert(
            "INSERT INTO contact_profiles (user_id, display_name) VALUES (\(user.id), \(name))",
            returning: "contact_profile_id")
    }

    @discardableResult
    func addContact(_ name: String, of user: User, at seconds: Int64 = 0) throws -> ContactID {
        try write { chat in
            let profile = try addName(name, of: user, chat)
            return ContactID(
                try chat.insert(
                    """
                    INSERT INTO contacts (user_id, contact_profile_id, local_display_name, contact_used, chat_ts)
                    VALUES (\(user.id), \(profile), \(name), 1, \(Self.time(seconds).text))
                    """, returning: "contact_id"))
        }
    }

    @discardableResult
    func addGroupChat(_ name: String, of user: User, at seconds: Int64 = 0) throws -> GroupID {
        try write { chat in
            try chat.run(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (\(user.id), \(name), \(name))
                """)
            let profile = try chat.insert(
                "INSERT INTO group_profiles (user_id, display_name) VALUES (\(user.id), \(name))",
                returning: "group_profile_id")
            return GroupID(
                try chat.insert(
                    """
                    INSERT INTO groups (user_id, group_profile_id, local_display_name, chat_ts)
                    VALUES (\(user.id), \(profile), \(name), \(Self.time(seconds).text))
                    """, returning: "group_id"))
        }
    }

    @discardableResult
    func addMember(_ name: String, to group: GroupID, of user: User) throws -> GroupMemberID {
        try write { chat in
            let profile = try addName(name, of: user, chat)
            return GroupMemberID(
                try chat.insert(
                    """
                    INSERT INTO group_members (user_id, group_id, member_id, member_role, member_category,
                        member_status, local_display_name, contact_profile_id)
                    VALUES (\(user.id), \(group), \(name), 'member', 'invitee', 'connected', \(name), \(profile))
                    """, returning: "group_member_id"))
        }
    }

    @discardableResult
    func addNotes(of user: User, at seconds: Int64 = 0) throws -> NoteFolderID {
        try write {
            NoteFolderID(
                try $0.insert(
                    "INSERT INTO note_folders (user_id, chat_ts) VALUES (\(user.id), \(Self.time(seconds).text))",
                    returning: "note_folder_id"))
        }
    }

    @discardableResult
    func addConnection(
        _ name: String, contact: ContactID? = nil, member: GroupMemberID? = nil, status: String = "ready",
        of user: User, at seconds: Int64 = 0
    ) throws -> ConnectionID {
        try write {
            ConnectionID(
                try $0.insert(
                    """
                    INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type, contact_id,
                        group_member_id, local_alias, updated_at)
                    VALUES (\(user.id), \(name), \(status), \(member == nil ? "contact" : "member"), \(contact),
                        \(member), \(name), \(Self.time(seconds).text))
                    """, returning: "connection_id"))
        }
    }

    /// Adds an item that has nothing but a text.
    @discardableResult
    func say(
        _ text: String, in chat: ChatID, of user: User, at seconds: Int64 = 0, sent: Bool = false,
        with change: (inout NewChatItem) -> Void = { _ in }
    ) throws -> ChatItem {
        var new = NewChatItem(
            sent ? .sent : .received, at: Self.time(seconds), ChatItemContent(#"{"text":"\#(text)"}"#, text: text))
        change(&new)
        return try items { try $0.add(new, to: chat, of: user.id) }
    }

    @discardableResult
    func items<T>(_ body: (ChatItemsWriter) throws -> T) throws -> T {
        try write { try body(ChatItemsWriter($0, clock: Self.clock)) }
    }

    func readItems<T>(_ body: (ChatItemsRepo) throws -> T) throws -> T {
        try read { try body(ChatItemsRepo($0)) }
    }
}
