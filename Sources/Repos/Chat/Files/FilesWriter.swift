public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A file that is to be stored.
public struct NewFile: Sendable, Hashable {
    /// The name it is shown with.
    public var name: String
    /// Its size, in bytes.
    public var size: Int64
    /// The size of a chunk, in bytes.
    public var chunkSize: Int64
    /// The way of the transfer.
    public var fileProtocol: FileProtocol
    /// The chat it is in, or nil.
    public var chat: FileChat?
    /// The item that shows it, or nil when that is still to be made.
    public var itemID: ChatItemID?
    /// The path on this device, or nil.
    public var path: String?
    /// The key of its copy on this device; nil when the copy is not encrypted.
    public var localKey: LocalFileKey?

    /// A file that is to be stored.
    public init(
        name: String, size: Int64, chunkSize: Int64, fileProtocol: FileProtocol = .xftp, chat: FileChat? = nil,
        itemID: ChatItemID? = nil, path: String? = nil, localKey: LocalFileKey? = nil
    ) {
        self.name = name
        self.size = size
        self.chunkSize = chunkSize
        self.fileProtocol = fileProtocol
        self.chat = chat
        self.itemID = itemID
        self.path = path
        self.localKey = localKey
    }
}

/// Changes to the files of a profile. Rule: docs/domain.md, "Files".
public struct FilesWriter: Writer {
    package typealias Failure = FilesError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Stores a file that is to be sent; its recipients follow by `addRecipient`.
    ///
    /// Throws `invalidFile`, `profileNotFound`, `chatNotFound` and `chatItemNotFound`; nothing has changed then.
    public func createSent(_ new: NewFile, of user: UserID) throws(FilesError) -> ChatFile {
        try check(new, of: user)
        return try files.get(insert(new, status: .sendStored, of: user), of: user)
    }

    /// Stores a file that was offered to the profile, by a contact or by a member of a group.
    ///
    /// Throws `invalidFile`, `profileNotFound`, `chatNotFound`, `chatItemNotFound` and `memberNotFound`; nothing has
    /// changed then.
    public func createReceived(
        _ new: NewFile, from member: GroupMemberID? = nil, of user: UserID
    ) throws(FilesError) -> ChatFile {
        try check(new, of: user)
        if let member { try check(member, of: user) }
        let id = try insert(new, status: .receiveInvitation, of: user)
        try run(
            """
            INSERT INTO rcv_files (file_id, file_status, group_member_id, created_at, updated_at)
            VALUES (\(id), \(FileStatus.new), \(member), \(now), \(now))
            """)
        return try files.get(id, of: user)
    }

    /// Sends a file over one more connection, to a contact or to a member. Throws `fileNotFound`, `wrongDirection`,
    /// `fileAlreadyEnded`, `recipientNotFound` for a connection the profile does not have, `memberNotFound` and
    /// `duplicateRecipient`.
    @discardableResult
    public func addRecipient(
        _ connection: ConnectionID, member: GroupMemberID? = nil, to id: FileID, of user: UserID
    ) throws(FilesError) -> FileRecipient {
        let file = try get(id, going: .sent, of: user)
        if file.isCancelled { throw .fileAlreadyEnded(id, file.status) }
        if try !exists("connections WHERE connection_id = \(connection)", of: user) {
            throw .recipientNotFound(connection, file: id)
        }
        if let member { try check(member, of: user) }
        if try recipient(connection, of: id) != nil { throw .duplicateRecipient(connection, file: id) }
        try run(
            """
            INSERT INTO snd_files (file_id, connection_id, file_status, group_member_id, created_at, updated_at)
            VALUES (\(id), \(connection), \(FileStatus.new), \(member), \(now), \(now))
            """)
        return FileRecipient(
            fileID: id, connectionID: connection, memberID: member, status: .new, descriptionID: nil)
    }

    /// Stores the item that shows a file. Throws `fileNotFound` and `chatItemNotFound`.
    @discardableResult
    public func setItem(_ item: ChatItemID, of id: FileID, of user: UserID) throws(FilesError) -> ChatFile {
        let file = try files.get(id, of: user)
        try check(item, of: user)
        return try set("chat_item_id = \(item)", of: file)
    }

    /// Stores the agent's id of a file, which the agent sends or receives from now on. Throws `fileNotFound`, and
    /// `invalidFile` for an id that is no text.
    @discardableResult
    public func setAgentFile(_ agentFile: AgentFileEntityID, of id: FileID, of user: UserID) throws(FilesError)
        -> ChatFile
    {
        let file = try files.get(id, of: user)
        guard let agentID = agentFile.text, !agentID.isEmpty else {
            throw .invalidFile("\(id) cannot have an id of the agent that is not text")
        }
        switch file.direction {
        case .sent: return try set("agent_snd_file_id = \(agentID), agent_snd_file_deleted = 0", of: file)
        case .received: return try setReceived("agent_rcv_file_id = \(agentID), agent_rcv_file_deleted = 0", of: file)
        }
    }

    /// Marks the agent's part of a file as removed. Throws `fileNotFound`.
    @discardableResult
    public func setAgentFileDeleted(_ id: FileID, of user: UserID) throws(FilesError) -> ChatFile {
        let file = try files.get(id, of: user)
        switch file.direction {
        case .sent: return try set("agent_snd_file_deleted = 1", of: file)
        case .received: return try setReceived("agent_rcv_file_deleted = 1", of: file)
        }
    }

    /// Removes the rows of a file, with its descriptions. The caller removes its content on this device before. Returns
    /// the file as it was, and the connections that carried it. Throws `fileNotFound`.
    @discardableResult
    public func delete(_ id: FileID, of user: UserID) throws(FilesError) -> DeletedFile {
        let file = try files.get(id, of: user)
        let connections: [ChatConnection] = try files.all(
            """
            SELECT \(ChatConnection.columns) FROM connections
            WHERE connection_id IN (\(FilesRepo.connections(carrying: "SELECT \(id)"))) AND +user_id = \(user)
            ORDER BY connection_id
            """)
        try run(
            """
            DELETE FROM xftp_file_descriptions
            WHERE user_id = \(user) AND file_descr_id IN (
                SELECT file_descr_id FROM rcv_files WHERE file_id = \(id)
                UNION ALL
                SELECT file_descr_id FROM snd_files WHERE file_id = \(id))
            """)
        try run("DELETE FROM files WHERE file_id = \(id) AND user_id = \(user)")
        return DeletedFile(file: file, connections: connections.map(\.agentID))
    }
}

extension FilesError: ProfileScopedError {}

/// A deleted file, and the connections that are left to delete. Rule: docs/domain.md, "Files".
public struct DeletedFile: Sendable, Hashable {
    /// The file as it was.
    public let file: ChatFile
    /// The connections of the agent that carried it, which the agent is to delete, by number: only files sent the old
    /// way have connections of their own.
    public let connections: [AgentConnectionID]
}

extension FilesRepo {
    /// A SELECT of the connections that carry one of some files, whose numbers a SELECT gives. One with OR would read all
    /// connections of a server.
    static func connections(carrying files: Query) -> Query {
        """
        SELECT connection_id FROM connections WHERE snd_file_id IN (\(files))
        UNION ALL SELECT connection_id FROM connections WHERE rcv_file_id IN (\(files))
        """
    }
}

extension Writer {
    /// Removes the descriptions for the recipients at some connections, whose numbers a SELECT gives. The rows of the
    /// recipients are removed with the connections, and after that nothing would refer to the descriptions.
    func deleteDescriptions(forRecipientsAt connections: Query, of user: UserID) throws(Failure) {
        try run(
            """
            DELETE FROM xftp_file_descriptions
            WHERE user_id = \(user) AND file_descr_id IN (
                SELECT file_descr_id FROM snd_files WHERE connection_id IN (\(connections)))
            """)
    }
}

/// Rule: docs/domain.md, "Files", Descriptions.
extension FilesWriter {
    /// Adds a part to the description of a file that is received. Parts are numbered from 0 and come in order; the last
    /// one completes the description. Returns the description so far.
    ///
    /// Throws `fileNotFound`, `wrongDirection` and `invalidDescriptionPart`; nothing has changed then.
    @discardableResult
    public func addDescriptionPart(
        _ text: String, number: Int, isComplete: Bool, of id: FileID, of user: UserID
    ) throws(FilesError) -> FileDescription {
        let file = try get(id, going: .received, of: user)
        guard let old = try files.description(of: id, of: user) else {
            if number != 0 { throw .invalidDescriptionPart(id, part: number, expected: 0) }
            let description = try insertDescription(text, isComplete: isComplete, of: user)
            try setReceived("file_descr_id = \(description)", of: file)
            return FileDescription(id: description, text: text, lastPart: 0, isComplete: isComplete)
        }
        // No number follows the highest.
        let (next, isOver) = old.lastPart.addingReportingOverflow(1)
        let expected = old.isComplete || isOver ? nil : next
        if number != expected { throw .invalidDescriptionPart(id, part: number, expected: expected) }
        try run(
            """
            UPDATE xftp_file_descriptions
            SET file_descr_text = file_descr_text || \(text), file_descr_part_no = \(number),
                file_descr_complete = \(isComplete), updated_at = \(now)
            WHERE file_descr_id = \(old.id) AND user_id = \(user)
            """)
        return FileDescription(id: old.id, text: old.text + text, lastPart: number, isComplete: isComplete)
    }

    /// Stores the whole description for one recipient, in the place of an earlier one. Throws `fileNotFound` and
    /// `recipientNotFound`.
    @discardableResult
    public func setDescription(
        _ text: String, of id: FileID, to connection: ConnectionID, of user: UserID
    ) throws(FilesError) -> FileDescription {
        _ = try files.get(id, of: user)
        guard let recipient = try recipient(connection, of: id) else {
            throw .recipientNotFound(connection, file: id)
        }
        let description = try insertDescription(text, isComplete: true, of: user)
        try setRecipient("file_descr_id = \(description)", connection, of: id)
        if let old = recipient.descriptionID {
            try run("DELETE FROM xftp_file_descriptions WHERE file_descr_id = \(old) AND user_id = \(user)")
        }
        return FileDescription(id: description, text: text, lastPart: 0, isComplete: true)
    }

    /// Stores the description by which the profile can delete a file it sent from the servers. Throws `fileNotFound`
    /// and `wrongDirection`.
    public func setPrivateDescription(_ text: String, of id: FileID, of user: UserID) throws(FilesError) {
        try set("private_snd_file_descr = \(text)", of: get(id, going: .sent, of: user))
    }

    private func insertDescription(
        _ text: String, isComplete: Bool, of user: UserID
    ) throws(FilesError) -> FileDescriptionID {
        let number = newNumber(in: .fileDescriptions)
        return FileDescriptionID(
            try insert(
                """
                INSERT INTO xftp_file_descriptions (
                    \(number.column)user_id, file_descr_text, file_descr_part_no, file_descr_complete, created_at,
                    updated_at)
                VALUES (\(number.value)\(user), \(text), 0, \(isComplete), \(now), \(now))
                """, returning: "file_descr_id"))
    }
}
