import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Agent database", Ratchets.
extension RatchetsWriter {
    /// Stores the keys of messages that were skipped. Throws `ratchetNotFound`, and `duplicateSkippedKey` for a key
    /// that is stored or given twice, and then has stored none.
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

    /// Takes the key of a skipped message that has come now: it is answered once and then gone. Nil when there is
    /// none.
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

    /// Removes the keys of skipped messages of a connection, and answers how many there were.
    @discardableResult
    public func deleteSkipped(of connection: AgentConnectionID) throws(RatchetsError) -> Int {
        try run("DELETE FROM skipped_messages WHERE conn_id = \(connection)")
    }

    /// Remembers the hash of keys that were used to renew a ratchet, and answers whether it is new: false means that
    /// the keys were used before. Throws `connectionNotFound`.
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

    /// Forgets the hashes remembered before a time, of all connections, and answers how many there were.
    @discardableResult
    public func forgetKeyHashes(before time: StoredTime) throws(RatchetsError) -> Int {
        try run("DELETE FROM processed_ratchet_key_hashes WHERE created_at < \(time.text)")
    }
}

/// What a skipped message is found by.
private struct SkippedPlace: Hashable {
    let headerKey: SecretBytes
    let number: Int64

    init(_ key: SkippedMessageKey) {
        (headerKey, number) = (key.headerKey, key.messageNumber)
    }
}
