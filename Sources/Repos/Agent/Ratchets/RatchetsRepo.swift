public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The encryption state of connections. Rule: docs/domain.md, "Agent database", Ratchets.
public struct RatchetsRepo: Repository {
    package typealias Failure = RatchetsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
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

    /// The keys of skipped messages of a connection, in the order in which they were stored. None is an empty list.
    public func skippedKeys(of connection: AgentConnectionID) throws(RatchetsError) -> [SkippedMessageKey] {
        try all(
            """
            SELECT \(SkippedMessageKey.columns) FROM skipped_messages
            WHERE conn_id = \(connection) ORDER BY skipped_message_id
            """)
    }

    /// Whether keys with this hash were used to renew the ratchet of a connection, and are remembered.
    public func isProcessed(
        keyHash hash: SecretBytes, of connection: AgentConnectionID
    ) throws(RatchetsError) -> Bool {
        try count(
            """
            SELECT count(*) FROM processed_ratchet_key_hashes WHERE conn_id = \(connection) AND hash = \(hash)
            """) > 0
    }
}
