/// The id by which the app knows a file of the agent: `rcv_file_entity_id` or `snd_file_entity_id`.
public typealias AgentFileEntityID = BytesID<AgentFileRow>

/// A row of `rcv_files` or `snd_files` in the agent database. It has no values: it only sets
/// ``AgentFileEntityID`` apart.
public enum AgentFileRow {}

/// The id of a copy of a chunk at its file server: `replica_id`.
public typealias FileReplicaID = BytesID<FileReplica>

/// The number of a file server (XFTP): `xftp_servers.xftp_server_id`.
public typealias FileServerID = RowID<FileServer>

/// The key and nonce of an encrypted file.
public struct FileEncryption: Sendable, Hashable {
    /// The key.
    public let key: SecretBytes
    /// The nonce.
    public let nonce: SecretBytes

    /// A key and a nonce.
    public init(key: SecretBytes, nonce: SecretBytes) {
        self.key = key
        self.nonce = nonce
    }
}

/// A copy of a chunk on a file server.
public struct FileReplica: Sendable, Hashable {
    /// The server.
    public let server: FileServer
    /// Its id there.
    public let id: FileReplicaID
    /// The key that authorizes commands for it.
    public let key: SecretBytes

    /// A copy at a server.
    public init(server: FileServer, id: FileReplicaID, key: SecretBytes) {
        self.server = server
        self.id = id
        self.key = key
    }
}

/// A file server (XFTP) in the agent database. With another certificate it is another server.
public struct FileServer: Sendable, Hashable {
    /// Host name, or several separated by commas.
    public let host: String
    /// Port as text.
    public let port: String
    /// The hash of its certificate, base64url with padding.
    public let keyHash: String

    /// A server. The key hash may be given without its padding.
    public init(host: String, port: String, keyHash: String) {
        self.host = host
        self.port = port
        self.keyHash = ServerKeyHash.text(keyHash)
    }
}

/// Whether a status is before another in the order of a transfer; false for one that this build does not know.
func isForward<Status: Equatable>(from: Status, to: Status, in order: [Status]) -> Bool {
    guard let from = order.firstIndex(of: from), let to = order.firstIndex(of: to) else { return false }
    return from < to
}

extension CatalogueTable {
    /// The file servers (XFTP) of all profiles.
    static let agentFileServers: [CatalogueTable] = [
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
    ]
}
