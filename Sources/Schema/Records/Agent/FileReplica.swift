/// A copy of a chunk on a file server.
public struct FileReplica: Sendable, Hashable {
    /// The server.
    public let server: FileServer
    /// Its id there.
    public let id: FileReplicaID
    /// The key that authorizes what is done with it.
    public let key: SecretBytes

    /// A copy at a server.
    public init(server: FileServer, id: FileReplicaID, key: SecretBytes) {
        self.server = server
        self.id = id
        self.key = key
    }
}

/// A file server (XFTP) as the agent database knows it: with another certificate it is another.
public struct FileServer: Sendable, Hashable {
    /// Host name, or several separated by commas.
    public let host: String
    /// Port as text.
    public let port: String
    /// The hash of its certificate, base64url with padding.
    public let keyHash: String

    /// A server.
    public init(host: String, port: String, keyHash: String) {
        self.host = host
        self.port = port
        self.keyHash = keyHash
    }
}
