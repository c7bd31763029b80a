public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the encryption state of connections. Rule: docs/domain.md, "Agent database", Ratchets.
public struct RatchetsWriter: Writer {
    package typealias Failure = RatchetsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Stores our keys for agreeing on a ratchet, in place of those and of the ratchet there were. The keys of skipped
    /// messages stay: messages of the old ratchet may still come. Throws `connectionNotFound`.
    public func store(
        _ keys: AgreementKeys, version: Int, of connection: AgentConnectionID
    ) throws(RatchetsError) {
        try requireConnection(connection)
        try replace(keys, state: nil, version: version, of: connection)
    }

    /// Stores the ratchet a connection has agreed on; the keys for agreeing go. Throws `connectionNotFound`.
    public func store(
        _ state: SecretBytes, version: Int, of connection: AgentConnectionID
    ) throws(RatchetsError) {
        try requireConnection(connection)
        try replace(nil, state: state, version: version, of: connection)
    }

    /// Stores what has become of a ratchet after a message. To be called in the transaction that stores the message.
    /// Throws `ratchetNotFound`, and `ratchetNotAgreed` when there are only keys.
    public func update(_ state: SecretBytes, of connection: AgentConnectionID) throws(RatchetsError) {
        if try RatchetsRepo(tx).get(connection).state == nil { throw .ratchetNotAgreed(connection) }
        try run("UPDATE ratchets SET ratchet_state = \(state), updated_at = \(now) WHERE conn_id = \(connection)")
    }

    /// Removes the ratchet of a connection with the keys of skipped messages. Throws `ratchetNotFound`.
    public func delete(_ connection: AgentConnectionID) throws(RatchetsError) {
        let changed = try run("DELETE FROM ratchets WHERE conn_id = \(connection)")
        if changed == 0 { throw .ratchetNotFound(connection) }
    }

    private func replace(
        _ keys: AgreementKeys?, state: SecretBytes?, version: Int, of connection: AgentConnectionID
    ) throws(RatchetsError) {
        try run(
            """
            INSERT INTO ratchets (
                conn_id, x3dh_priv_key_1, x3dh_priv_key_2, x3dh_pub_key_1, x3dh_pub_key_2, ratchet_state, e2e_version,
                created_at, updated_at)
            VALUES (
                \(connection), \(keys?.private1), \(keys?.private2), \(keys?.public1), \(keys?.public2), \(state),
                \(version), \(now), \(now))
            ON CONFLICT (conn_id) DO UPDATE SET
                x3dh_priv_key_1 = excluded.x3dh_priv_key_1, x3dh_priv_key_2 = excluded.x3dh_priv_key_2,
                x3dh_pub_key_1 = excluded.x3dh_pub_key_1, x3dh_pub_key_2 = excluded.x3dh_pub_key_2,
                ratchet_state = excluded.ratchet_state, e2e_version = excluded.e2e_version,
                updated_at = excluded.updated_at
            """)
    }
}
