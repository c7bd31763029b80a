public import ChatDBEngine
import ChatDBReposAgent
public import ChatDBReposChat
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Profiles".
extension UsersWriter {
    /// Makes a profile and activates it: a user in the agent database first, then the profile with its own contact,
    /// contact profile and display name. `agent` is a transaction of the agent database; commit it first.
    ///
    /// Throws `invalidProfileName` and `duplicateProfileName`, and `profilesLost` if rows refer to profiles that the
    /// database lost; nothing has changed then. Throws `agentUserTaken` when the two databases do not belong together;
    /// the caller then rolls back both transactions.
    ///
    /// ```swift
    /// let user = try store.writeBoth(committing: .agentFirst) { chat, agent in
    ///     try UsersWriter(chat).create("alice", agent: agent)
    /// }
    /// ```
    public func create(_ given: String, agent: any WriteTransaction) throws(UsersError) -> User {
        let name = try checkedName(given)
        let users = UsersRepo(tx)
        if try users.find(named: name, hidden: .shown) != nil { throw .duplicateProfileName(name) }

        let lost = try lostNumbers(of: .users)
        if !lost.isEmpty { throw .profilesLost(lost.map { UserID($0) }) }

        let agentUser = try makeAgentUser(in: agent)
        if try users.find(agentUser: agentUser) != nil { throw .agentUserTaken(agentUser) }
        let numbers = (
            user: newNumber(in: .users), profile: newNumber(in: .contactProfiles), contact: newNumber(in: .contacts)
        )
        // The contact and the profile refer to each other. The profile has 0 until its contact exists; the foreign key
        // is checked at the end of the transaction.
        let user = UserID(
            try insert(
                """
                INSERT INTO users (
                    \(numbers.user.column)agent_user_id, contact_id, local_display_name, created_at, updated_at)
                VALUES (\(numbers.user.value)\(agentUser), 0, \(name), \(now), \(now))
                """, returning: "user_id"))
        try run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
            VALUES (\(user), \(name), \(name), 0, \(now), \(now))
            """)
        let profile = ContactProfileID(
            try insert(
                """
                INSERT INTO contact_profiles (\(numbers.profile.column)user_id, display_name, created_at, updated_at)
                VALUES (\(numbers.profile.value)\(user), \(name), \(now), \(now))
                """, returning: "contact_profile_id"))
        let contact = ContactID(
            try insert(
                """
                INSERT INTO contacts (
                    \(numbers.contact.column)user_id, contact_profile_id, local_display_name, is_user, chat_ts,
                    created_at, updated_at)
                VALUES (\(numbers.contact.value)\(user), \(profile), \(name), 1, \(now), \(now), \(now))
                """, returning: "contact_id"))
        try run("UPDATE users SET contact_id = \(contact) WHERE user_id = \(user)")
        return try activate(user)
    }

    private func makeAgentUser(in agent: any WriteTransaction) throws(UsersError) -> AgentUserID {
        do throws(AgentUsersError) {
            return try AgentUsersWriter(agent, clock: clock).create().id
        } catch {
            throw .store(error.storeError ?? StoreError(.other, error.message))
        }
    }
}

/// A deleted profile.
public struct DeletedUser: Sendable, Hashable {
    /// The profile as it was before.
    public let user: User
    /// The row counts that were removed with it.
    public let contents: UserContents
    /// The active profile now; nil when it is hidden, or when no visible profile is left.
    public let active: User?
}

extension UsersRepo {
    /// The result that `UsersWriter.delete` would have, with its errors.
    package func deletion(
        of id: UserID, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> DeletedUser {
        let user = try get(id, hidden: hidden)
        let next = user.isActive ? try all().first { $0.id != id } : try active()
        return DeletedUser(user: user, contents: try contents(of: id, hidden: hidden), active: next)
    }
}

extension UsersWriter {
    /// Deletes a profile with all its rows. Marks its user in the agent database, with its connections and their
    /// receive queues. The agent removes those rows when the servers have confirmed. `agent` is a transaction of the
    /// agent database; commit it last. When the profile was the one in use, the visible one that was used last before
    /// it becomes active. Rule: docs/domain.md, "Profiles", Deleting. Throws `profileNotFound`.
    @discardableResult
    public func delete(
        _ id: UserID, agent: any WriteTransaction, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> DeletedUser {
        let users = UsersRepo(tx)
        let deletion = try users.deletion(of: id, hidden: hidden)
        let (user, contents) = (deletion.user, deletion.contents)
        // Every table of a profile refers to it, or to something of it, with ON DELETE CASCADE.
        try run("DELETE FROM users WHERE user_id = \(id)")
        if contents.chatItems > 0 { try forgetWords() }
        do throws(AgentUsersError) {
            try AgentUsersWriter(agent, clock: clock).markDeleted(user.agentUserID)
        } catch {
            // A profile that the agent does not have, or has marked already, counts as marked.
            if let storeError = error.storeError { throw .store(storeError) }
        }
        if user.isActive, let next = deletion.active { try activate(next.id) }
        return DeletedUser(user: user, contents: contents, active: try users.active())
    }

    private func forgetWords() throws(UsersError) {
        do throws(StoreError) {
            try SearchIndex(tx: tx).forget(.all)
        } catch {
            throw .store(error)
        }
    }
}
