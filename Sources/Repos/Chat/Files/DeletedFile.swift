import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// A file whose rows are gone, and what is left to do elsewhere.
/// Rule: docs/domain.md, "Files".
public struct DeletedFile: Sendable, Hashable {
    /// The file as it was.
    public let file: ChatFile
    /// The connections of the agent that carried it, which the agent is to delete, by number: only files sent the old
    /// way have connections of their own.
    public let connections: [AgentConnectionID]
}

extension FilesRepo {
    /// The condition that a connection carries one of some files, whose numbers a SELECT gives.
    static func carries(_ files: Query) -> Query {
        "(connections.snd_file_id IN (\(files)) OR connections.rcv_file_id IN (\(files)))"
    }
}

extension Writer {
    /// Removes the descriptions that were made for the recipients at some connections, whose numbers a SELECT gives: the
    /// recipients' rows go with the connections, and would only lose what leads to these.
    func deleteDescriptions(forRecipientsAt connections: Query, of user: UserID) throws(Failure) {
        try run(
            """
            DELETE FROM xftp_file_descriptions
            WHERE user_id = \(user) AND file_descr_id IN (
                SELECT file_descr_id FROM snd_files WHERE connection_id IN (\(connections)))
            """)
    }
}
