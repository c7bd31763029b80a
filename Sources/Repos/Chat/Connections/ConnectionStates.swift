import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Connections that stopped working, and those of several people at once. Rule: docs/domain.md, "Connections", Errors.
extension ConnectionsRepo {
    /// The connections of a profile that are disabled or inactive, by number; none that were given up. The list is empty
    /// when there are none.
    public func failing(of user: UserID) throws(ConnectionsError) -> [ChatConnection] {
        // The numbers are those of ChatConnection, and of the index.
        try all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE user_id = \(user) AND (auth_err_counter >= 10 OR quota_err_counter >= 5)
                AND conn_status <> \(ConnectionStatus.deleted)
            ORDER BY connection_id
            """)
    }

    /// The connections in use of several contacts, in one statement. A contact without a connection is not in it, and
    /// neither is one of another profile.
    public func inUse(
        ofContacts contacts: [ContactID], of user: UserID
    ) throws(ConnectionsError) -> [ContactID: ChatConnection] {
        let found = try newest("contact_id", contacts.map(\.rawValue), of: user)
        return found.reduce(into: [:]) { result, connection in
            if case .contact(let id) = connection.owner { result[id] = connection }
        }
    }

    /// The connections in use of several members of groups, in one statement. A member without a connection is not in
    /// it, and neither is one of another profile.
    public func inUse(
        ofMembers members: [GroupMemberID], of user: UserID
    ) throws(ConnectionsError) -> [GroupMemberID: ChatConnection] {
        let found = try newest("group_member_id", members.map(\.rawValue), of: user)
        return found.reduce(into: [:]) { result, connection in
            if case .member(let id) = connection.owner { result[id] = connection }
        }
    }

    private func newest(
        _ column: String, _ owners: [Int64], of user: UserID
    ) throws(ConnectionsError) -> [ChatConnection] {
        try all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE connection_id IN (
                SELECT max(connection_id) FROM connections
                WHERE \(identifier: column) IN (\(tx.dialect.numbers(owners))) AND +user_id = \(user)
                GROUP BY \(identifier: column))
            """)
    }
}

extension ConnectionsWriter {
    /// Counts an error of a connection: see `isDisabled` and `isInactive` of the result. Throws `connectionNotFound`.
    @discardableResult
    public func countError(
        _ kind: ConnectionErrorKind, of id: ConnectionID, of user: UserID
    ) throws(ConnectionsError) -> ChatConnection {
        // A counter that has reached the greatest number stays.
        let connection = try connections.get(id, of: user)
        let column: Query = "\(identifier: kind.column)"
        return try set(
            "\(column) = CASE WHEN \(column) < \(Int64.max) THEN \(column) + 1 ELSE \(column) END", of: connection)
    }

    /// Sets the errors of one kind, or of both, to none, because the connection works again or the user asked for
    /// another attempt. Throws `connectionNotFound`.
    @discardableResult
    public func resetErrors(
        _ kind: ConnectionErrorKind? = nil, of id: ConnectionID, of user: UserID
    ) throws(ConnectionsError) -> ChatConnection {
        let columns: Query =
            switch kind {
            case .authentication: "auth_err_counter = 0"
            case .quota: "quota_err_counter = 0"
            case nil: "auth_err_counter = 0, quota_err_counter = 0"
            }
        return try set(columns, of: connections.get(id, of: user))
    }

    /// Makes a connection inactive at once: a message was given up because the queue stayed full. Throws
    /// `connectionNotFound`.
    @discardableResult
    public func makeInactive(_ id: ConnectionID, of user: UserID) throws(ConnectionsError) -> ChatConnection {
        // The number that SimpleX Chat sets.
        try set(
            "quota_err_counter = CASE WHEN quota_err_counter > 999 THEN quota_err_counter ELSE 999 END",
            of: connections.get(id, of: user))
    }

    /// Stores the security code that both sides compared, with the time; nil when the codes differ or are to be compared
    /// again. Throws `connectionNotFound` and `invalidVerifiedCode`; nothing has changed then.
    @discardableResult
    public func setVerifiedCode(
        _ given: String?, of id: ConnectionID, of user: UserID
    ) throws(ConnectionsError) -> ChatConnection {
        let connection = try connections.get(id, of: user)
        guard let given else {
            return try set("security_code = NULL, security_code_verified_at = NULL", of: connection)
        }
        let code: String
        do throws(NameProblem) {
            code = try NameRule.checked(given)
        } catch {
            throw .invalidVerifiedCode(error)
        }
        return try set("security_code = \(code), security_code_verified_at = \(now)", of: connection)
    }
}

extension ConnectionErrorKind {
    fileprivate var column: String {
        switch self {
        case .authentication: "auth_err_counter"
        case .quota: "quota_err_counter"
        }
    }
}

/// Rule: docs/domain.md, "Contacts", Incognito.
extension ConnectionsWriter {
    /// Gives a connection a new random profile, or with nil the profile's own again, before the other side has used the
    /// invitation. The previous random profile is removed.
    ///
    /// Throws `connectionNotFound`, `connectionStarted` when the connection has an owner or was begun, and
    /// `invalidContactName`; nothing has changed then.
    @discardableResult
    public func setIncognitoProfile(
        _ given: ContactProfileContent?, of id: ConnectionID, of user: UserID
    ) throws(ConnectionsError) -> ChatConnection {
        let connection = try connections.get(id, of: user)
        guard connection.owner == nil, connection.status == .new else { throw .connectionStarted(connection) }
        let profiles = ContactProfilesWriter(tx: tx, clock: clock)
        do throws(ContactsError) {
            var new: ContactProfileID?
            if let given {
                new = try profiles.insert(ContactProfilesWriter.checked(given), isIncognito: true, of: user)
            }
            try profiles.run(
                """
                UPDATE connections SET custom_user_profile_id = \(new), updated_at = \(now)
                WHERE connection_id = \(id) AND user_id = \(user)
                """)
            if let old = connection.incognitoProfileID { try profiles.deleteUnused([old], of: user) }
        } catch {
            if case .invalidContactName(let problem) = error { throw .invalidContactName(problem) }
            throw ConnectionsError(error)
        }
        return try connections.get(id, of: user)
    }
}
