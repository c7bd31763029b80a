public import ChatDBEngine
public import ChatDBSchema

/// Changes to the profiles of a store. Rule: docs/domain.md, "Profiles".
public struct UsersWriter: Writer {
    typealias Failure = UsersError
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Makes a profile and activates it: a user in the agent database first, then the profile with its own contact,
    /// contact profile and display name. `agent` is a transaction of the agent database; commit it first.
    ///
    /// Throws `invalidProfileName` and `duplicateProfileName`, and then has changed nothing; and `agentUserTaken` when the
    /// two databases do not belong together: then the caller undoes the transactions.
    public func create(_ given: String, agent: any WriteTransaction) throws(UsersError) -> User {
        let name = try checkedName(given)
        let users = UsersRepo(tx)
        if try users.find(named: name, hidden: .shown) != nil { throw .duplicateProfileName(name) }

        let agentUser = try makeAgentUser(in: agent)
        if try users.find(agentUser: agentUser) != nil { throw .agentUserTaken(agentUser) }
        // The contact needs the profile and the profile the contact: 0 stands for the contact until it is there, and
        // the reference is checked at the end of the transaction.
        let user = UserID(
            try insert(
                """
                INSERT INTO users (agent_user_id, contact_id, local_display_name, created_at, updated_at)
                VALUES (\(agentUser), 0, \(name), \(now), \(now))
                """, returning: "user_id"))
        try run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
            VALUES (\(user), \(name), \(name), 0, \(now), \(now))
            """)
        let profile = ContactProfileID(
            try insert(
                """
                INSERT INTO contact_profiles (user_id, display_name, created_at, updated_at)
                VALUES (\(user), \(name), \(now), \(now))
                """, returning: "contact_profile_id"))
        let contact = ContactID(
            try insert(
                """
                INSERT INTO contacts (
                    user_id, contact_profile_id, local_display_name, is_user, chat_ts, created_at, updated_at)
                VALUES (\(user), \(profile), \(name), 1, \(now), \(now), \(now))
                """, returning: "contact_id"))
        try run("UPDATE users SET contact_id = \(contact) WHERE user_id = \(user)")
        return try activate(user)
    }

    /// Makes a profile the one in use, and no other; it becomes the first of all lists. Throws `profileNotFound`.
    @discardableResult
    public func activate(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User {
        let users = UsersRepo(tx)
        _ = try users.get(id, hidden: hidden)
        try run("UPDATE users SET active_user = 0, updated_at = \(now) WHERE active_user = 1 AND user_id <> \(id)")
        try makeRoomInOrder()
        try run(
            """
            UPDATE users
            SET active_user = 1, updated_at = \(now),
                active_order = (SELECT coalesce(max(every.active_order), 0) + 1 FROM users every)
            WHERE user_id = \(id)
            """)
        return try users.get(id, hidden: hidden)
    }

    /// After the highest number comes none: in a store that has it, profiles are numbered anew, in their order.
    private func makeRoomInOrder() throws(UsersError) {
        if try UsersRepo(tx).count("SELECT count(*) FROM users WHERE active_order = \(Int64.max)") == 0 { return }
        try run(
            """
            UPDATE users SET active_order = places.place, updated_at = \(now)
            FROM (SELECT user_id, row_number() OVER (ORDER BY active_order, user_id DESC) AS place FROM users) places
            WHERE places.user_id = users.user_id
            """)
    }

    private func makeAgentUser(in agent: any WriteTransaction) throws(UsersError) -> AgentUserID {
        do throws(AgentUsersError) {
            return try AgentUsersWriter(agent, clock: clock).create().id
        } catch {
            throw .store(error.storeError ?? StoreError(.other, error.message))
        }
    }
}
