public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A connection that is to be added.
public struct NewConnection: Sendable, Hashable {
    /// Its id in the agent database.
    public var agentID: AgentConnectionID
    /// The status.
    public var status: ConnectionStatus
    /// The owner; nil for a contact who is not known yet.
    public var owner: ConnectionOwner?
    /// The profile's link by which it came, or nil.
    public var viaLink: UserContactLinkID?
    /// The random profile used with it, or nil.
    public var incognitoProfileID: ContactProfileID?
    /// The one-time invitation it was made from or for, or nil.
    public var invitation: String?
    /// The name it has until the other side answers.
    public var localAlias: String
    /// Whether the agent has yet to subscribe to it.
    public var isToSubscribe: Bool

    /// A connection that is to be added.
    public init(
        agentID: AgentConnectionID, status: ConnectionStatus = .new, owner: ConnectionOwner? = nil,
        viaLink: UserContactLinkID? = nil, incognitoProfileID: ContactProfileID? = nil, invitation: String? = nil,
        localAlias: String = "", isToSubscribe: Bool = false
    ) {
        self.agentID = agentID
        self.status = status
        self.owner = owner
        self.viaLink = viaLink
        self.incognitoProfileID = incognitoProfileID
        self.invitation = invitation
        self.localAlias = localAlias
        self.isToSubscribe = isToSubscribe
    }
}

/// Changes to the connections of a profile. Rule: docs/domain.md, "Connections".
public struct ConnectionsWriter: Writer {
    package typealias Failure = ConnectionsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds a connection that the agent has made. Its type follows from its owner.
    ///
    /// Throws `profileNotFound`, `ownerNotFound`, `linkNotFound`, `incognitoProfileNotFound`, `invalidConnectionID` and
    /// `duplicateConnection`; nothing has changed then.
    public func add(_ new: NewConnection, of user: UserID) throws(ConnectionsError) -> ChatConnection {
        guard let agentID = new.agentID.text, !agentID.isEmpty else { throw .invalidConnectionID(new.agentID) }
        try check(new, of: user)
        // The error does not name the other connection's owner, which may belong to another profile.
        if try connections.entity(of: new.agentID) != nil { throw .duplicateConnection(new.agentID) }
        let (owner, number) = (new.owner, newNumber(in: .connections))
        let id = ConnectionID(
            try insert(
                """
                INSERT INTO connections (
                    \(number.column)user_id, agent_conn_id, conn_status, conn_type, contact_id, group_member_id,
                    user_contact_link_id, snd_file_id, rcv_file_id, via_user_contact_link, custom_user_profile_id,
                    conn_req_inv, local_alias, to_subscribe, created_at, updated_at)
                VALUES (
                    \(number.value)\(user), \(agentID), \(new.status), \(owner.type), \(owner.contact), \(owner.member),
                    \(owner.link), \(owner.sentFile), \(owner.receivedFile), \(new.viaLink),
                    \(new.incognitoProfileID), \(new.invitation), \(new.localAlias), \(new.isToSubscribe),
                    \(now), \(now))
                """, returning: "connection_id"))
        return try connections.get(id, of: user)
    }

    /// Sets the status of a connection. The app no longer subscribes to a connection that is marked as deleted. Throws
    /// `connectionNotFound`.
    @discardableResult
    public func setStatus(
        _ status: ConnectionStatus, of id: ConnectionID, of user: UserID
    ) throws(ConnectionsError) -> ChatConnection {
        let connection = try connections.get(id, of: user)
        let isToSubscribe = connection.isToSubscribe && status != .deleted
        return try set("conn_status = \(status), to_subscribe = \(isToSubscribe)", of: connection)
    }

    /// Gives a connection that has no owner the contact it turned out to lead to. Throws `connectionNotFound`,
    /// `connectionHasOwner`, and `ownerNotFound` for a contact the profile does not have.
    @discardableResult
    public func assign(
        _ id: ConnectionID, to contact: ContactID, of user: UserID
    ) throws(ConnectionsError) -> ChatConnection {
        let connection = try connections.get(id, of: user)
        if let owner = connection.owner { throw .connectionHasOwner(id, owner) }
        try check(.contact(contact), of: user)
        return try set("contact_id = \(contact)", of: connection)
    }

    /// Gives a connection a name until the other side answers; an empty one removes it. Throws `connectionNotFound`.
    @discardableResult
    public func setAlias(
        _ alias: String, of id: ConnectionID, of user: UserID
    ) throws(ConnectionsError) -> ChatConnection {
        try set("local_alias = \(NameRule.trimmed(alias))", of: connections.get(id, of: user))
    }

    /// Sets whether the agent has to subscribe to some connections, and returns how many of them the profile has.
    /// Others stay as they are.
    @discardableResult
    public func setToSubscribe(
        _ isToSubscribe: Bool, _ ids: [ConnectionID], of user: UserID
    ) throws(ConnectionsError) -> Int {
        var changed = 0
        for some in Set(ids).map(\.rawValue).sorted().inParts {
            changed += try run(
                """
                UPDATE connections SET to_subscribe = \(isToSubscribe), updated_at = \(now)
                WHERE connection_id IN (\(list: some)) AND user_id = \(user)
                """)
        }
        return changed
    }

    /// Removes a connection with its messages, and the descriptions of files for its recipient. The chat items stay.
    /// Removes its random profile when nothing else uses it. Returns the connection as it was. Throws
    /// `connectionNotFound`.
    @discardableResult
    public func delete(_ id: ConnectionID, of user: UserID) throws(ConnectionsError) -> ChatConnection {
        let connection = try connections.get(id, of: user)
        try deleteDescriptions(forRecipientsAt: "SELECT \(id)", of: user)
        try run("DELETE FROM connections WHERE connection_id = \(id) AND user_id = \(user)")
        if let profile = connection.incognitoProfileID {
            do throws(ContactsError) {
                try ContactProfilesWriter(tx: tx, clock: clock).deleteUnused([profile], of: user)
            } catch {
                throw ConnectionsError(error)
            }
        }
        return connection
    }
}

extension ConnectionsError: ProfileScopedError {}

extension ConnectionsWriter {
    var connections: ConnectionsRepo { ConnectionsRepo(tx) }

    func set(_ columns: Query, of connection: ChatConnection) throws(ConnectionsError) -> ChatConnection {
        try run(
            """
            UPDATE connections SET \(columns), updated_at = \(now)
            WHERE connection_id = \(connection.id) AND user_id = \(connection.userID)
            """)
        return try connections.get(connection.id, of: connection.userID)
    }

    /// Checks that all rows to which a new connection refers belong to the profile.
    func check(_ new: NewConnection, of user: UserID) throws(ConnectionsError) {
        try requireProfile(user)
        if let owner = new.owner { try check(owner, of: user) }
        if let link = new.viaLink, try !exists(ConnectionOwner.link(link).ownRow, of: user) {
            throw .linkNotFound(link)
        }
        if let profile = new.incognitoProfileID,
            try !exists("contact_profiles WHERE contact_profile_id = \(profile) AND incognito = 1", of: user)
        {
            throw .incognitoProfileNotFound(profile)
        }
    }

    func check(_ owner: ConnectionOwner, of user: UserID) throws(ConnectionsError) {
        if try !exists(owner.ownRow, of: user) { throw .ownerNotFound(owner) }
    }

    private func exists(_ row: Query, of user: UserID) throws(ConnectionsError) -> Bool {
        try connections.count("SELECT count(*) FROM \(row) AND user_id = \(user)") > 0
    }
}

extension ConnectionsError {
    /// An error of a part that only touches rows of the profile: a failure of the database.
    init(_ error: ContactsError) {
        self = .store(error.storeError ?? StoreError(.other, error.message))
    }
}

extension ConnectionOwner {
    /// The table and row of it.
    fileprivate var ownRow: Query {
        switch self {
        case .contact(let id): "contacts WHERE contact_id = \(id) AND is_user = 0"
        case .member(let id): "group_members WHERE group_member_id = \(id)"
        case .link(let id): "user_contact_links WHERE user_contact_link_id = \(id)"
        case .sentFile(let id), .receivedFile(let id): "files WHERE file_id = \(id)"
        }
    }
}

extension ConnectionOwner? {
    /// The purpose of the connection.
    var type: ConnectionType {
        switch self {
        case .contact, nil: .contact
        case .member: .member
        case .link: .userContact
        case .sentFile: .sentFile
        case .receivedFile: .receivedFile
        }
    }

    var contact: ContactID? { if case .contact(let id) = self { id } else { nil } }
    var member: GroupMemberID? { if case .member(let id) = self { id } else { nil } }
    var link: UserContactLinkID? { if case .link(let id) = self { id } else { nil } }
    var sentFile: FileID? { if case .sentFile(let id) = self { id } else { nil } }
    var receivedFile: FileID? { if case .receivedFile(let id) = self { id } else { nil } }
}
