public import ChatDBEngine
import ChatDBReposAgent
public import ChatDBReposChat
public import ChatDBReposKit
public import ChatDBSchema

/// Deletions in both databases: rows of the chat database are removed, and what belongs to them in the agent database
/// is marked as deleted there, so that its queues are deleted at their servers. Rule: docs/domain.md, "Between the two
/// databases".
///
/// The chat database is to be committed first (`Store.writeBoth(committing: .chatFirst)`): a crash in between leaves
/// connections of the agent without references, which `CrossStoreRepo` finds.
///
/// ```swift
/// let deleted = try store.writeBoth(committing: .chatFirst) { chat, agent in
///     try CrossStoreWriter(chat: chat, agent: agent).deleteGroup(channel.id, of: user.id)
/// }
/// ```
public struct CrossStoreWriter {
    let chat: any WriteTransaction
    let agent: any WriteTransaction
    let clock: StoreClock

    /// Writes in a transaction of each database.
    public init(chat: any WriteTransaction, agent: any WriteTransaction, clock: StoreClock = .system) {
        self.chat = chat
        self.agent = agent
        self.clock = clock
    }

    /// Deletes a group as `GroupsWriter.delete` does, and marks the connections that served it. Those that the agent does
    /// not have, or has in another profile, are left as they are.
    ///
    /// Throws `groupNotFound` and `notOwner`; nothing has changed then.
    @discardableResult
    public func deleteGroup(_ id: GroupID, of user: UserID) throws(GroupsError) -> DeletedGroup {
        let deleted = try GroupsWriter(chat, clock: clock).delete(id, of: user)
        do throws(StoreError) {
            try markDeleted(deleted.agentConnections, of: user)
        } catch {
            throw .store(error)
        }
        return deleted
    }

    /// Removes a prepared group or an unfinished channel as `GroupsWriter.cancel` does, and marks the connections it had.
    ///
    /// Throws `groupNotFound`, `notPrepared` and `alreadyStarted`; nothing has changed then.
    @discardableResult
    public func cancelGroup(_ id: GroupID, of user: UserID) throws(GroupsError) -> DeletedGroup {
        let cancelled = try GroupsWriter(chat, clock: clock).cancel(id, of: user)
        do throws(StoreError) {
            try markDeleted(cancelled.agentConnections, of: user)
        } catch {
            throw .store(error)
        }
        return cancelled
    }

    /// Deletes a contact as `ContactsWriter.delete` does, the first time softly, and marks its connections either time.
    ///
    /// Throws `contactNotFound`; nothing has changed then.
    @discardableResult
    public func deleteContact(_ id: ContactID, of user: UserID) throws(ContactsError) -> DeletedContact {
        let deleted = try ContactsWriter(chat, clock: clock).delete(id, of: user)
        do throws(StoreError) {
            try markDeleted(deleted.connections, of: user)
        } catch {
            throw .store(error)
        }
        return deleted
    }

    func markDeleted(_ connections: [AgentConnectionID], of user: UserID) throws(StoreError) {
        if connections.isEmpty { return }
        // The profile may be hidden, which this query does not check: the caller has unlocked it before.
        let row = try chat.first("SELECT agent_user_id FROM users WHERE user_id = \(user)")
        guard let agentUser: AgentUserID = try row?.get("agent_user_id") else { return }
        do throws(AgentConnectionsError) {
            try AgentConnectionsWriter(agent, clock: clock).markAllDeleted(connections, of: agentUser)
        } catch {
            throw error.storeError ?? StoreError(.other, error.message)
        }
    }
}

/// Deletions of addresses, links, connections and files. Rule: docs/domain.md, "Between the two databases".
extension CrossStoreWriter {
    /// Deletes the address of a profile as `UserContactLinksWriter.deleteAddress` does, and marks its connections.
    ///
    /// Throws `addressNotFound`; nothing has changed then.
    @discardableResult
    public func deleteAddress(of user: UserID) throws(ContactsError) -> DeletedLink {
        try marking(try UserContactLinksWriter(chat, clock: clock).deleteAddress(of: user), of: user)
    }

    /// Deletes the link of a group as `UserContactLinksWriter.deleteGroupLink` does, and marks its connections.
    ///
    /// Throws `groupLinkNotFound`; nothing has changed then.
    @discardableResult
    public func deleteGroupLink(to group: GroupID, of user: UserID) throws(ContactsError) -> DeletedLink {
        try marking(try UserContactLinksWriter(chat, clock: clock).deleteGroupLink(to: group, of: user), of: user)
    }

    /// Deletes a connection as `ConnectionsWriter.delete` does, and marks the agent's.
    ///
    /// Throws `connectionNotFound`; nothing has changed then.
    @discardableResult
    public func deleteConnection(_ id: ConnectionID, of user: UserID) throws(ConnectionsError) -> ChatConnection {
        let deleted = try ConnectionsWriter(chat, clock: clock).delete(id, of: user)
        do throws(StoreError) {
            try markDeleted([deleted.agentID], of: user)
        } catch {
            throw .store(error)
        }
        return deleted
    }

    /// Deletes the rows of a file as `FilesWriter.delete` does, and marks the connections that carried it.
    ///
    /// Throws `fileNotFound`; nothing has changed then.
    @discardableResult
    public func deleteFile(_ id: FileID, of user: UserID) throws(FilesError) -> DeletedFile {
        let deleted = try FilesWriter(chat, clock: clock).delete(id, of: user)
        do throws(StoreError) {
            try markDeleted(deleted.connections, of: user)
        } catch {
            throw .store(error)
        }
        return deleted
    }

    private func marking(_ deleted: DeletedLink, of user: UserID) throws(ContactsError) -> DeletedLink {
        do throws(StoreError) {
            try markDeleted(deleted.connections, of: user)
        } catch {
            throw .store(error)
        }
        return deleted
    }
}
