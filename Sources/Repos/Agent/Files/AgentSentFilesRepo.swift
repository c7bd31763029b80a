public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The files the agent sends. Rule: docs/domain.md, "Agent database", Files.
///
/// Files that are being deleted are in an answer only where it says so. A file of another profile is not found.
public struct AgentSentFilesRepo: Repository {
    package typealias Failure = AgentFilesError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The files of a profile, by number. None is an empty list.
    public func all(
        of user: AgentUserID, includingDeleted: Bool = false
    ) throws(AgentFilesError) -> [AgentSentFile] {
        try all(
            """
            SELECT \(AgentSentFile.columns) FROM snd_files
            WHERE user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0])) ORDER BY snd_file_id
            """)
    }

    /// The file of a profile with a number. Throws `sentFileNotFound`.
    public func get(
        _ id: AgentSentFileID, of user: AgentUserID, includingDeleted: Bool = false
    ) throws(AgentFilesError) -> AgentSentFile {
        let found: AgentSentFile? = try first(
            """
            SELECT \(AgentSentFile.columns) FROM snd_files
            WHERE snd_file_id = \(id) AND user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
        guard let found else { throw .sentFileNotFound(id) }
        return found
    }

    /// The file the chat database knows by an id, or nil.
    public func find(_ entity: AgentFileEntityID) throws(AgentFilesError) -> AgentSentFile? {
        try first(
            """
            SELECT \(AgentSentFile.columns) FROM snd_files WHERE snd_file_entity_id = \(entity) AND deleted = 0
            """)
    }

    /// The copy of a chunk that is to be uploaded next to a server: one the server has a place for, of a file that is
    /// being uploaded; what was tried least first, then by file and chunk. Nil when there is nothing to upload.
    public func nextChunk(to server: FileServer) throws(AgentFilesError) -> ChunkToUpload? {
        try first(
            """
            SELECT \(ChunkToUpload.columns) FROM \(ChunkToUpload.tables)
            WHERE xftp_servers.xftp_host = \(server.host) AND xftp_servers.xftp_port = \(server.port)
                AND xftp_servers.xftp_key_hash = \(server.keyHash)
                AND replica.replica_status = \(SentReplicaStatus.created)
                AND snd_files.status = \(AgentSentFileStatus.uploading) AND snd_files.deleted = 0
            ORDER BY replica.retries, snd_files.snd_file_id, chunk.chunk_no, replica.replica_number LIMIT 1
            """)
    }

    /// All copies of the chunks of a file, uploaded or not, being deleted or not, by chunk and order: what a file
    /// description tells, and what is to be deleted at the servers. None is an empty list. Throws `sentFileNotFound`.
    public func replicas(of id: AgentSentFileID, of user: AgentUserID) throws(AgentFilesError) -> [ChunkToUpload] {
        _ = try get(id, of: user, includingDeleted: true)
        return try all(
            """
            SELECT \(ChunkToUpload.columns) FROM \(ChunkToUpload.tables)
            WHERE chunk.snd_file_id = \(id) ORDER BY chunk.chunk_no, replica.replica_number
            """)
    }

    /// The accesses of the recipients to all copies of a file, by replica and in their order. None is an empty map.
    /// Throws `sentFileNotFound`.
    public func recipients(
        of id: AgentSentFileID, of user: AgentUserID
    ) throws(AgentFilesError) -> [SentReplicaID: [ReplicaRecipient]] {
        _ = try get(id, of: user, includingDeleted: true)
        do throws(StoreError) {
            var recipients: [SentReplicaID: [ReplicaRecipient]] = [:]
            let rows = try tx.rows(
                """
                SELECT replica.snd_file_chunk_replica_id, access.rcv_replica_id, access.rcv_replica_key
                FROM snd_file_chunks chunk
                JOIN snd_file_chunk_replicas replica ON replica.snd_file_chunk_id = chunk.snd_file_chunk_id
                JOIN snd_file_chunk_replica_recipients access
                    ON access.snd_file_chunk_replica_id = replica.snd_file_chunk_replica_id
                WHERE chunk.snd_file_id = \(id)
                ORDER BY access.snd_file_chunk_replica_recipient_id
                """)
            for row in rows {
                recipients[try row.get("snd_file_chunk_replica_id"), default: []].append(try ReplicaRecipient(row: row))
            }
            return recipients
        } catch {
            throw .store(error)
        }
    }
}
