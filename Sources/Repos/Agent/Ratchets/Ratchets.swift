public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The encryption state of connections. Rule: docs/domain.md, "Agent database", Ratchets.
public struct RatchetsRepo: Repository {
    package typealias Failure = RatchetsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The ratchet of a connection, or the keys for agreeing on one; nil when there is neither.
    public func find(_ connection: AgentConnectionID) throws(RatchetsError) -> Ratchet? {
        try first("SELECT \(Ratchet.columns) FROM ratchets WHERE conn_id = \(connection)")
    }

    /// The ratchet of a connection, or the keys for agreeing on one. Throws `ratchetNotFound`.
    public func get(_ connection: AgentConnectionID) throws(RatchetsError) -> Ratchet {
        guard let ratchet = try find(connection) else { throw .ratchetNotFound(connection) }
        return ratchet
    }

    /// The keys of skipped messages of a connection, in the order in which they were stored. The list is empty when
    /// there are none.
    public func skippedKeys(of connection: AgentConnectionID) throws(RatchetsError) -> [SkippedMessageKey] {
        try all(
            """
            SELECT \(SkippedMessageKey.columns) FROM skipped_messages
            WHERE conn_id = \(connection) ORDER BY skipped_message_id
            """)
    }

    /// Whether keys with this hash were used to renew the ratchet of a connection, and the hash is still stored.
    public func isProcessed(
        keyHash hash: SecretBytes, of connection: AgentConnectionID
    ) throws(RatchetsError) -> Bool {
        try count(
            """
            SELECT count(*) FROM processed_ratchet_key_hashes WHERE conn_id = \(connection) AND hash = \(hash)
            """) > 0
    }
}

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

    /// Stores our keys for agreeing on a ratchet, in place of earlier keys and of the ratchet. The keys of skipped
    /// messages stay: messages of the old ratchet may still come. Throws `connectionNotFound`.
    public func store(
        _ keys: AgreementKeys, version: Int, of connection: AgentConnectionID
    ) throws(RatchetsError) {
        try requireConnection(connection)
        try replace(keys, state: nil, version: version, of: connection)
    }

    /// Stores the ratchet on which a connection has agreed, and removes the keys for agreeing. Throws
    /// `connectionNotFound`.
    public func store(
        _ state: SecretBytes, version: Int, of connection: AgentConnectionID
    ) throws(RatchetsError) {
        try requireConnection(connection)
        try replace(nil, state: state, version: version, of: connection)
    }

    /// Stores the new state of a ratchet after a message. Call it in the transaction that stores the message. Throws
    /// `ratchetNotFound`, and `ratchetNotAgreed` when there are only keys.
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

/// Rule: docs/domain.md, "Agent database", Ratchets.
extension RatchetsWriter {
    /// Stores the keys of messages that were skipped. Throws `ratchetNotFound`, and `duplicateSkippedKey` for a key
    /// that is stored already or given twice; no key is stored then.
    public func addSkipped(
        _ keys: [SkippedMessageKey], of connection: AgentConnectionID
    ) throws(RatchetsError) {
        _ = try RatchetsRepo(tx).get(connection)
        var seen: Set<SkippedPlace> = []
        for key in try RatchetsRepo(tx).skippedKeys(of: connection) { seen.insert(SkippedPlace(key)) }
        for key in keys where !seen.insert(SkippedPlace(key)).inserted {
            throw .duplicateSkippedKey(connection, number: key.messageNumber)
        }
        // Some hundred at a time: a statement has a limit of bound values.
        for start in stride(from: 0, to: keys.count, by: 200) {
            let rows = keys[start..<min(start + 200, keys.count)].map { key -> Query in
                "(\(connection), \(key.headerKey), \(key.messageNumber), \(key.messageKey), \(now), \(now))"
            }
            try run(
                """
                INSERT INTO skipped_messages (conn_id, header_key, msg_n, msg_key, created_at, updated_at)
                VALUES \(Query.joined(rows, by: ", "))
                """)
        }
    }

    /// Returns and removes the key of a skipped message that has arrived; nil without such a key.
    public func takeSkipped(
        headerKey: SecretBytes, number: Int64, of connection: AgentConnectionID
    ) throws(RatchetsError) -> SecretBytes? {
        let row = try row(
            """
            DELETE FROM skipped_messages
            WHERE conn_id = \(connection) AND header_key = \(headerKey) AND msg_n = \(number) RETURNING msg_key
            """)
        return try reading { () throws(StoreError) in try row?.get("msg_key") }
    }

    /// Removes the keys of skipped messages of a connection, and returns their number.
    @discardableResult
    public func deleteSkipped(of connection: AgentConnectionID) throws(RatchetsError) -> Int {
        try run("DELETE FROM skipped_messages WHERE conn_id = \(connection)")
    }

    /// Stores the hash of keys that were used to renew a ratchet, and returns whether it is new: false means that the
    /// keys were used before. Throws `connectionNotFound`.
    public func remember(
        keyHash hash: SecretBytes, of connection: AgentConnectionID
    ) throws(RatchetsError) -> Bool {
        try requireConnection(connection)
        return try run(
            """
            INSERT INTO processed_ratchet_key_hashes (conn_id, hash, created_at, updated_at)
            VALUES (\(connection), \(hash), \(now), \(now)) ON CONFLICT (conn_id, hash) DO NOTHING
            """) > 0
    }

    /// Removes the hashes stored before a time, of all connections, and returns their number.
    @discardableResult
    public func forgetKeyHashes(before time: StoredTime) throws(RatchetsError) -> Int {
        try run("DELETE FROM processed_ratchet_key_hashes WHERE created_at < \(time.text)")
    }
}

/// The key by which a skipped message is found.
private struct SkippedPlace: Hashable {
    let headerKey: SecretBytes
    let number: Int64

    init(_ key: SkippedMessageKey) {
        (headerKey, number) = (key.headerKey, key.messageNumber)
    }
}
