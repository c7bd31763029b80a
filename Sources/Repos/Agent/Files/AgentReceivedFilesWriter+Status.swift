import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Rule: docs/domain.md, "Agent database", Files.
extension AgentReceivedFilesWriter {
    /// Notes that a received file is being put together. Throws `receivedFileNotFound` and `wrongStatus`.
    public func decrypting(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        try step(id, from: .received, "status = \(AgentReceivedFileStatus.decrypting)", of: user)
    }

    /// Notes that a file is saved; the folder of its chunks is needed no more. Throws `receivedFileNotFound` and
    /// `wrongStatus`.
    public func complete(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        try step(
            id, from: .decrypting, "status = \(AgentReceivedFileStatus.complete), tmp_path = NULL", of: user)
    }

    /// Notes that a file will not come, and why. Throws `receivedFileNotFound`, and `wrongStatus` for one that is
    /// complete or has failed.
    public func failed(
        _ id: AgentReceivedFileID, _ reason: String, of user: AgentUserID
    ) throws(AgentFilesError) {
        let file = try AgentReceivedFilesRepo(tx).get(id, of: user)
        if !file.status.mayBecome(.error) { throw .wrongStatus(.received(id), status: file.status.text) }
        try change(id, "status = \(AgentReceivedFileStatus.error), error = \(reason)")
    }

    /// Gives a file up: what follows is to remove what was stored of it. Throws `receivedFileNotFound`, for one that
    /// is given up already too.
    public func markDeleted(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        _ = try AgentReceivedFilesRepo(tx).get(id, of: user)
        try change(id, "deleted = 1")
    }

    /// Removes the row of a file that was given up. Throws `receivedFileNotFound` and `notMarkedDeleted`.
    public func remove(_ id: AgentReceivedFileID, of user: AgentUserID) throws(AgentFilesError) {
        let file = try AgentReceivedFilesRepo(tx).get(id, of: user, includingDeleted: true)
        if !file.isDeleted { throw .notMarkedDeleted(.received(id)) }
        try run("DELETE FROM rcv_files WHERE rcv_file_id = \(id)")
    }

    private func step(
        _ id: AgentReceivedFileID, from status: AgentReceivedFileStatus, _ assignments: Query, of user: AgentUserID
    ) throws(AgentFilesError) {
        let file = try AgentReceivedFilesRepo(tx).get(id, of: user)
        if file.status != status { throw .wrongStatus(.received(id), status: file.status.text) }
        try change(id, assignments)
    }

    private func change(_ id: AgentReceivedFileID, _ assignments: Query) throws(AgentFilesError) {
        try run("UPDATE rcv_files SET \(assignments), updated_at = \(now) WHERE rcv_file_id = \(id)")
    }
}
