public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The registrations of this device with notification servers, for all profiles.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationTokensRepo: Repository {
    package typealias Failure = NotificationsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// All registrations, the oldest first. Usually there is one, and two while a new one replaces it. The list is
    /// empty when there are none.
    public func all() throws(NotificationsError) -> [NotificationToken] {
        try all("SELECT \(NotificationToken.columns) FROM ntf_tokens ORDER BY created_at, provider, ntf_host, ntf_port")
    }

    /// The registration of a device with a notification server, or nil.
    public func find(
        _ deviceToken: SecretBytes, provider: String, at server: AgentServerID
    ) throws(NotificationsError) -> NotificationToken? {
        try first(
            """
            SELECT \(NotificationToken.columns) FROM ntf_tokens
            WHERE \(Self.isThat(deviceToken, provider, server))
            """)
    }

    static func isThat(_ deviceToken: SecretBytes, _ provider: String, _ server: AgentServerID) -> Query {
        """
        provider = \(provider) AND device_token = \(deviceToken) AND ntf_host = \(server.host)
            AND ntf_port = \(server.port)
        """
    }
}

/// Changes to the registrations of this device with notification servers.
/// Rule: docs/domain.md, "Agent database", Notifications.
public struct NotificationTokensWriter: Writer {
    package typealias Failure = NotificationsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Adds a notification server unless the store has it. Throws `differentKeyHash` when the store has it with another
    /// certificate.
    public func addServer(_ id: AgentServerID, keyHash given: String) throws(NotificationsError) {
        let keyHash = ServerKeyHash.text(given)
        let known = try row(
            "SELECT ntf_key_hash FROM ntf_servers WHERE ntf_host = \(id.host) AND ntf_port = \(id.port)")
        if let known {
            let stored: String = try reading { () throws(StoreError) in try known.get("ntf_key_hash") }
            if ServerKeyHash.text(stored) != keyHash { throw .differentKeyHash(id) }
            return
        }
        try run(
            """
            INSERT INTO ntf_servers (ntf_host, ntf_port, ntf_key_hash, created_at, updated_at)
            VALUES (\(id.host), \(id.port), \(keyHash), \(now), \(now))
            """)
    }

    /// Makes a registration. The next step is to register it. Throws `serverNotFound` and `tokenExists`.
    @discardableResult
    public func create(
        _ deviceToken: SecretBytes, provider: String, at server: AgentServerID, keys: NotificationTokenKeys,
        mode: NotificationMode?
    ) throws(NotificationsError) -> NotificationToken {
        try requireNotificationServer(server)
        if try find(deviceToken, provider, server) != nil { throw .tokenExists(server) }
        try run(
            """
            INSERT INTO ntf_tokens (
                provider, device_token, ntf_host, ntf_port, tkn_pub_key, tkn_priv_key, tkn_pub_dh_key,
                tkn_priv_dh_key, tkn_status, tkn_action, ntf_mode, created_at, updated_at)
            VALUES (
                \(provider), \(deviceToken), \(server.host), \(server.port), \(keys.publicKey), \(keys.privateKey),
                \(keys.dhPublicKey), \(keys.dhPrivateKey), \(NotificationTokenStatus.new),
                \(NotificationTokenAction.register), \(mode), \(now), \(now))
            """)
        return try get(deviceToken, provider, server)
    }

    /// Stores the id of an accepted registration at the server, and the secret shared with the server. No action is due
    /// until the code comes. Throws `tokenNotFound`.
    @discardableResult
    public func registered(
        _ token: NotificationToken, id: NotificationTokenID, secret: SecretBytes
    ) throws(NotificationsError) -> NotificationToken {
        try change(
            token,
            """
            tkn_id = \(id), tkn_dh_secret = \(secret), tkn_status = \(NotificationTokenStatus.registered),
            tkn_action = NULL
            """)
    }

    /// Sets the status of a registration, and the action that is due next, or nil. Throws `tokenNotFound`.
    @discardableResult
    public func set(
        _ token: NotificationToken, status: NotificationTokenStatus, action: NotificationTokenAction?
    ) throws(NotificationsError) -> NotificationToken {
        try change(token, "tkn_status = \(status), tkn_action = \(action)")
    }

    /// Sets how notifications are delivered. Throws `tokenNotFound`.
    @discardableResult
    public func setMode(
        _ mode: NotificationMode, of token: NotificationToken
    ) throws(NotificationsError) -> NotificationToken {
        try change(token, "ntf_mode = \(mode)")
    }

    /// Gives a registration the device's new address at the push service. The next step is to register it again. Throws
    /// `tokenNotFound` and `tokenExists`.
    @discardableResult
    public func replaceDeviceToken(
        of token: NotificationToken, with deviceToken: SecretBytes
    ) throws(NotificationsError) -> NotificationToken {
        if deviceToken != token.deviceToken, try find(deviceToken, token.provider, token.server) != nil {
            throw .tokenExists(token.server)
        }
        return try change(
            token,
            """
            device_token = \(deviceToken), tkn_status = \(NotificationTokenStatus.registered),
            tkn_action = \(NotificationTokenAction.register)
            """, now: deviceToken)
    }

    /// Removes a registration. Throws `tokenNotFound`.
    public func delete(_ token: NotificationToken) throws(NotificationsError) {
        let isThat = NotificationTokensRepo.isThat(token.deviceToken, token.provider, token.server)
        let changed = try run("DELETE FROM ntf_tokens WHERE \(isThat)")
        if changed == 0 { throw .tokenNotFound(token.server) }
    }

    private func find(
        _ deviceToken: SecretBytes, _ provider: String, _ server: AgentServerID
    ) throws(NotificationsError) -> NotificationToken? {
        try NotificationTokensRepo(tx).find(deviceToken, provider: provider, at: server)
    }

    private func get(
        _ deviceToken: SecretBytes, _ provider: String, _ server: AgentServerID
    ) throws(NotificationsError) -> NotificationToken {
        guard let token = try find(deviceToken, provider, server) else { throw .tokenNotFound(server) }
        return token
    }

    /// Changes a registration, and returns it with the device's present address.
    private func change(
        _ token: NotificationToken, _ assignments: Query, now deviceToken: SecretBytes? = nil
    ) throws(NotificationsError) -> NotificationToken {
        let isThat = NotificationTokensRepo.isThat(token.deviceToken, token.provider, token.server)
        let changed = try run("UPDATE ntf_tokens SET \(assignments), updated_at = \(now) WHERE \(isThat)")
        if changed == 0 { throw .tokenNotFound(token.server) }
        return try get(deviceToken ?? token.deviceToken, token.provider, token.server)
    }
}

extension Writer where Failure == NotificationsError {
    func requireNotificationServer(_ id: AgentServerID) throws(NotificationsError) {
        let found = try row("SELECT ntf_host FROM ntf_servers WHERE ntf_host = \(id.host) AND ntf_port = \(id.port)")
        if found == nil { throw .serverNotFound(id) }
    }
}
