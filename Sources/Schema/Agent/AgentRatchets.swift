/// Whether the ratchets of both sides agree, or the state of their renewal.
public enum RatchetSyncState: StoredText {
    /// They agree.
    case ok
    /// They may differ: the user may request a renewal.
    case allowed
    /// They differ: nothing can be sent before a renewal.
    case required
    /// One side requested a renewal.
    case started
    /// Both sides agreed on new keys; the first message with them has not arrived.
    case agreed
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts, in the order of a renewal.
    public static let texts: StoredTexts<RatchetSyncState> = [
        .ok: "ok",
        .allowed: "allowed",
        .required: "required",
        .started: "started",
        .agreed: "agreed",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The encryption state of a connection. Rule: docs/domain.md, "Agent database", Ratchets.
public struct Ratchet: Sendable, Hashable {
    /// The connection it encrypts.
    public let connectionID: AgentConnectionID
    /// Our keys of the agreement; nil once it is done.
    public let agreement: AgreementKeys?
    /// The ratchet; nil until it is agreed.
    public let state: SecretBytes?
    /// The version of the encryption both sides use.
    public let version: Int

    package init(connectionID: AgentConnectionID, agreement: AgreementKeys?, state: SecretBytes?, version: Int) {
        self.connectionID = connectionID
        self.agreement = agreement
        self.state = state
        self.version = version
    }
}

/// Our two pairs of keys for agreeing on a ratchet (X3DH).
public struct AgreementKeys: Sendable, Hashable {
    /// First private key.
    public let private1: SecretBytes
    /// Second private key.
    public let private2: SecretBytes
    /// First public key, to send it again; nil in old rows.
    public let public1: SecretBytes?
    /// Second public key, to send it again; nil in old rows.
    public let public2: SecretBytes?

    /// Keys as they were made.
    public init(
        private1: SecretBytes, private2: SecretBytes, public1: SecretBytes? = nil, public2: SecretBytes? = nil
    ) {
        self.private1 = private1
        self.private2 = private2
        self.public1 = public1
        self.public2 = public2
    }
}

/// The key of a message that has not been received although later ones have.
public struct SkippedMessageKey: Sendable, Hashable {
    /// Key of the message's header.
    public let headerKey: SecretBytes
    /// The message's number in its chain.
    public let messageNumber: Int64
    /// Key of the message.
    public let messageKey: SecretBytes

    /// A key that the ratchet made when it skipped the message.
    public init(headerKey: SecretBytes, messageNumber: Int64, messageKey: SecretBytes) {
        self.headerKey = headerKey
        self.messageNumber = messageNumber
        self.messageKey = messageKey
    }
}

extension CatalogueTable {
    /// The state of end-to-end encryption, and the hashes that distinguish a repeated message from a broken ratchet.
    static let agentRatchets: [CatalogueTable] = [
        CatalogueTable(
            "ratchets", "The encryption state of a connection: before it is agreed the keys, afterwards the ratchet.",
            [
                .personal("conn_id", "the connection it encrypts"),
                .secret("x3dh_priv_key_1", "first private key of the agreement"),
                .secret("x3dh_priv_key_2", "second private key of the agreement"),
                .secret("ratchet_state", "the ratchet; NULL until it is agreed"),
                .public("e2e_version", "version of the encryption both sides use"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .secret("x3dh_pub_key_1", "first public key of the agreement, to send it again"),
                .secret("x3dh_pub_key_2", "second public key of the agreement, to send it again"),
            ]),
        CatalogueTable(
            "skipped_messages", "The key of a message that has not come yet although later ones have.",
            [
                .public("skipped_message_id", "the row's number"),
                .personal("conn_id", "the connection whose ratchet made the key"),
                .secret("header_key", "key of the message's header"),
                .public("msg_n", "the message's number in its chain"),
                .secret("msg_key", "key of the message"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "encrypted_rcv_message_hashes", "An encrypted message already received, known by its hash.",
            [
                .public("encrypted_rcv_message_hash_id", "the row's number"),
                .personal("conn_id", "the connection it came through"),
                .secret("hash", "hash of the encrypted message"),
                .public("created_at", "when the row was made, UTC; old rows are removed by it"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "processed_ratchet_key_hashes", "Keys that were already used to renew a ratchet, known by their hash.",
            [
                .public("processed_ratchet_key_hash_id", "the row's number"),
                .personal("conn_id", "the connection whose ratchet was renewed"),
                .secret("hash", "hash of the keys"),
                .public("created_at", "when the row was made, UTC; old rows are removed by it"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
