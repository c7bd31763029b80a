import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

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

    /// Everything a new connection refers to belongs to the profile.
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
    /// What the connection is for.
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
