public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The files of a profile. Rule: docs/domain.md, "Files".
public struct FilesRepo: Repository {
    package typealias Failure = FilesError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The file of a profile with a number, or nil.
    public func find(_ id: FileID, of user: UserID) throws(FilesError) -> ChatFile? {
        try first(
            """
            SELECT \(ChatFile.columns) FROM \(ChatFile.tables)
            WHERE files.file_id = \(id) AND files.user_id = \(user)
            """)
    }

    /// The file of a profile with a number. Throws `fileNotFound`.
    public func get(_ id: FileID, of user: UserID) throws(FilesError) -> ChatFile {
        guard let file = try find(id, of: user) else { throw .fileNotFound(id) }
        return file
    }

    /// The file of a profile with the agent's id of a file it sends, or nil; of several, the newest.
    public func find(agentSent agentFile: AgentFileEntityID, of user: UserID) throws(FilesError) -> ChatFile? {
        guard let id = agentFile.text else { return nil }
        return try first(
            """
            SELECT \(ChatFile.columns) FROM \(ChatFile.tables)
            WHERE files.agent_snd_file_id = \(id) AND files.user_id = \(user)
            ORDER BY files.file_id DESC LIMIT 1
            """)
    }

    /// The file of a profile with the agent's id of a file it receives, or nil; of several, the newest.
    public func find(agentReceived agentFile: AgentFileEntityID, of user: UserID) throws(FilesError) -> ChatFile? {
        guard let id = agentFile.text else { return nil }
        return try first(
            """
            SELECT \(ChatFile.columns)
            FROM rcv_files JOIN files ON files.file_id = rcv_files.file_id
            WHERE rcv_files.agent_rcv_file_id = \(id) AND files.user_id = \(user)
            ORDER BY files.file_id DESC LIMIT 1
            """)
    }

    /// Those a file is sent to, by connection. None is an empty list. Throws `fileNotFound`.
    public func recipients(of id: FileID, of user: UserID) throws(FilesError) -> [FileRecipient] {
        _ = try get(id, of: user)
        return try all(
            """
            SELECT \(FileRecipient.columns) FROM snd_files
            WHERE file_id = \(id) ORDER BY connection_id
            """)
    }

    // MARK: - Secrets

    /// The description of a file that is received, as far as it has come, or nil. Throws `fileNotFound`.
    public func description(of id: FileID, of user: UserID) throws(FilesError) -> FileDescription? {
        _ = try get(id, of: user)
        return try first(
            """
            SELECT \(FileDescription.columns) FROM rcv_files
            JOIN xftp_file_descriptions ON xftp_file_descriptions.file_descr_id = rcv_files.file_descr_id
            WHERE rcv_files.file_id = \(id) AND xftp_file_descriptions.user_id = \(user)
            """)
    }

    /// The description of a file that was sent to one recipient, or nil. Throws `fileNotFound`.
    public func description(
        of id: FileID, to connection: ConnectionID, of user: UserID
    ) throws(FilesError) -> FileDescription? {
        _ = try get(id, of: user)
        return try first(
            """
            SELECT \(FileDescription.columns) FROM snd_files
            JOIN xftp_file_descriptions ON xftp_file_descriptions.file_descr_id = snd_files.file_descr_id
            WHERE snd_files.file_id = \(id) AND snd_files.connection_id = \(connection)
                AND xftp_file_descriptions.user_id = \(user)
            """)
    }

    /// The description by which the profile can delete a file it sent from the servers, or nil. Throws `fileNotFound`.
    public func privateDescription(of id: FileID, of user: UserID) throws(FilesError) -> String? {
        let row: Secrets? = try first(Secrets.query(id, user))
        guard let row else { throw .fileNotFound(id) }
        return row.privateDescription
    }

    /// What the copy of a file on this device is encrypted with; nil when it is not. Throws `fileNotFound`.
    public func localKey(of id: FileID, of user: UserID) throws(FilesError) -> LocalFileKey? {
        let row: Secrets? = try first(Secrets.query(id, user))
        guard let row else { throw .fileNotFound(id) }
        return row.localKey
    }
}

private struct Secrets: RowRecord {
    let privateDescription: String?
    let localKey: LocalFileKey?

    static func query(_ id: FileID, _ user: UserID) -> Query {
        """
        SELECT private_snd_file_descr, file_crypto_key, file_crypto_nonce FROM files
        WHERE file_id = \(id) AND user_id = \(user)
        """
    }

    init(row: ResultRow) throws(StoreError) {
        privateDescription = try row.get("private_snd_file_descr")
        let (key, nonce): ([UInt8]?, [UInt8]?) = (try row.get("file_crypto_key"), try row.get("file_crypto_nonce"))
        if let key, let nonce {
            localKey = LocalFileKey(key: key, nonce: nonce)
        } else {
            localKey = nil
        }
    }
}
