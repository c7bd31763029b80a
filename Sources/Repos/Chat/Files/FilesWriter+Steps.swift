import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Files", Steps.
extension FilesWriter {
    /// Accepts a file that was offered, to be stored at a path. `allowingUnknownServers` says that the user agreed to
    /// servers that are not the profile's. Throws `fileNotFound`, `wrongDirection` and `invalidFileStep`.
    @discardableResult
    public func accept(
        _ id: FileID, to path: String?, localKey: LocalFileKey? = nil, allowingUnknownServers: Bool = false,
        of user: UserID
    ) throws(FilesError) -> ChatFile {
        let file = try get(id, going: .received, of: user)
        try step(file, to: .receiveAccepted)
        try setReceived("to_receive = 1, user_approved_relays = \(allowingUnknownServers)", of: file)
        return try set(
            """
            file_path = \(path), file_crypto_key = \(localKey?.key), file_crypto_nonce = \(localKey?.nonce)
            """, of: file)
    }

    /// Sets the status of a file. Steps lead forward only, and nothing follows an end. An error is an end too: one of
    /// the sides has given up then.
    ///
    /// Throws `fileNotFound` and `invalidFileStep`; nothing has changed then.
    @discardableResult
    public func setStatus(
        _ status: FileTransferStatus, of id: FileID, of user: UserID
    ) throws(FilesError) -> ChatFile {
        let file = try files.get(id, of: user)
        try step(file, to: status)
        return try files.get(id, of: user)
    }

    /// Sets the status of a file for one recipient. Throws `fileNotFound`, `recipientNotFound` and
    /// `invalidRecipientStep`; nothing has changed then.
    public func setStatus(
        _ status: FileStatus, of id: FileID, to connection: ConnectionID, of user: UserID
    ) throws(FilesError) {
        _ = try files.get(id, of: user)
        guard let recipient = try recipient(connection, of: id) else {
            throw .recipientNotFound(connection, file: id)
        }
        guard recipient.status.canBecome(status) else {
            throw .invalidRecipientStep(id, connection, from: recipient.status, to: status)
        }
        try setRecipient("file_status = \(status)", connection, of: id)
    }

    /// Cancels the transfer of a file, or takes back a file that was sent. The agent's part can be removed then; see
    /// `FilesRepo.withAgentFileToDelete(of:limit:)`.
    ///
    /// Throws `fileNotFound`, and `fileAlreadyEnded` for a file that has arrived, has failed or was cancelled.
    @discardableResult
    public func cancel(_ id: FileID, of user: UserID) throws(FilesError) -> ChatFile {
        let file = try files.get(id, of: user)
        let status: FileTransferStatus = file.direction.isSent ? .sendCancelled : .receiveCancelled
        guard !file.isCancelled, file.status?.canBecome(status) ?? true else {
            throw .fileAlreadyEnded(id, file.status)
        }
        try apply(status, to: file)
        return try files.get(id, of: user)
    }

    private func step(_ file: ChatFile, to status: FileTransferStatus) throws(FilesError) {
        // A file of an old store has no status. Every status of its direction is allowed next.
        let isAllowed =
            status.direction == file.direction && !(file.isCancelled && file.status == nil)
            && (file.status?.canBecome(status) ?? true)
        guard isAllowed else { throw .invalidFileStep(file.id, from: file.status, to: status) }
        try apply(status, to: file)
    }

    /// The status of the file, and of its transfer to the profile or to the recipients who do not have it yet.
    private func apply(_ status: FileTransferStatus, to file: ChatFile) throws(FilesError) {
        let isGivenUp = status.isEnded && status != .sendComplete && status != .receiveComplete
        try set("ci_file_status = \(status), cancelled = \(isGivenUp)", of: file)
        if let received = status.received { try setReceived("file_status = \(received)", of: file) }
        if isGivenUp, file.direction.isSent {
            try run(
                """
                UPDATE snd_files SET file_status = \(FileStatus.cancelled), updated_at = \(now)
                WHERE file_id = \(file.id) AND file_status <> \(FileStatus.complete)
                """)
        }
    }
}

extension FilesWriter {
    var files: FilesRepo { FilesRepo(tx) }

    /// The file, if it has the direction of the operation.
    func get(_ id: FileID, going direction: MessageDirection, of user: UserID) throws(FilesError) -> ChatFile {
        let file = try files.get(id, of: user)
        if file.direction != direction { throw .wrongDirection(id, file.direction) }
        return file
    }

    func recipient(_ connection: ConnectionID, of id: FileID) throws(FilesError) -> FileRecipient? {
        try files.first(
            """
            SELECT \(FileRecipient.columns) FROM snd_files
            WHERE file_id = \(id) AND connection_id = \(connection)
            """)
    }

    @discardableResult
    func set(_ columns: Query, of file: ChatFile) throws(FilesError) -> ChatFile {
        try run(
            """
            UPDATE files SET \(columns), updated_at = \(now)
            WHERE file_id = \(file.id) AND user_id = \(file.userID)
            """)
        return try files.get(file.id, of: file.userID)
    }

    @discardableResult
    func setReceived(_ columns: Query, of file: ChatFile) throws(FilesError) -> ChatFile {
        try run("UPDATE rcv_files SET \(columns), updated_at = \(now) WHERE file_id = \(file.id)")
        return try files.get(file.id, of: file.userID)
    }

    func setRecipient(_ columns: Query, _ connection: ConnectionID, of id: FileID) throws(FilesError) {
        try run(
            """
            UPDATE snd_files SET \(columns), updated_at = \(now)
            WHERE file_id = \(id) AND connection_id = \(connection)
            """)
    }

    func insert(_ new: NewFile, status: FileTransferStatus, of user: UserID) throws(FilesError) -> FileID {
        var (contact, group, notes): (ContactID?, GroupID?, NoteFolderID?) = (nil, nil, nil)
        switch new.chat {
        case .contact(let id): contact = id
        case .group(let id): group = id
        case .notes(let id): notes = id
        case nil: break
        }
        let number = newNumber(in: .files)
        return FileID(
            try insert(
                """
                INSERT INTO files (
                    \(number.column)user_id, contact_id, group_id, note_folder_id, chat_item_id, file_name, file_path,
                    file_size, chunk_size, protocol, ci_file_status, file_crypto_key, file_crypto_nonce, created_at,
                    updated_at)
                VALUES (
                    \(number.value)\(user), \(contact), \(group), \(notes), \(new.itemID), \(new.name), \(new.path),
                    \(new.size), \(new.chunkSize), \(new.fileProtocol), \(status), \(new.localKey?.key),
                    \(new.localKey?.nonce), \(now), \(now))
                """, returning: "file_id"))
    }

    // MARK: - Checks

    func check(_ new: NewFile, of user: UserID) throws(FilesError) {
        if new.name.isEmpty { throw .invalidFile("has no name") }
        if new.size < 0 { throw .invalidFile("has a size below 0") }
        if new.chunkSize <= 0 { throw .invalidFile("has chunks of no size") }
        try requireProfile(user)
        if let chat = new.chat, try !exists(chat.ownRow, of: user) { throw .chatNotFound(chat) }
        if let item = new.itemID { try check(item, of: user) }
    }

    func check(_ item: ChatItemID, of user: UserID) throws(FilesError) {
        if try !exists("chat_items WHERE chat_item_id = \(item)", of: user) { throw .chatItemNotFound(item) }
    }

    func check(_ member: GroupMemberID, of user: UserID) throws(FilesError) {
        if try !exists("group_members WHERE group_member_id = \(member)", of: user) { throw .memberNotFound(member) }
    }

    func exists(_ row: Query, of user: UserID) throws(FilesError) -> Bool {
        try files.count("SELECT count(*) FROM \(row) AND user_id = \(user)") > 0
    }
}

extension FileChat {
    /// The table and row of it.
    fileprivate var ownRow: Query {
        switch self {
        case .contact(let id): "contacts WHERE contact_id = \(id) AND is_user = 0"
        case .group(let id): "groups WHERE group_id = \(id)"
        case .notes(let id): "note_folders WHERE note_folder_id = \(id)"
        }
    }
}
