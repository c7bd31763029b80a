import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Agent database", Files.
extension AgentSentFilesWriter {
    /// Notes that a file will not be sent, and why. Throws `sentFileNotFound`, and `wrongStatus` for one that is
    /// complete or has failed.
    public func failed(_ id: AgentSentFileID, _ reason: String, of user: AgentUserID) throws(AgentFilesError) {
        try require(id, of: user) { $0.mayBecome(.error) }
        try change(id, "status = \(AgentSentFileStatus.error), error = \(reason)")
    }

    /// Marks a file as deleted: what follows is to delete its replicas at their servers. Throws `sentFileNotFound`,
    /// for one that is marked already too.
    public func markDeleted(_ id: AgentSentFileID, of user: AgentUserID) throws(AgentFilesError) {
        _ = try AgentSentFilesRepo(tx).get(id, of: user)
        try change(id, "deleted = 1")
    }

    /// Removes the row of a file that is marked as deleted, with its chunks, replicas and recipients. Throws
    /// `sentFileNotFound` and `notMarkedDeleted`.
    public func remove(_ id: AgentSentFileID, of user: AgentUserID) throws(AgentFilesError) {
        let file = try AgentSentFilesRepo(tx).get(id, of: user, includingDeleted: true)
        if !file.isDeleted { throw .notMarkedDeleted(.sent(id)) }
        try run("DELETE FROM snd_files WHERE snd_file_id = \(id)")
    }

    func require(
        _ id: AgentSentFileID, of user: AgentUserID, _ isRight: (AgentSentFileStatus) -> Bool
    ) throws(AgentFilesError) {
        let file = try AgentSentFilesRepo(tx).get(id, of: user)
        if !isRight(file.status) { throw .wrongStatus(.sent(id), status: file.status.text) }
    }

    func change(_ id: AgentSentFileID, _ assignments: Query) throws(AgentFilesError) {
        try run("UPDATE snd_files SET \(assignments), updated_at = \(now) WHERE snd_file_id = \(id)")
    }
}
