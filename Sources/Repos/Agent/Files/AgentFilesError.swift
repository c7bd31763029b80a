public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A received or a sent file; the two are numbered separately.
public enum AgentFileID: Sendable, Hashable, CustomStringConvertible {
    /// A received file.
    case received(AgentReceivedFileID)
    /// A sent file.
    case sent(AgentSentFileID)

    /// The number alone.
    public var description: String { "\(number)" }

    var number: Int64 {
        switch self {
        case .received(let id): id.rawValue
        case .sent(let id): id.rawValue
        }
    }
}

/// Errors of operations on a file transfer. Rule: docs/domain.md, "Agent database", Files.
public enum AgentFilesError: RuleViolation, Hashable {
    /// No such profile exists, or it is being deleted.
    case agentUserNotFound(AgentUserID)
    /// The profile receives no such file.
    case receivedFileNotFound(AgentReceivedFileID)
    /// The profile sends no such file.
    case sentFileNotFound(AgentSentFileID)
    /// The id is taken.
    case fileExists(AgentFileEntityID)
    /// A file needs a chunk, and a chunk to receive needs a replica.
    case noChunks
    /// No replica to receive has this number.
    case receivedReplicaNotFound(ReceivedReplicaID)
    /// No replica to upload has this number.
    case sentReplicaNotFound(SentReplicaID)
    /// The file has no such chunk.
    case chunkNotFound(Int, file: AgentSentFileID)
    /// The file cannot take this step from its status.
    case wrongStatus(AgentFileID, status: String)
    /// The row may go only after the file was marked as deleted.
    case notMarkedDeleted(AgentFileID)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .agentUserNotFound(let id):
            .refused("agentUserNotFound", "the agent database has no profile \(id)", ["user": .integer(id.rawValue)])
        case .receivedFileNotFound(let id):
            .refused("receivedFileNotFound", "the profile receives no file \(id)", ["file": .integer(id.rawValue)])
        case .sentFileNotFound(let id):
            .refused("sentFileNotFound", "the profile sends no file \(id)", ["file": .integer(id.rawValue)])
        case .fileExists(let id):
            .refused(
                "agentFileExists", "the file \(id) cannot be added: that id exists; choose another id",
                ["file": .string(id.description)])
        case .noChunks: .refused("noChunks", "the file cannot be added: it has no chunks, or one that is on no server")
        case .receivedReplicaNotFound(let id):
            .refused(
                "receivedReplicaNotFound", "there is no replica \(id) to receive", ["replica": .integer(id.rawValue)])
        case .sentReplicaNotFound(let id):
            .refused("sentReplicaNotFound", "there is no replica \(id) to upload", ["replica": .integer(id.rawValue)])
        case .chunkNotFound(let number, let file):
            .refused(
                "chunkNotFound", "the file \(file) has no chunk \(number)",
                ["chunk": .integer(Int64(number)), "file": .integer(file.rawValue)])
        case .wrongStatus(let file, let status):
            .refused(
                "wrongStatus", "the file \(file) does not allow this step: it is \(status)",
                ["file": .integer(file.number), "status": .string(status)])
        case .notMarkedDeleted(let file):
            .refused(
                "notMarkedDeleted", "the file \(file) cannot be removed: it is not marked as deleted; mark it first",
                ["file": .integer(file.number)])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
