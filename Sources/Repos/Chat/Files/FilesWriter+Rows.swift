import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension FilesWriter {
    var files: FilesRepo { FilesRepo(tx) }

    /// The file, when it goes the way the operation is for.
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
        return FileID(
            try insert(
                """
                INSERT INTO files (
                    user_id, contact_id, group_id, note_folder_id, chat_item_id, file_name, file_path, file_size,
                    chunk_size, protocol, ci_file_status, file_crypto_key, file_crypto_nonce, created_at, updated_at)
                VALUES (
                    \(user), \(contact), \(group), \(notes), \(new.itemID), \(new.name), \(new.path), \(new.size),
                    \(new.chunkSize), \(new.fileProtocol), \(status), \(new.localKey?.key), \(new.localKey?.nonce),
                    \(now), \(now))
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
