public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The files of a profile. Rule: docs/domain.md, "Files".
public struct FilesRepo: Repository {
    package typealias Failure = FilesError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
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

    /// The recipients of a file, by connection. The list is empty when there are none. Throws `fileNotFound`.
    public func recipients(of id: FileID, of user: UserID) throws(FilesError) -> [FileRecipient] {
        _ = try get(id, of: user)
        return try all(
            """
            SELECT \(FileRecipient.columns) FROM snd_files
            WHERE file_id = \(id) ORDER BY connection_id
            """)
    }

    /// The reception of a file, or nil for a file that the profile sends. Throws `fileNotFound`.
    public func reception(of id: FileID, of user: UserID) throws(FilesError) -> FileReception? {
        _ = try get(id, of: user)
        return try first("SELECT \(FileReception.columns) FROM rcv_files WHERE file_id = \(id)")
    }

    /// The files of a profile that the user accepted and whose transfer has not begun, by number; at most `limit`. An
    /// app that starts receives them. The list is empty when there are none.
    public func toReceive(of user: UserID, limit: Int = 100) throws(FilesError) -> [ChatFile] {
        try all(
            """
            SELECT \(ChatFile.columns) FROM files JOIN rcv_files ON rcv_files.file_id = files.file_id
            WHERE files.user_id = \(user) AND files.ci_file_status = \(FileTransferStatus.receiveAccepted)
                AND rcv_files.to_receive = 1
            ORDER BY files.file_id
            LIMIT \(number: PageSize.atLeastOne(limit))
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

    /// The key of the copy of a file on this device; nil when the copy is not encrypted. Throws `fileNotFound`.
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

/// Rule: docs/domain.md, "Files", Clean-up.
extension FilesRepo {
    /// The files of a profile that no item shows any longer, created before a time, by number; at most `limit`. Remove
    /// their content on this device, and then the rows by `FilesWriter.delete`. The time leaves out a file whose item
    /// is still being created. The list is empty when there are none.
    public func toCleanUp(
        of user: UserID, madeBefore time: StoredTime, limit: Int = 100
    ) throws(FilesError) -> [ChatFile] {
        try all(
            """
            SELECT \(ChatFile.columns) FROM \(ChatFile.tables)
            WHERE files.user_id = \(user) AND files.chat_item_id IS NULL AND files.created_at < \(time.text)
            ORDER BY files.file_id
            LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }

    /// The files of a profile whose transfer is over while the agent still has its part of them, by number; at most
    /// `limit`. A sent file that was not cancelled is left out, because its recipients may still need it. The list is
    /// empty when there are none.
    public func withAgentFileToDelete(of user: UserID, limit: Int = 100) throws(FilesError) -> [ChatFile] {
        try all(
            """
            SELECT \(ChatFile.columns) FROM \(ChatFile.tables)
            WHERE files.user_id = \(user) AND (
                (rcv_files.agent_rcv_file_id IS NOT NULL AND rcv_files.agent_rcv_file_deleted = 0
                    AND rcv_files.file_status IN (\(FileStatus.complete), \(FileStatus.cancelled)))
                OR (files.agent_snd_file_id IS NOT NULL AND files.agent_snd_file_deleted = 0 AND files.cancelled = 1))
            ORDER BY files.file_id
            LIMIT \(number: PageSize.atLeastOne(limit))
            """)
    }
}

extension ChatFile: RowRecord {
    static let columns: Query = """
        files.file_id, files.user_id, files.contact_id, files.group_id, files.note_folder_id, files.chat_item_id,
        files.file_name, files.file_path, files.file_size, files.chunk_size, files.protocol, files.ci_file_status,
        files.cancelled, files.agent_snd_file_id, files.agent_snd_file_deleted,
        CASE WHEN rcv_files.file_id IS NULL THEN 0 ELSE 1 END AS is_received,
        rcv_files.agent_rcv_file_id, rcv_files.agent_rcv_file_deleted, rcv_files.group_member_id AS sender_id
        """

    /// A file that is received has a row of `rcv_files`, one that is sent has none.
    static let tables: Query = "files LEFT JOIN rcv_files ON rcv_files.file_id = files.file_id"

    package init(row: ResultRow) throws(StoreError) {
        let isReceived: Bool = try row.get("is_received")
        let isAgentFileDeleted: Bool? = try row.get(isReceived ? "agent_rcv_file_deleted" : "agent_snd_file_deleted")
        let agentID: String? = try row.get(isReceived ? "agent_rcv_file_id" : "agent_snd_file_id")
        try self.init(
            id: row.get("file_id"), userID: row.get("user_id"), chat: row.fileChat(), itemID: row.get("chat_item_id"),
            name: row.get("file_name"), path: row.get("file_path"), size: row.get("file_size"),
            chunkSize: row.get("chunk_size"), fileProtocol: row.get("protocol"),
            direction: isReceived ? .received : .sent, status: row.get("ci_file_status"),
            isCancelled: row.get("cancelled"),
            agentID: agentID.map { AgentFileEntityID(text: $0) },
            isAgentFileDeleted: isAgentFileDeleted ?? false, sender: row.get("sender_id"))
    }
}

extension ResultRow {
    fileprivate func fileChat() throws(StoreError) -> FileChat? {
        if let id: ContactID = try get("contact_id") { return .contact(id) }
        if let id: GroupID = try get("group_id") { return .group(id) }
        if let id: NoteFolderID = try get("note_folder_id") { return .notes(id) }
        return nil
    }
}

extension FileReception: RowRecord {
    static let columns: Query = "file_id, file_status, to_receive, user_approved_relays"

    package init(row: ResultRow) throws(StoreError) {
        let isAccepted: Bool? = try row.get("to_receive")
        try self.init(
            fileID: row.get("file_id"), status: row.get("file_status"), isAccepted: isAccepted ?? false,
            allowsUnknownServers: row.get("user_approved_relays"))
    }
}

extension FileRecipient: RowRecord {
    static let columns: Query = """
        snd_files.file_id, snd_files.connection_id, snd_files.group_member_id, snd_files.file_status,
        snd_files.file_descr_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            fileID: row.get("file_id"), connectionID: row.get("connection_id"), memberID: row.get("group_member_id"),
            status: row.get("file_status"), descriptionID: row.get("file_descr_id"))
    }
}

extension FileDescription: RowRecord {
    static let columns: Query = """
        xftp_file_descriptions.file_descr_id, xftp_file_descriptions.file_descr_text,
        xftp_file_descriptions.file_descr_part_no, xftp_file_descriptions.file_descr_complete
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("file_descr_id"), text: row.get("file_descr_text"), lastPart: row.get("file_descr_part_no"),
            isComplete: row.get("file_descr_complete"))
    }
}
