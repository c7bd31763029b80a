/// The number of a connection in the chat database: `connections.connection_id`.
public typealias ConnectionID = RowID<ChatConnection>

/// The state of a connection in the chat database.
public enum ConnectionStatus: StoredText {
    /// The profile made an invitation and has no answer.
    case new
    /// The profile made it from a link and has not used it yet.
    case prepared
    /// The profile has joined.
    case joined
    /// Another person has asked to connect.
    case requested
    /// The request was accepted.
    case accepted
    /// Messages can be sent, not yet received.
    case sendReady
    /// Messages can be sent and received.
    case ready
    /// The connection was deleted.
    case deleted
    /// Connecting failed; the reason as the app wrote it, may be empty.
    case failed(reason: String)
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order in which a connection goes through them; `failed` without its reason.
    public static let texts: StoredTexts<ConnectionStatus> = [
        .new: "new",
        .prepared: "prepared",
        .joined: "joined",
        .requested: "requested",
        .accepted: "accepted",
        .sendReady: "snd-ready",
        .ready: "ready",
        .deleted: "deleted",
        .failed(reason: ""): "failed",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }

    /// Reads a stored text; every text has a value.
    public init(text: String) {
        if let status = Self.texts.value(of: text) {
            self = status
        } else if text.utf8.starts(with: "failed ".utf8), text.utf8.count > 7 {
            // By scalars: a combining mark after the blank would otherwise be dropped together with it.
            self = .failed(reason: String(text.unicodeScalars.dropFirst(7)))
        } else {
            self = .unknown(text)
        }
    }

    /// The text as it is stored: `failed` and the reason for a failed connection.
    public var text: String {
        if case .failed(let reason) = self, !reason.isEmpty { return "failed " + reason }
        return knownText
    }
}

/// The purpose of a connection.
public enum ConnectionType: StoredText {
    /// A contact; the contact may not be known yet.
    case contact
    /// A member of a group.
    case member
    /// An address or a group link of the profile.
    case userContact
    /// A file that is sent over the connection; only in old stores.
    case sentFile
    /// A file that is received over the connection; only in old stores.
    case receivedFile
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of this declaration.
    public static let texts: StoredTexts<ConnectionType> = [
        .contact: "contact",
        .member: "member",
        .userContact: "user_contact",
        .sentFile: "snd_file",
        .receivedFile: "rcv_file",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// A connection of the agent, as the chat database knows it. Rule: docs/domain.md, "Connections".
public struct ChatConnection: Sendable, Hashable {
    /// The row's key, `connections.connection_id`.
    public let id: ConnectionID
    /// The profile whose connection it is.
    public let userID: UserID
    /// The agent's id of it.
    public let agentID: AgentConnectionID
    /// Its state.
    public let status: ConnectionStatus
    /// The purpose of the connection.
    public let type: ConnectionType
    /// The contact, member, link or file it belongs to; nil while the contact is not known.
    public let owner: ConnectionOwner?
    /// The profile's link by which it came, or nil.
    public let viaLink: UserContactLinkID?
    /// The random profile used with it, or nil.
    public let incognitoProfileID: ContactProfileID?
    /// The one-time invitation it was made from or for, or nil.
    public let invitation: String?
    /// The name of the connection until there is an answer; may be empty.
    public let localAlias: String
    /// Whether the agent has yet to subscribe to it.
    public let isToSubscribe: Bool
    /// The security code that both sides compared; nil until then.
    public let verifiedCode: VerifiedCode?
    /// How often in a row the other side's queue refused a message because its key is not valid there.
    public let authenticationErrors: Int
    /// How often in a row the other side's queue was full.
    public let quotaErrors: Int

    package init(
        id: ConnectionID, userID: UserID, agentID: AgentConnectionID, status: ConnectionStatus, type: ConnectionType,
        owner: ConnectionOwner?, viaLink: UserContactLinkID?, incognitoProfileID: ContactProfileID?,
        invitation: String?, localAlias: String, isToSubscribe: Bool, verifiedCode: VerifiedCode?,
        authenticationErrors: Int, quotaErrors: Int
    ) {
        self.id = id
        self.userID = userID
        self.agentID = agentID
        self.status = status
        self.type = type
        self.owner = owner
        self.viaLink = viaLink
        self.incognitoProfileID = incognitoProfileID
        self.invitation = invitation
        self.localAlias = localAlias
        self.isToSubscribe = isToSubscribe
        self.verifiedCode = verifiedCode
        self.authenticationErrors = authenticationErrors
        self.quotaErrors = quotaErrors
    }

    /// Whether the app sends nothing any longer: the other side has probably deleted the connection.
    public var isDisabled: Bool { authenticationErrors >= Self.disablingErrors }

    /// Whether the other side has not received messages for long, so that its queue is full.
    public var isInactive: Bool { quotaErrors >= Self.inactivatingErrors }

    /// The number of errors of authentication in a row that disables a connection, as in SimpleX Chat.
    public static let disablingErrors = 10
    /// The number of errors of a full queue in a row that makes a connection inactive, as in SimpleX Chat.
    public static let inactivatingErrors = 5
}

/// The kind of error that a connection counts. Rule: docs/domain.md, "Connections", Errors.
public enum ConnectionErrorKind: Sendable, Hashable, CaseIterable {
    /// The key is not valid at the queue: the other side has deleted it.
    case authentication
    /// The queue is full: the other side does not receive.
    case quota
}

/// A security code that both sides of a connection have compared. Rule: docs/domain.md, "Connections", Verified codes.
public struct VerifiedCode: Sendable, Hashable {
    /// The code.
    public let code: String
    /// The time of the comparison.
    public let verifiedAt: StoredTime

    package init(code: String, verifiedAt: StoredTime) {
        self.code = code
        self.verifiedAt = verifiedAt
    }
}

/// The owner of a connection: the thing it exists for.
public enum ConnectionOwner: Sendable, Hashable {
    /// A contact.
    case contact(ContactID)
    /// A member of a group.
    case member(GroupMemberID)
    /// An address or group link, at which it listens.
    case link(UserContactLinkID)
    /// A file that is transferred over it; only in old stores.
    case sentFile(FileID)
    /// A file that comes over it; only in old stores.
    case receivedFile(FileID)
}

extension CatalogueTable {
    /// The agent's connections, as the chat database knows them.
    static let chatConnections: [CatalogueTable] = [
        CatalogueTable(
            "connections", "A connection of the agent and the one thing it is for, if that is known yet.",
            [
                .public("connection_id", "the connection's number"),
                .public("user_id", "the profile whose connection it is"),
                .personal("agent_conn_id", "the agent's id of it; connections.conn_id of the agent database"),
                .state("conn_status", "how far it has come", ConnectionStatus.self),
                .state(
                    "conn_type", "contact, member, user_contact, snd_file or rcv_file", ConnectionType.self),
                .public("contact_id", "the contact it leads to, or NULL"),
                .public("group_member_id", "the member it leads to, or NULL"),
                .public("user_contact_link_id", "the profile's link it listens at, or NULL"),
                .public("via_user_contact_link", "the profile's link by which it came, or NULL"),
                .public("custom_user_profile_id", "the random profile used with it, or NULL"),
                .personal("conn_req_inv", "the one-time invitation it was made from or for"),
                .personal("local_alias", "name given to it until the other side answers, may be empty"),
                .public("to_subscribe", "1 when the agent has yet to subscribe to it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("snd_file_id", "the file sent over it, or NULL"),
                .public("rcv_file_id", "the file received over it, or NULL"),
                .secret("security_code", "the code of the connection that both sides compared, or NULL"),
                .personal("security_code_verified_at", "when both sides compared it, UTC"),
                .public("auth_err_counter", "errors of authentication in a row; from 10 the connection is disabled"),
                .public("quota_err_counter", "errors of a full queue in a row; from 5 the connection is inactive"),
            ])
    ]
}
