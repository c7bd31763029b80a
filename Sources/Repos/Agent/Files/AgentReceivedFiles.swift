public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The files the agent receives. Rule: docs/domain.md, "Agent database", Files.
///
/// Files that are given up are in a result only where its description says so. A file of another profile is not found.
public struct AgentReceivedFilesRepo: Repository {
    package typealias Failure = AgentFilesError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The files of a profile, by number. The list is empty when there are none.
    public func all(
        of user: AgentUserID, includingDeleted: Bool = false
    ) throws(AgentFilesError) -> [AgentReceivedFile] {
        try all(
            """
            SELECT \(AgentReceivedFile.columns) FROM rcv_files
            WHERE user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0])) ORDER BY rcv_file_id
            """)
    }

    /// The file of a profile with a number. Throws `receivedFileNotFound`.
    public func get(
        _ id: AgentReceivedFileID, of user: AgentUserID, includingDeleted: Bool = false
    ) throws(AgentFilesError) -> AgentReceivedFile {
        let found: AgentReceivedFile? = try first(
            """
            SELECT \(AgentReceivedFile.columns) FROM rcv_files
            WHERE rcv_file_id = \(id) AND user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
        guard let found else { throw .receivedFileNotFound(id) }
        return found
    }

    /// The file with the id that the chat database has, or nil.
    public func find(_ entity: AgentFileEntityID) throws(AgentFilesError) -> AgentReceivedFile? {
        try first(
            """
            SELECT \(AgentReceivedFile.columns) FROM rcv_files WHERE rcv_file_entity_id = \(entity) AND deleted = 0
            """)
    }

    /// The chunks of a file in their order, with the paths of those that were received. The agent puts the file together
    /// from these. Throws `receivedFileNotFound`.
    public func chunks(
        of id: AgentReceivedFileID, of user: AgentUserID
    ) throws(AgentFilesError) -> [ReceivedChunk] {
        _ = try get(id, of: user, includingDeleted: true)
        return try all(
            "SELECT \(ReceivedChunk.columns) FROM rcv_file_chunks WHERE rcv_file_id = \(id) ORDER BY chunk_no")
    }

    /// The next replica of a chunk to receive from a server. Its file is being received, and the chunk has not come
    /// yet. Replicas that were tried least come first, then by file, chunk and order of the replicas. Nil when there is
    /// nothing to receive.
    public func nextChunk(from server: FileServer) throws(AgentFilesError) -> ChunkToReceive? {
        try first(
            """
            SELECT \(ChunkToReceive.columns) FROM \(ChunkToReceive.tables)
            WHERE xftp_servers.xftp_host = \(server.host) AND xftp_servers.xftp_port = \(server.port)
                AND xftp_servers.xftp_key_hash IN (\(list: ServerKeyHash.texts(server.keyHash))) AND replica.received = 0
                AND rcv_files.status = \(AgentReceivedFileStatus.receiving) AND rcv_files.deleted = 0
                AND NOT EXISTS (
                    SELECT 1 FROM rcv_file_chunk_replicas other
                    WHERE other.rcv_file_chunk_id = replica.rcv_file_chunk_id AND other.received = 1)
            ORDER BY replica.retries, rcv_files.rcv_file_id, chunk.chunk_no, replica.replica_number LIMIT 1
            """)
    }
}

/// Changes to the files the agent receives. Rule: docs/domain.md, "Agent database", Files.
public struct AgentReceivedFilesWriter: Writer {
    package typealias Failure = AgentFilesError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the agent database.
    public init(_ agent: any WriteTransaction, clock: StoreClock = .system) {
        tx = agent
        self.clock = clock
    }

    /// Makes a file to receive, with its chunks and where they are. Throws `agentUserNotFound`, `fileExists` and
    /// `noChunks`; nothing has changed then.
    @discardableResult
    public func create(_ file: NewReceivedFile, of user: AgentUserID) throws(AgentFilesError) -> AgentReceivedFile {
        if file.chunks.isEmpty || file.chunks.contains(where: \.replicas.isEmpty) { throw .noChunks }
        try requireUser(user)
        if try row("SELECT rcv_file_id FROM rcv_files WHERE rcv_file_entity_id = \(file.entityID)") != nil {
            throw .fileExists(file.entityID)
        }
        let id = try insert(
            """
            INSERT INTO rcv_files (
                rcv_file_entity_id, user_id, size, digest, key, nonce, chunk_size, prefix_path, tmp_path, save_path,
                status, created_at, updated_at)
            VALUES (
                \(file.entityID), \(user), \(file.size), \(file.digest), \(file.encryption.key),
                \(file.encryption.nonce), \(file.chunkSize), \(file.prefixPath), \(file.temporaryPath),
                \(file.savePath), \(AgentReceivedFileStatus.receiving), \(now), \(now))
            """, returning: "rcv_file_id")
        try insertInParts(
            "INSERT INTO rcv_file_chunks (rcv_file_id, chunk_no, chunk_size, digest, created_at, updated_at) VALUES",
            file.chunks.enumerated().map { index, chunk in
                "(\(id), \(index + 1), \(chunk.size), \(chunk.digest), \(now), \(now))"
            })
        let chunks = try numbers(
            "SELECT rcv_file_chunk_id AS id FROM rcv_file_chunks WHERE rcv_file_id = \(id) ORDER BY chunk_no")
        let servers = try serverNumbers(file.chunks.flatMap { $0.replicas.map(\.server) })
        var replicas: [Query] = []
        for (chunk, chunkID) in zip(file.chunks, chunks) {
            for (index, replica) in chunk.replicas.enumerated() {
                replicas.append(
                    "(\(chunkID), \(index + 1), \(servers[replica.server]), \(replica.id), \(replica.key), \(now), \(now))"
                )
            }
        }
        try insertInParts(
            """
            INSERT INTO rcv_file_chunk_replicas (
                rcv_file_chunk_id, replica_number, xftp_server_id, replica_id, replica_key, created_at, updated_at)
            VALUES
            """, replicas)
        return try AgentReceivedFilesRepo(tx).get(AgentReceivedFileID(id), of: user)
    }

    /// Marks a chunk as received, with its path. With the last chunk the file is *received*, unless it failed or was
    /// given up. Returns whether the file is received. Throws `receivedReplicaNotFound`.
    public func received(_ id: ReceivedReplicaID, at path: String) throws(AgentFilesError) -> Bool {
        let row = try row(
            """
            SELECT chunk.rcv_file_chunk_id, chunk.rcv_file_id FROM rcv_file_chunk_replicas replica
            JOIN rcv_file_chunks chunk ON chunk.rcv_file_chunk_id = replica.rcv_file_chunk_id
            WHERE replica.rcv_file_chunk_replica_id = \(id)
            """)
        guard let row else { throw .receivedReplicaNotFound(id) }
        let (chunk, file): (Int64, Int64) = try reading { () throws(StoreError) in
            try (row.get("rcv_file_chunk_id"), row.get("rcv_file_id"))
        }
        try run(
            """
            UPDATE rcv_file_chunk_replicas SET received = 1, delay = NULL, updated_at = \(now)
            WHERE rcv_file_chunk_replica_id = \(id)
            """)
        try run(
            "UPDATE rcv_file_chunks SET tmp_path = \(path), updated_at = \(now) WHERE rcv_file_chunk_id = \(chunk)")
        let missing = try number(
            """
            SELECT count(*) FROM rcv_file_chunks chunk
            WHERE chunk.rcv_file_id = \(file) AND NOT EXISTS (
                SELECT 1 FROM rcv_file_chunk_replicas replica
                WHERE replica.rcv_file_chunk_id = chunk.rcv_file_chunk_id AND replica.received = 1)
            """)
        if missing > 0 { return false }
        try run(
            """
            UPDATE rcv_files SET status = \(AgentReceivedFileStatus.received), updated_at = \(now)
            WHERE rcv_file_id = \(file) AND status = \(AgentReceivedFileStatus.receiving) AND deleted = 0
            """)
        return try number(
            """
            SELECT count(*) FROM rcv_files
            WHERE rcv_file_id = \(file) AND status = \(AgentReceivedFileStatus.received) AND deleted = 0
            """) > 0
    }

    /// Counts an attempt to receive a chunk that failed, and how long to wait before the next, in microseconds. Throws
    /// `receivedReplicaNotFound`.
    public func retryLater(_ id: ReceivedReplicaID, delay: Int64) throws(AgentFilesError) {
        let changed = try run(
            """
            UPDATE rcv_file_chunk_replicas
            SET retries = \(Self.oneMore), delay = \(delay), updated_at = \(now)
            WHERE rcv_file_chunk_replica_id = \(id)
            """)
        if changed == 0 { throw .receivedReplicaNotFound(id) }
    }
}

/// Rule: docs/domain.md, "Agent database", Files.
extension AgentReceivedFilesWriter {
    /// Marks a received file as being decrypted. Throws `receivedFileNotFound` and `wrongStatus`.
    public func decrypting(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        try step(id, from: .received, "status = \(AgentReceivedFileStatus.decrypting)", of: user)
    }

    /// Marks a file as saved; the folder of its chunks is no longer needed. Throws `receivedFileNotFound` and
    /// `wrongStatus`.
    public func complete(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        try step(
            id, from: .decrypting, "status = \(AgentReceivedFileStatus.complete), tmp_path = NULL", of: user)
    }

    /// Marks a file as failed, with the reason. Throws `receivedFileNotFound`, and `wrongStatus` for one that is
    /// complete or has failed.
    public func failed(
        _ id: AgentReceivedFileID, _ reason: String, of user: AgentUserID
    ) throws(AgentFilesError) {
        let file = try AgentReceivedFilesRepo(tx).get(id, of: user)
        if !file.status.mayBecome(.error) { throw .wrongStatus(.received(id), status: file.status.text) }
        try change(id, "status = \(AgentReceivedFileStatus.error), error = \(reason)")
    }

    /// Gives up a file. The next step is to remove its stored content. Throws `receivedFileNotFound`, for one that is
    /// given up already too.
    public func markDeleted(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        _ = try AgentReceivedFilesRepo(tx).get(id, of: user)
        try change(id, "deleted = 1")
    }

    /// Removes the row of a file that was given up. Throws `receivedFileNotFound` and `notMarkedDeleted`.
    public func remove(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        let file = try AgentReceivedFilesRepo(tx).get(id, of: user, includingDeleted: true)
        if !file.isDeleted { throw .notMarkedDeleted(.received(id)) }
        try run("DELETE FROM rcv_files WHERE rcv_file_id = \(id)")
    }

    private func step(
        _ id: AgentReceivedFileID, from status: AgentReceivedFileStatus, _ assignments: Query, of user: AgentUserID
    ) throws(AgentFilesError) {
        let file = try AgentReceivedFilesRepo(tx).get(id, of: user)
        if file.status != status { throw .wrongStatus(.received(id), status: file.status.text) }
        try change(id, assignments)
    }

    private func change(_ id: AgentReceivedFileID, _ assignments: Query) throws(AgentFilesError) {
        try run("UPDATE rcv_files SET \(assignments), updated_at = \(now) WHERE rcv_file_id = \(id)")
    }
}
