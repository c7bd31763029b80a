/// The id of a connection of the agent, to which `connections.agent_conn_id` of the chat database refers.
///
/// No foreign key joins the two databases, so either side may lack the other.
public typealias AgentConnectionID = BytesID<AgentConnection>

/// The id of the other side's answer to an invitation: `conn_confirmations.confirmation_id`.
public typealias ConfirmationID = BytesID<AgentConfirmation>

/// The id of a request to connect: `conn_invitations.invitation_id`.
public typealias InvitationID = BytesID<AgentInvitation>

/// The number of a command that the agent still has to run: `commands.command_id`.
public typealias AgentCommandID = RowID<AgentCommand>

/// The id under which an app waits for the outcome of a command: `corr_id`.
public typealias CorrelationID = BytesID<AgentCommand>

/// The kind of link that made a connection of the agent.
public enum ConnectionMode: StoredText {
    /// An invitation for one person.
    case invitation
    /// An address for many people.
    case contact
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// Invitations first.
    public static let texts: StoredTexts<ConnectionMode> = [
        .invitation: "INV",
        .contact: "CON",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// A connection of the agent, with its counters. Rule: docs/domain.md, "Agent database", Numbers of messages.
public struct AgentConnection: Sendable, Hashable {
    /// Its id; `connections.agent_conn_id` of the chat database.
    public let id: AgentConnectionID
    /// The profile it belongs to.
    public let userID: AgentUserID
    /// The kind of link that made it.
    public let mode: ConnectionMode
    /// Its counters and the hashes of its last messages.
    public let counters: MessageCounters
    /// Whether its messages may raise a notification.
    public let hasNotifications: Bool
    /// Whether the agent is deleting its queues at their servers.
    public let isDeleted: Bool
    /// Whether both ratchets agree.
    public let ratchetSyncState: RatchetSyncState

    package init(
        id: AgentConnectionID, userID: AgentUserID, mode: ConnectionMode, counters: MessageCounters,
        hasNotifications: Bool, isDeleted: Bool, ratchetSyncState: RatchetSyncState
    ) {
        self.id = id
        self.userID = userID
        self.mode = mode
        self.counters = counters
        self.hasNotifications = hasNotifications
        self.isDeleted = isDeleted
        self.ratchetSyncState = ratchetSyncState
    }
}

/// The other side's answer to an invitation, until the connection is complete.
public struct AgentConfirmation: Sendable, Hashable {
    /// The row's key, `conn_confirmations.confirmation_id`.
    public let id: ConfirmationID
    /// The connection it is for.
    public let connectionID: AgentConnectionID
    /// The other side's public key for the queue's encryption.
    public let e2ePublicKey: SecretBytes
    /// The key by which the server will know the sender, or nil.
    public let senderKey: SecretBytes?
    /// The ratchet made from the answer.
    public let ratchetState: SecretBytes
    /// The other side's profile, encoded.
    public let senderInfo: SecretBytes
    /// Whether this side has accepted.
    public let isAccepted: Bool
    /// This side's profile, encoded; nil until accepted.
    public let ownInfo: SecretBytes?

    package init(
        id: ConfirmationID, connectionID: AgentConnectionID, e2ePublicKey: SecretBytes, senderKey: SecretBytes?,
        ratchetState: SecretBytes, senderInfo: SecretBytes, isAccepted: Bool, ownInfo: SecretBytes?
    ) {
        self.id = id
        self.connectionID = connectionID
        self.e2ePublicKey = e2ePublicKey
        self.senderKey = senderKey
        self.ratchetState = ratchetState
        self.senderInfo = senderInfo
        self.isAccepted = isAccepted
        self.ownInfo = ownInfo
    }
}

/// An answer as it was received.
public struct NewAgentConfirmation: Sendable, Hashable {
    /// An id of its own, made by the caller.
    public let id: ConfirmationID
    /// The other side's public key for the queue's encryption.
    public let e2ePublicKey: SecretBytes
    /// The key by which the server will know the sender, or nil.
    public let senderKey: SecretBytes?
    /// The ratchet made from the answer.
    public let ratchetState: SecretBytes
    /// The other side's profile, encoded.
    public let senderInfo: SecretBytes

    /// An answer.
    public init(
        id: ConfirmationID, e2ePublicKey: SecretBytes, senderKey: SecretBytes? = nil, ratchetState: SecretBytes,
        senderInfo: SecretBytes
    ) {
        self.id = id
        self.e2ePublicKey = e2ePublicKey
        self.senderKey = senderKey
        self.ratchetState = ratchetState
        self.senderInfo = senderInfo
    }
}

/// A person's request to connect, received through one of the profile's addresses.
public struct AgentInvitation: Sendable, Hashable {
    /// The row's key, `conn_invitations.invitation_id`.
    public let id: InvitationID
    /// The connection of the address it came through.
    public let addressID: AgentConnectionID
    /// The invitation to answer, with its queues and keys.
    public let invitation: SecretBytes
    /// The requester's profile, encoded.
    public let senderInfo: SecretBytes
    /// Whether this side has accepted.
    public let isAccepted: Bool
    /// This side's profile, encoded; nil until accepted.
    public let ownInfo: SecretBytes?

    package init(
        id: InvitationID, addressID: AgentConnectionID, invitation: SecretBytes, senderInfo: SecretBytes,
        isAccepted: Bool, ownInfo: SecretBytes?
    ) {
        self.id = id
        self.addressID = addressID
        self.invitation = invitation
        self.senderInfo = senderInfo
        self.isAccepted = isAccepted
        self.ownInfo = ownInfo
    }
}

/// A command for a connection that a server has not completed yet.
/// Rule: docs/domain.md, "Agent database", Commands.
public struct AgentCommand: Sendable, Hashable {
    /// The row's number, which is also the order in which a server's commands run.
    public let id: AgentCommandID
    /// The connection it is for.
    public let connectionID: AgentConnectionID
    /// The server that runs it; nil when it needs no server.
    public let server: AgentServerID?
    /// The id under which the app waits for the outcome.
    public let correlationID: CorrelationID
    /// The kind of command.
    public let tag: String
    /// The command, encoded, with its keys.
    public let command: SecretBytes
    /// Whether the agent gave it up.
    public let isFailed: Bool

    package init(
        id: AgentCommandID, connectionID: AgentConnectionID, server: AgentServerID?, correlationID: CorrelationID,
        tag: String, command: SecretBytes, isFailed: Bool
    ) {
        self.id = id
        self.connectionID = connectionID
        self.server = server
        self.correlationID = correlationID
        self.tag = tag
        self.command = command
        self.isFailed = isFailed
    }
}

extension CatalogueTable {
    /// Connections, how they come about, and the work that is open for them.
    static let agentConnections: [CatalogueTable] = [
        CatalogueTable(
            "connections", "A connection to one contact, member or address, over one queue or more each way.",
            [
                .personal("conn_id", "the connection's id; connections.agent_conn_id of the chat database"),
                .public("user_id", "the profile it belongs to"),
                .public("conn_mode", "whether it was made by an invitation for one or is an address for many"),
                .public("last_internal_msg_id", "number of the last message in either direction"),
                .public("last_internal_rcv_msg_id", "number of the last message received"),
                .public("last_internal_snd_msg_id", "number of the last message sent"),
                .public("last_external_snd_msg_id", "the number the other side gave to its last message"),
                .secret("last_rcv_msg_hash", "hash of the last message received; the next one must name it"),
                .secret("last_snd_msg_hash", "hash of the last message sent; the next one names it"),
                .public("enable_ntfs", "1 when its messages may raise a notification"),
                .public("deleted", "1 while its queues are being deleted at their servers"),
                .public("created_at", "when the row was made, UTC; 1970-01-01 if SimpleX Chat does not know"),
                .public("updated_at", "when the row was last changed, UTC"),
                .state(
                    "ratchet_sync_state", "whether both ratchets agree (ok), or how far their renewal is",
                    RatchetSyncState.self),
            ]),
        CatalogueTable(
            "conn_confirmations", "The other side's answer to an invitation, until the connection is complete.",
            [
                .personal("confirmation_id", "the answer's id"),
                .personal("conn_id", "the connection it is for"),
                .secret("e2e_snd_pub_key", "the other side's public key for the queue's encryption"),
                .secret("sender_key", "the key by which the server will know the sender"),
                .secret("ratchet_state", "the ratchet made from the answer"),
                .secret("sender_conn_info", "what the other side says of itself: an encoded message"),
                .public("accepted", "1 once this side has accepted"),
                .secret("own_conn_info", "what this side says of itself: an encoded message"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "conn_invitations", "A request to connect, received through one of the profile's addresses.",
            [
                .personal("invitation_id", "the request's id"),
                .personal("contact_conn_id", "the connection of the address it came through"),
                .secret("cr_invitation", "the invitation to answer, with its queues and keys"),
                .secret("recipient_conn_info", "what the requester says of themselves: an encoded message"),
                .public("accepted", "1 once this side has accepted"),
                .secret("own_conn_info", "what this side says of itself: an encoded message"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "commands", "An act on a connection that a server has not completed yet; survives a restart.",
            [
                .public("command_id", "the command's number; in this order a server's commands are done"),
                .personal("conn_id", "the connection it is for"),
                .personal("host", "the server it is done at, with the port; NULL when it needs none"),
                .personal("port", "the server's port as text; NULL when it needs none"),
                .personal("corr_id", "the id under which the app waits for the outcome"),
                .public("command_tag", "what kind of command it is"),
                .secret("command", "the command itself, encoded, with its keys"),
                .public("failed", "1 when it will not be tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
