import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Files", Descriptions.
extension FilesWriter {
    /// Adds a part to the description of a file that is received. Parts are numbered from 0 and come in order; the last
    /// one says that it is complete. Answers the description so far.
    ///
    /// Throws `fileNotFound`, `wrongDirection` and `invalidDescriptionPart`, and then has changed nothing.
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
        // After the highest number comes none.
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

    /// Stores the description that goes to one recipient, whole, in place of the one there was. Throws `fileNotFound`
    /// and `recipientNotFound`.
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

    /// Stores the description by which the profile can delete a file it sent from the servers. Throws `fileNotFound` and
    /// `wrongDirection`.
    public func setPrivateDescription(_ text: String, of id: FileID, of user: UserID) throws(FilesError) {
        try set("private_snd_file_descr = \(text)", of: get(id, going: .sent, of: user))
    }

    private func insertDescription(
        _ text: String, isComplete: Bool, of user: UserID
    ) throws(FilesError) -> FileDescriptionID {
        FileDescriptionID(
            try insert(
                """
                INSERT INTO xftp_file_descriptions (
                    user_id, file_descr_text, file_descr_part_no, file_descr_complete, created_at, updated_at)
                VALUES (\(user), \(text), 0, \(isComplete), \(now), \(now))
                """, returning: "file_descr_id"))
    }
}
