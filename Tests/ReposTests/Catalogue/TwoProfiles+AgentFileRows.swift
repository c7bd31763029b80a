import ChatDBKit

extension Things {
    /// Being received; the others are received, being decrypted, and given up.
    var receivingFile: AgentReceivedFileID { AgentReceivedFileID(100 + number) }
    var receivedAgentFile: AgentReceivedFileID { AgentReceivedFileID(200 + number) }
    var decryptingFile: AgentReceivedFileID { AgentReceivedFileID(300 + number) }
    var deletedReceivedFile: AgentReceivedFileID { AgentReceivedFileID(400 + number) }
    var receivedReplica: ReceivedReplicaID { ReceivedReplicaID(100 + number) }
    /// Being uploaded; the others are new, being encrypted, and being deleted.
    var uploadingFile: AgentSentFileID { AgentSentFileID(100 + number) }
    var newSentFile: AgentSentFileID { AgentSentFileID(200 + number) }
    var encryptingFile: AgentSentFileID { AgentSentFileID(300 + number) }
    var deletedSentFile: AgentSentFileID { AgentSentFileID(400 + number) }
    var sentReplica: SentReplicaID { SentReplicaID(100 + number) }
}

extension TwoProfiles {
    /// The server of all chunks.
    static let fileServer = FileServer(host: "xftp.example", port: "443", keyHash: "k=")

    /// The file transfers of one profile in the agent database.
    static func agentFileRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        let received = [(100, "receiving", 0), (200, "received", 0), (300, "decrypting", 0), (400, "receiving", 1)]
        let sent = [(100, "uploading", 0), (200, "new", 0), (300, "encrypting", 0), (400, "uploading", 1)]
        return received.map { base, status, deleted in
            """
            INSERT INTO rcv_files (rcv_file_id, rcv_file_entity_id, user_id, size, digest, key, nonce, chunk_size,
                prefix_path, save_path, status, deleted)
            VALUES (\(base + Int(n)), CAST('rcv-\(base)-\(name)' AS BLOB), \(n), 10, x'01', x'02', x'03', 5,
                '/\(name)', '/\(name)/\(base)', '\(status)', \(deleted))
            """
        }
            + sent.map { base, status, deleted in
                """
                INSERT INTO snd_files (snd_file_id, snd_file_entity_id, user_id, path, num_recipients, key, nonce,
                    status, deleted)
                VALUES (\(base + Int(n)), CAST('snd-\(base)-\(name)' AS BLOB), \(n), '/\(name)/\(base)', 2, x'02',
                    x'03', '\(status)', \(deleted))
                """
            } + [
                """
                INSERT INTO rcv_file_chunks (rcv_file_chunk_id, rcv_file_id, chunk_no, chunk_size, digest)
                VALUES (\(100 + n), \(100 + n), 1, 5, x'01'), (\(200 + n), \(100 + n), 2, 5, x'01')
                """,
                """
                INSERT INTO rcv_file_chunk_replicas (rcv_file_chunk_replica_id, rcv_file_chunk_id, replica_number,
                    xftp_server_id, replica_id, replica_key) VALUES
                    (\(100 + n), \(100 + n), 1, 1, CAST('r1-\(name)' AS BLOB), x'01'),
                    (\(200 + n), \(200 + n), 1, 1, CAST('r2-\(name)' AS BLOB), x'01')
                """,
                """
                INSERT INTO snd_file_chunks (snd_file_chunk_id, snd_file_id, chunk_no, chunk_offset, chunk_size, digest)
                VALUES (\(100 + n), \(100 + n), 1, 0, 5, x'01')
                """,
                """
                INSERT INTO snd_file_chunk_replicas (snd_file_chunk_replica_id, snd_file_chunk_id, replica_number,
                    xftp_server_id, replica_id, replica_key, replica_status)
                VALUES (\(100 + n), \(100 + n), 1, 1, CAST('s1-\(name)' AS BLOB), x'01', 'created')
                """,
                """
                INSERT INTO snd_file_chunk_replica_recipients (snd_file_chunk_replica_id, rcv_replica_id,
                    rcv_replica_key)
                VALUES (\(100 + n), CAST('a1-\(name)' AS BLOB), x'01')
                """,
            ]
    }
}
