import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The security codes that a profile compared with its contacts. Rule: docs/domain.md, "Connections", Verified codes.
extension ContactsRepo {
    /// The security code that the profile compared with a contact, at the connection in use, or nil. Throws
    /// `contactNotFound`.
    public func verifiedCode(of id: ContactID, of user: UserID) throws(ContactsError) -> VerifiedCode? {
        _ = try get(id, of: user, includingDeleted: true)
        return try connectionInUse(of: id, of: user)?.verifiedCode
    }

    /// The newest connection to a contact.
    fileprivate func connectionInUse(of id: ContactID, of user: UserID) throws(ContactsError) -> ChatConnection? {
        try first(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE contact_id = \(id) AND +user_id = \(user)
            ORDER BY connection_id DESC LIMIT 1
            """)
    }
}

extension ContactsWriter {
    /// Stores the security code that both sides compared, at the connection in use, with the time; nil when the codes
    /// differ or are to be compared again. Throws `contactNotFound`, `contactNotConnected` for a contact without a
    /// connection, and `invalidVerifiedCode`; nothing has changed then.
    @discardableResult
    public func setVerifiedCode(
        _ code: String?, of id: ContactID, of user: UserID
    ) throws(ContactsError) -> VerifiedCode? {
        let contact = try ContactsRepo(tx).get(id, of: user, includingDeleted: true)
        guard let connection = try ContactsRepo(tx).connectionInUse(of: id, of: user) else {
            throw .contactNotConnected(contact)
        }
        do throws(ConnectionsError) {
            return try ConnectionsWriter(tx, clock: clock).setVerifiedCode(code, of: connection.id, of: user)
                .verifiedCode
        } catch {
            if case .invalidVerifiedCode(let problem) = error { throw .invalidVerifiedCode(problem) }
            throw .store(error.storeError ?? StoreError(.other, error.message))
        }
    }
}
