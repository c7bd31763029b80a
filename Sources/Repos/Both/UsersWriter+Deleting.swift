public import ChatDBEngine
import ChatDBReposAgent
public import ChatDBReposChat
import ChatDBReposKit
public import ChatDBSchema

/// A profile that is gone.
public struct DeletedUser: Sendable, Hashable {
    /// As it was.
    public let user: User
    /// How much went with it.
    public let contents: UserContents
    /// The profile in use now; nil when only hidden ones are left, or none, or a hidden one is in use.
    public let active: User?
}

extension UsersWriter {
    /// Deletes a profile with everything it has, and marks its user in the agent database, with its connections and the
    /// queues they receive from: those rows go when the servers have confirmed. `agent` is a transaction of the agent
    /// database; commit it last. When the profile was the one in use, the visible one that was used last before it
    /// becomes active. Rule: docs/domain.md, "Profiles", Deleting. Throws `profileNotFound`.
    @discardableResult
    public func delete(
        _ id: UserID, agent: any WriteTransaction, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> DeletedUser {
        let users = UsersRepo(tx)
        let user = try users.get(id, hidden: hidden)
        let contents = try users.contents(of: id, hidden: hidden)
        // Every table of a profile refers to it, or to something of it, with ON DELETE CASCADE.
        try run("DELETE FROM users WHERE user_id = \(id)")
        if contents.chatItems > 0 { try forgetWords() }
        do throws(AgentUsersError) {
            try AgentUsersWriter(agent, clock: clock).markDeleted(user.agentUserID)
        } catch {
            // One that the agent does not have, or has marked already, is as good as marked.
            if let storeError = error.storeError { throw .store(storeError) }
        }
        if user.isActive, let next = try users.all().first { try activate(next.id) }
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
