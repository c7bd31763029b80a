package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension AgentReceivedFile: RowRecord {
    static let columns: Query = """
        rcv_files.rcv_file_id, rcv_files.rcv_file_entity_id, rcv_files.user_id, rcv_files.key, rcv_files.nonce,
        rcv_files.digest, rcv_files.size, rcv_files.chunk_size, rcv_files.prefix_path, rcv_files.tmp_path,
        rcv_files.save_path, rcv_files.status, rcv_files.error, rcv_files.deleted
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("rcv_file_id"), entityID: row.get("rcv_file_entity_id"), userID: row.get("user_id"),
            encryption: FileEncryption(key: row.get("key"), nonce: row.get("nonce")), digest: row.get("digest"),
            size: row.get("size"), chunkSize: row.get("chunk_size"), prefixPath: row.get("prefix_path"),
            temporaryPath: row.get("tmp_path"), savePath: row.get("save_path"), status: row.get("status"),
            error: row.get("error"), isDeleted: row.get("deleted"))
    }
}

extension AgentSentFile: RowRecord {
    static let columns: Query = """
        snd_files.snd_file_id, snd_files.snd_file_entity_id, snd_files.user_id, snd_files.key, snd_files.nonce,
        snd_files.digest, snd_files.path, snd_files.prefix_path, snd_files.num_recipients, snd_files.status,
        snd_files.error, snd_files.deleted
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("snd_file_id"), entityID: row.get("snd_file_entity_id"), userID: row.get("user_id"),
            encryption: FileEncryption(key: row.get("key"), nonce: row.get("nonce")), digest: row.get("digest"),
            path: row.get("path"), prefixPath: row.get("prefix_path"), recipients: row.get("num_recipients"),
            status: row.get("status"), error: row.get("error"), isDeleted: row.get("deleted"))
    }
}

extension FileReplica {
    static let serverColumns: Query = "xftp_servers.xftp_host, xftp_servers.xftp_port, xftp_servers.xftp_key_hash"

    fileprivate init(row: ResultRow) throws(StoreError) {
        try self.init(
            server: FileServer(
                host: row.get("xftp_host"), port: row.get("xftp_port"), keyHash: row.get("xftp_key_hash")),
            id: row.get("replica_id"), key: row.get("replica_key"))
    }
}

extension ReceivedChunk: RowRecord {
    static let columns: Query = "chunk_no, chunk_size, digest, tmp_path"

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            chunk: row.get("chunk_no"), size: row.get("chunk_size"), digest: row.get("digest"),
            path: row.get("tmp_path"))
    }
}

extension ChunkToReceive: RowRecord {
    static let columns: Query = """
        replica.rcv_file_chunk_replica_id, rcv_files.rcv_file_id, rcv_files.user_id, chunk.chunk_no,
        chunk.chunk_size AS size, chunk.digest, replica.replica_id, replica.replica_key, replica.delay,
        replica.retries, \(FileReplica.serverColumns)
        """

    static let tables: Query = """
        rcv_file_chunk_replicas replica
        JOIN rcv_file_chunks chunk ON chunk.rcv_file_chunk_id = replica.rcv_file_chunk_id
        JOIN rcv_files ON rcv_files.rcv_file_id = chunk.rcv_file_id
        JOIN xftp_servers ON xftp_servers.xftp_server_id = replica.xftp_server_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("rcv_file_chunk_replica_id"), fileID: row.get("rcv_file_id"), userID: row.get("user_id"),
            chunk: row.get("chunk_no"), size: row.get("size"), digest: row.get("digest"),
            replica: FileReplica(row: row), delay: row.get("delay"), retries: row.get("retries"))
    }
}

extension ChunkToUpload: RowRecord {
    static let columns: Query = """
        replica.snd_file_chunk_replica_id, snd_files.snd_file_id, snd_files.user_id, chunk.chunk_no,
        chunk.chunk_offset, chunk.chunk_size AS size, chunk.digest, replica.replica_id, replica.replica_key,
        replica.delay, replica.retries, \(FileReplica.serverColumns)
        """

    static let tables: Query = """
        snd_file_chunk_replicas replica
        JOIN snd_file_chunks chunk ON chunk.snd_file_chunk_id = replica.snd_file_chunk_id
        JOIN snd_files ON snd_files.snd_file_id = chunk.snd_file_id
        JOIN xftp_servers ON xftp_servers.xftp_server_id = replica.xftp_server_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("snd_file_chunk_replica_id"), fileID: row.get("snd_file_id"), userID: row.get("user_id"),
            chunk: row.get("chunk_no"), offset: row.get("chunk_offset"), size: row.get("size"),
            digest: row.get("digest"), replica: FileReplica(row: row), delay: row.get("delay"),
            retries: row.get("retries"))
    }
}

extension ReplicaRecipient: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(id: row.get("rcv_replica_id"), key: row.get("rcv_replica_key"))
    }
}
