public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The files the agent sends. Rule: docs/domain.md, "Agent database", Files.
///
/// Files that are being deleted are in a result only where its description says so. A file of another profile is not
/// found.
public struct AgentSentFilesRepo: Repository {
    package typealias Failure = AgentFilesError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The files of a profile, by number. The list is empty when there are none.
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

    /// The file with the id that the chat database has, or nil.
    public func find(_ entity: AgentFileEntityID) throws(AgentFilesError) -> AgentSentFile? {
        try first(
            """
            SELECT \(AgentSentFile.columns) FROM snd_files WHERE snd_file_entity_id = \(entity) AND deleted = 0
            """)
    }

    /// The next replica of a chunk to upload to a server. The server has a place for it, and its file is being
    /// uploaded. Replicas that were tried least come first, then by file and chunk. Nil when there is nothing to
    /// upload.
    public func nextChunk(to server: FileServer) throws(AgentFilesError) -> ChunkToUpload? {
        try first(
            """
            SELECT \(ChunkToUpload.columns) FROM \(ChunkToUpload.tables)
            WHERE xftp_servers.xftp_host = \(server.host) AND xftp_servers.xftp_port = \(server.port)
                AND xftp_servers.xftp_key_hash IN (\(list: ServerKeyHash.texts(server.keyHash)))
                AND replica.replica_status = \(SentReplicaStatus.created)
                AND snd_files.status = \(AgentSentFileStatus.uploading) AND snd_files.deleted = 0
            ORDER BY replica.retries, snd_files.snd_file_id, chunk.chunk_no, replica.replica_number LIMIT 1
            """)
    }

    /// All replicas of the chunks of a file, uploaded or not, being deleted or not, by chunk and order: the content of
    /// a file description, and the replicas to delete at the servers. The list is empty when there are none. Throws
    /// `sentFileNotFound`.
    public func replicas(of id: AgentSentFileID, of user: AgentUserID) throws(AgentFilesError) -> [ChunkToUpload] {
        _ = try get(id, of: user, includingDeleted: true)
        return try all(
            """
            SELECT \(ChunkToUpload.columns) FROM \(ChunkToUpload.tables)
            WHERE chunk.snd_file_id = \(id) ORDER BY chunk.chunk_no, replica.replica_number
            """)
    }

    /// The accesses of the recipients to all copies of a file, by replica and in their order. The map is empty when
    /// there are none. Throws `sentFileNotFound`.
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

/// Changes to the files the agent sends. Rule: docs/domain.md, "Agent database", Files.
public struct AgentSentFilesWriter: Writer {
    package typealias Failure = AgentFilesError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Makes a file to send. Throws `agentUserNotFound` and `fileExists`; nothing has changed then.
    @discardableResult
    public func create(
        _ entity: AgentFileEntityID, path: String, prefixPath: String? = nil, recipients: Int,
        encryption: FileEncryption, of user: AgentUserID
    ) throws(AgentFilesError) -> AgentSentFile {
        try requireUser(user)
        if try row("SELECT snd_file_id FROM snd_files WHERE snd_file_entity_id = \(entity)") != nil {
            throw .fileExists(entity)
        }
        let id = try insert(
            """
            INSERT INTO snd_files (
                snd_file_entity_id, user_id, path, prefix_path, num_recipients, key, nonce, status, created_at,
                updated_at)
            VALUES (
                \(entity), \(user), \(path), \(prefixPath), \(recipients), \(encryption.key), \(encryption.nonce),
                \(AgentSentFileStatus.new), \(now), \(now))
            """, returning: "snd_file_id")
        return try AgentSentFilesRepo(tx).get(AgentSentFileID(id), of: user)
    }

    /// Marks a file as being encrypted. Throws `sentFileNotFound` and `wrongStatus`.
    public func encrypting(_ id: AgentSentFileID, of user: AgentUserID) throws(AgentFilesError) {
        try require(id, of: user) { $0 == .new }
        try change(id, "status = \(AgentSentFileStatus.encrypting)")
    }

    /// Marks a file as encrypted, and stores its digest and its chunks. Throws `noChunks`, `sentFileNotFound` and
    /// `wrongStatus`; nothing has changed then.
    public func encrypted(
        _ id: AgentSentFileID, digest: SecretBytes, chunks: [NewSentChunk], of user: AgentUserID
    ) throws(AgentFilesError) {
        if chunks.isEmpty { throw .noChunks }
        try require(id, of: user) { $0 == .encrypting }
        try insertInParts(
            """
            INSERT INTO snd_file_chunks (
                snd_file_id, chunk_no, chunk_offset, chunk_size, digest, created_at, updated_at)
            VALUES
            """,
            chunks.enumerated().map { index, chunk in
                "(\(id), \(index + 1), \(chunk.offset), \(chunk.size), \(chunk.digest), \(now), \(now))"
            })
        try change(id, "status = \(AgentSentFileStatus.encrypted), digest = \(digest)")
    }

    /// Adds a copy of a chunk for which a server has a place, with the accesses of the recipients: the file is being
    /// *uploaded*. Throws `sentFileNotFound`, `wrongStatus` and `chunkNotFound`; nothing has changed then.
    @discardableResult
    public func addReplica(
        _ replica: FileReplica, recipients: [ReplicaRecipient], ofChunk chunk: Int, of id: AgentSentFileID,
        of user: AgentUserID
    ) throws(AgentFilesError) -> SentReplicaID {
        try require(id, of: user) { $0 == .encrypted || $0 == .uploading }
        let found = try numbers(
            """
            SELECT snd_file_chunk_id AS id FROM snd_file_chunks WHERE snd_file_id = \(id) AND chunk_no = \(chunk)
            """
        ).first
        guard let found else { throw .chunkNotFound(chunk, file: id) }
        let servers = try serverNumbers([replica.server])
        let replicaID = try insert(
            """
            INSERT INTO snd_file_chunk_replicas (
                snd_file_chunk_id, replica_number, xftp_server_id, replica_id, replica_key, replica_status, created_at,
                updated_at)
            VALUES (
                \(found),
                (SELECT coalesce(max(last.replica_number), 0) + 1 FROM snd_file_chunk_replicas last
                 WHERE last.snd_file_chunk_id = \(found) AND last.replica_number BETWEEN 0 AND \(Int64.max - 1)
                    AND NOT EXISTS (
                        SELECT 1 FROM snd_file_chunk_replicas next
                        WHERE next.snd_file_chunk_id = \(found) AND next.replica_number = last.replica_number + 1)),
                \(servers[replica.server]), \(replica.id), \(replica.key), \(SentReplicaStatus.created), \(now), \(now))
            """, returning: "snd_file_chunk_replica_id")
        try insertInParts(
            """
            INSERT INTO snd_file_chunk_replica_recipients (
                snd_file_chunk_replica_id, rcv_replica_id, rcv_replica_key, created_at, updated_at)
            VALUES
            """, recipients.map { "(\(replicaID), \($0.id), \($0.key), \(now), \(now))" })
        try change(id, "status = \(AgentSentFileStatus.uploading)")
        return SentReplicaID(replicaID)
    }

    /// Marks a replica as uploaded. When every chunk has an uploaded replica, the file is *complete*, unless it failed
    /// or was given up. Returns whether the file is complete. Throws `sentReplicaNotFound`.
    public func uploaded(_ id: SentReplicaID) throws(AgentFilesError) -> Bool {
        let file = try numbers(
            """
            SELECT chunk.snd_file_id AS id FROM snd_file_chunk_replicas replica
            JOIN snd_file_chunks chunk ON chunk.snd_file_chunk_id = replica.snd_file_chunk_id
            WHERE replica.snd_file_chunk_replica_id = \(id)
            """
        ).first
        guard let file else { throw .sentReplicaNotFound(id) }
        try run(
            """
            UPDATE snd_file_chunk_replicas
            SET replica_status = \(SentReplicaStatus.uploaded), delay = NULL, updated_at = \(now)
            WHERE snd_file_chunk_replica_id = \(id)
            """)
        let missing = try number(
            """
            SELECT count(*) FROM snd_file_chunks chunk
            WHERE chunk.snd_file_id = \(file) AND NOT EXISTS (
                SELECT 1 FROM snd_file_chunk_replicas replica
                WHERE replica.snd_file_chunk_id = chunk.snd_file_chunk_id
                    AND replica.replica_status = \(SentReplicaStatus.uploaded))
            """)
        if missing > 0 { return false }
        try run(
            """
            UPDATE snd_files SET status = \(AgentSentFileStatus.complete), updated_at = \(now)
            WHERE snd_file_id = \(file) AND status = \(AgentSentFileStatus.uploading) AND deleted = 0
            """)
        return try number(
            """
            SELECT count(*) FROM snd_files
            WHERE snd_file_id = \(file) AND status = \(AgentSentFileStatus.complete) AND deleted = 0
            """) > 0
    }

    /// Counts an attempt to upload a copy that failed, and how long to wait before the next, in microseconds. Throws
    /// `sentReplicaNotFound`.
    public func retryLater(_ id: SentReplicaID, delay: Int64) throws(AgentFilesError) {
        let changed = try run(
            """
            UPDATE snd_file_chunk_replicas
            SET retries = \(Self.oneMore), delay = \(delay), updated_at = \(now)
            WHERE snd_file_chunk_replica_id = \(id)
            """)
        if changed == 0 { throw .sentReplicaNotFound(id) }
    }
}

/// Rule: docs/domain.md, "Agent database", Files.
extension AgentSentFilesWriter {
    /// Marks a file as failed, with the reason. Throws `sentFileNotFound`, and `wrongStatus` for one that is complete
    /// or has failed.
    public func failed(_ id: AgentSentFileID, _ reason: String, of user: AgentUserID) throws(AgentFilesError) {
        try require(id, of: user) { $0.mayBecome(.error) }
        try change(id, "status = \(AgentSentFileStatus.error), error = \(reason)")
    }

    /// Marks a file as deleted. The next step is to delete its replicas at their servers. Throws `sentFileNotFound`,
    /// for one that is marked already too.
    public func markDeleted(_ id: AgentSentFileID, of user: AgentUserID) throws(AgentFilesError) {
        _ = try AgentSentFilesRepo(tx).get(id, of: user)
        try change(id, "deleted = 1")
    }

    /// Removes the row of a file that is marked as deleted, with its chunks, replicas and recipients. Throws
    /// `sentFileNotFound` and `notMarkedDeleted`.
    public func remove(_ id: AgentSentFileID, of user: AgentUserID) throws(AgentFilesError) {
        let file = try AgentSentFilesRepo(tx).get(id, of: user, includingDeleted: true)
        if !file.isDeleted { throw .notMarkedDeleted(.sent(id)) }
        try run("DELETE FROM snd_files WHERE snd_file_id = \(id)")
    }

    func require(
        _ id: AgentSentFileID, of user: AgentUserID, _ isRight: (AgentSentFileStatus) -> Bool
    ) throws(AgentFilesError) {
        let file = try AgentSentFilesRepo(tx).get(id, of: user)
        if !isRight(file.status) { throw .wrongStatus(.sent(id), status: file.status.text) }
    }

    func change(_ id: AgentSentFileID, _ assignments: Query) throws(AgentFilesError) {
        try run("UPDATE snd_files SET \(assignments), updated_at = \(now) WHERE snd_file_id = \(id)")
    }
}
