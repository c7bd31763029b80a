import ChatDBEngine
public import ChatDBReposChat
public import ChatDBSchema

/// Smaller things that have connections.
/// Rule: docs/domain.md, "Between the two databases".
extension CrossStoreWriter {
    /// Deletes the address of a profile as `UserContactLinksWriter.deleteAddress` does, and marks its connections.
    ///
    /// Throws `addressNotFound`, and then has changed nothing.
    @discardableResult
    public func deleteAddress(of user: UserID) throws(ContactsError) -> DeletedLink {
        try marking(try UserContactLinksWriter(chat, clock: clock).deleteAddress(of: user), of: user)
    }

    /// Deletes the link of a group as `UserContactLinksWriter.deleteGroupLink` does, and marks its connections.
    ///
    /// Throws `groupLinkNotFound`, and then has changed nothing.
    @discardableResult
    public func deleteGroupLink(to group: GroupID, of user: UserID) throws(ContactsError) -> DeletedLink {
        try marking(try UserContactLinksWriter(chat, clock: clock).deleteGroupLink(to: group, of: user), of: user)
    }

    /// Deletes a connection as `ConnectionsWriter.delete` does, and marks the agent's.
    ///
    /// Throws `connectionNotFound`, and then has changed nothing.
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
    /// Throws `fileNotFound`, and then has changed nothing.
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
