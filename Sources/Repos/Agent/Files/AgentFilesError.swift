public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// A file that comes in or goes out; the two are counted apart.
public enum AgentFileID: Sendable, Hashable, CustomStringConvertible {
    /// One that comes in.
    case received(AgentReceivedFileID)
    /// One that goes out.
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

/// Why something cannot be done with a file transfer.
/// Rule: docs/domain.md, "Agent database", Files.
public enum AgentFilesError: RuleViolation, Hashable {
    /// There is no such profile, or it is being deleted.
    case agentUserNotFound(AgentUserID)
    /// The profile receives no such file.
    case receivedFileNotFound(AgentReceivedFileID)
    /// The profile sends no such file.
    case sentFileNotFound(AgentSentFileID)
    /// The id is taken.
    case fileExists(AgentFileEntityID)
    /// A file has a chunk at least, and a chunk to receive a replica.
    case noChunks
    /// There is no such replica to receive.
    case receivedReplicaNotFound(ReceivedReplicaID)
    /// There is no such replica to upload.
    case sentReplicaNotFound(SentReplicaID)
    /// The file has no such chunk.
    case chunkNotFound(Int, file: AgentSentFileID)
    /// What was asked is no step from where the file is.
    case wrongStatus(AgentFileID, status: String)
    /// The row may go only after the file was marked as deleted.
    case notMarkedDeleted(AgentFileID)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .agentUserNotFound: "agentUserNotFound"
        case .receivedFileNotFound: "receivedFileNotFound"
        case .sentFileNotFound: "sentFileNotFound"
        case .fileExists: "agentFileExists"
        case .noChunks: "noChunks"
        case .receivedReplicaNotFound: "receivedReplicaNotFound"
        case .sentReplicaNotFound: "sentReplicaNotFound"
        case .chunkNotFound: "chunkNotFound"
        case .wrongStatus: "wrongStatus"
        case .notMarkedDeleted: "notMarkedDeleted"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .agentUserNotFound(let id): "the agent database has no profile \(id)"
        case .receivedFileNotFound(let id): "the profile receives no file \(id)"
        case .sentFileNotFound(let id): "the profile sends no file \(id)"
        case .fileExists(let id): "the file \(id) cannot be added: there is one with that id; make another id"
        case .noChunks: "the file cannot be added: it has no chunks, or one that is on no server"
        case .receivedReplicaNotFound(let id): "there is no replica \(id) to receive"
        case .sentReplicaNotFound(let id): "there is no replica \(id) to upload"
        case .chunkNotFound(let number, let file): "the file \(file) has no chunk \(number)"
        case .wrongStatus(let file, let status): "the file \(file) cannot go that way: it is \(status)"
        case .notMarkedDeleted(let file):
            "the file \(file) cannot be removed: it is not marked as deleted; mark it first"
        case .store(let error): error.message
        }
    }

    /// No command helps: this is between an app and its store.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .agentUserNotFound(let id): ["user": .integer(id.rawValue)]
        case .receivedFileNotFound(let id): ["file": .integer(id.rawValue)]
        case .sentFileNotFound(let id): ["file": .integer(id.rawValue)]
        case .fileExists(let id): ["file": .string(id.description)]
        case .receivedReplicaNotFound(let id): ["replica": .integer(id.rawValue)]
        case .sentReplicaNotFound(let id): ["replica": .integer(id.rawValue)]
        case .chunkNotFound(let number, let file): ["chunk": .integer(Int64(number)), "file": .integer(file.rawValue)]
        case .wrongStatus(let file, let status): ["file": .integer(file.number), "status": .string(status)]
        case .notMarkedDeleted(let file): ["file": .integer(file.number)]
        case .noChunks, .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
