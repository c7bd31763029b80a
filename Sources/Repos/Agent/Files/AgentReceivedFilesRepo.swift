public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The files the agent receives. Rule: docs/domain.md, "Agent database", Files.
///
/// Files that are given up are in an answer only where it says so. A file of another profile is not found.
public struct AgentReceivedFilesRepo: Repository {
    package typealias Failure = AgentFilesError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the agent database.
    public init(_ agent: any ReadTransaction) {
        tx = agent
    }

    /// The files of a profile, by number. None is an empty list.
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

    /// The file the chat database knows by an id, or nil.
    public func find(_ entity: AgentFileEntityID) throws(AgentFilesError) -> AgentReceivedFile? {
        try first(
            """
            SELECT \(AgentReceivedFile.columns) FROM rcv_files WHERE rcv_file_entity_id = \(entity) AND deleted = 0
            """)
    }

    /// The copy of a chunk that is to be received next from a server: of a file that is being received, of a chunk
    /// that has not come; what was tried least first, then by file, chunk and order of the replicas. Nil when there is
    /// nothing to receive.
    public func nextChunk(from server: FileServer) throws(AgentFilesError) -> ChunkToReceive? {
        try first(
            """
            SELECT \(ChunkToReceive.columns) FROM \(ChunkToReceive.tables)
            WHERE xftp_servers.xftp_host = \(server.host) AND xftp_servers.xftp_port = \(server.port)
                AND xftp_servers.xftp_key_hash = \(server.keyHash) AND replica.received = 0
                AND rcv_files.status = \(AgentReceivedFileStatus.receiving) AND rcv_files.deleted = 0
                AND NOT EXISTS (
                    SELECT 1 FROM rcv_file_chunk_replicas other
                    WHERE other.rcv_file_chunk_id = replica.rcv_file_chunk_id AND other.received = 1)
            ORDER BY replica.retries, rcv_files.rcv_file_id, chunk.chunk_no, replica.replica_number LIMIT 1
            """)
    }
}
