extension Catalogue {
    /// File transfers (XFTP): files, their chunks, and the replicas of each chunk on servers.
    static let agentFiles: [CatalogueTable] =
        [
            CatalogueTable(
                "xftp_servers", "A file server (XFTP) with replicas of any of the profiles.",
                [
                    .public("xftp_server_id", "the server's number"),
                    .personal("xftp_host", "host name, or several separated by commas, as in the server's address"),
                    .personal("xftp_port", "port as text"),
                    .personal("xftp_key_hash", "hash of the server's identity key, base64url with padding"),
                    .public("created_at", "when the row was made, UTC"),
                    .public("updated_at", "when the row was last changed, UTC"),
                ])
        ] + agentReceivedFiles + agentSentFiles

    private static let agentReceivedFiles: [CatalogueTable] = [
        CatalogueTable(
            "rcv_files", "A file that is received, or was.",
            [
                .public("rcv_file_id", "the file's number"),
                .personal("rcv_file_entity_id", "the file's id; rcv_files.agent_rcv_file_id of the chat database"),
                .public("user_id", "the profile that receives it"),
                .personal("size", "size of the encrypted file, in bytes"),
                .secret("digest", "digest of the encrypted file"),
                .secret("key", "key of the file"),
                .secret("nonce", "nonce of the file's encryption"),
                .public("chunk_size", "size of a chunk, in bytes"),
                .personal("prefix_path", "folder for this transfer"),
                .personal("tmp_path", "folder of the chunks; NULL once they are put together"),
                .personal("save_path", "where the decrypted file goes"),
                .public("status", "how far the transfer is"),
                .personal("error", "why the transfer failed, or NULL"),
                .public("deleted", "1 once the transfer is given up, until its files are removed"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_file_chunks", "A part of a received file.",
            [
                .public("rcv_file_chunk_id", "the chunk's number"),
                .public("rcv_file_id", "the file it is a part of"),
                .public("chunk_no", "its place in the file"),
                .public("chunk_size", "its size, in bytes"),
                .secret("digest", "its digest"),
                .personal("tmp_path", "where it is kept until the file is complete; NULL until received"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "rcv_file_chunk_replicas", "A copy of a chunk on one server, from which it can be received.",
            [
                .public("rcv_file_chunk_replica_id", "the replica's number"),
                .public("rcv_file_chunk_id", "the chunk it is a copy of"),
                .public("replica_number", "in which order replicas are tried"),
                .public("xftp_server_id", "the server it is on"),
                .personal("replica_id", "its id at the server"),
                .secret("replica_key", "the key that authorizes receiving it"),
                .public("received", "1 once it is received"),
                .public("delay", "how long to wait before the next attempt, in microseconds, or NULL"),
                .public("retries", "how often it was tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]

    private static let agentSentFiles: [CatalogueTable] = [
        CatalogueTable(
            "snd_files", "A file that is sent, or was.",
            [
                .public("snd_file_id", "the file's number"),
                .personal("snd_file_entity_id", "the file's id; files.agent_snd_file_id of the chat database"),
                .public("user_id", "the profile that sends it"),
                .personal("path", "the file to send"),
                .personal("prefix_path", "folder for this transfer, or NULL"),
                .public("num_recipients", "for how many recipients replicas are made"),
                .secret("digest", "digest of the encrypted file; NULL until encrypted"),
                .secret("key", "key of the file"),
                .secret("nonce", "nonce of the file's encryption"),
                .public("status", "how far the transfer is"),
                .personal("error", "why the transfer failed, or NULL"),
                .public("deleted", "1 while its replicas are being deleted at their servers"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_file_chunks", "A part of a sent file.",
            [
                .public("snd_file_chunk_id", "the chunk's number"),
                .public("snd_file_id", "the file it is a part of"),
                .public("chunk_no", "its place in the file"),
                .public("chunk_offset", "where it begins in the encrypted file, in bytes"),
                .public("chunk_size", "its size, in bytes"),
                .secret("digest", "its digest"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_file_chunk_replicas", "A copy of a chunk on one server, uploaded or to be.",
            [
                .public("snd_file_chunk_replica_id", "the replica's number"),
                .public("snd_file_chunk_id", "the chunk it is a copy of"),
                .public("replica_number", "which of the chunk's replicas it is"),
                .public("xftp_server_id", "the server it is on"),
                .personal("replica_id", "its id at the server, for the sender"),
                .secret("replica_key", "the sender's key, which authorizes uploading and deleting it"),
                .public("replica_status", "how far it is"),
                .public("delay", "how long to wait before the next attempt, in microseconds, or NULL"),
                .public("retries", "how often it was tried again"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "snd_file_chunk_replica_recipients", "One recipient's access to a replica.",
            [
                .public("snd_file_chunk_replica_recipient_id", "the row's number"),
                .public("snd_file_chunk_replica_id", "the replica"),
                .personal("rcv_replica_id", "the replica's id at the server, for this recipient"),
                .secret("rcv_replica_key", "the recipient's key, which authorizes receiving it"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
