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

    /// Notes how far a file is. Only steps that a file can take are taken: forward, and nothing after an end. An error
    /// is an end too: either side has given up then.
    ///
    /// Throws `fileNotFound` and `invalidFileStep`, and then has changed nothing.
    @discardableResult
    public func setStatus(
        _ status: FileTransferStatus, of id: FileID, of user: UserID
    ) throws(FilesError) -> ChatFile {
        let file = try files.get(id, of: user)
        try step(file, to: status)
        return try files.get(id, of: user)
    }

    /// Notes how far a file is on its way to one recipient. Throws `fileNotFound`, `recipientNotFound` and
    /// `invalidRecipientStep`, and then has changed nothing.
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

    /// Gives up a file that is on its way, or takes back one that was sent. What the agent has of it can go then; see
    /// `FilesRepo.withAgentFileToDelete(of:limit:)`.
    ///
    /// Throws `fileNotFound` and `fileAlreadyEnded`: what has arrived, has failed or was given up cannot be.
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
        // A file of an old store has no status: it takes any of its direction.
        let isAllowed =
            status.direction == file.direction && !(file.isCancelled && file.status == nil)
            && (file.status?.canBecome(status) ?? true)
        guard isAllowed else { throw .invalidFileStep(file.id, from: file.status, to: status) }
        try apply(status, to: file)
    }

    /// The status of the file, and of its way to the profile or to the recipients who do not have it.
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
