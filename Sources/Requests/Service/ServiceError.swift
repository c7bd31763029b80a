public import ChatDBSchema

/// An error of the service of requests itself. Rule: docs/requests.md, "Errors".
public enum ServiceError: ChatDBError, Sendable, Hashable {
    /// The session may only read, and the method writes.
    case readOnlySession(method: String)
    /// Migrations need the store alone, and so many other clients are connected.
    case otherClients(Int)
    /// So many requests wait already.
    case tooManyRequests(limit: Int)
    /// So many clients are connected already.
    case tooManyClients(limit: Int)
    /// The answer has more bytes than this.
    case answerTooLarge(limit: Int)
    /// The request has read the database for longer than this, in seconds.
    case readingTimeLimit(Double)
    /// The service ends, and runs no further request.
    case ending
    /// The files of the store are no longer those that the service opened.
    case storeReplaced(path: String)
    /// The plan has changed since the client read it.
    case planOutdated
    /// The request names no profile, and no profile is active.
    case noActiveProfile
    /// No queue of a visible profile has the server and the notifier id.
    case notificationTargetNotFound
    /// The store has no index of the words of its messages.
    case noSearchIndex
    /// The store has no conditions of use.
    case noConditions

    /// Kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .readOnlySession(let method):
            .refused("readOnlySession", "this session only reads, and \(method) writes", ["method": .string(method)])
        case .otherClients(let count):
            ErrorInfo(
                .tryAgain, "otherClients",
                count == 0
                    ? "another request is migrating the store"
                    : "migrations need the store alone, and \(count) other client\(count == 1 ? " is" : "s are") connected",
                ["clients": JSONValue(count)], state: ErrorInfo.unchanged)
        case .tooManyRequests(let limit):
            ErrorInfo(
                .tryAgain, "tooManyRequests", "\(limit) requests are waiting already", ["limit": JSONValue(limit)],
                state: ErrorInfo.unchanged)
        case .tooManyClients(let limit):
            ErrorInfo(
                .tryAgain, "tooManyClients", "\(limit) clients are connected already", ["limit": JSONValue(limit)])
        case .answerTooLarge(let limit):
            .refused(
                "answerTooLarge", "the answer has more than \(limit) bytes: ask for fewer rows, or in more requests",
                ["limit": JSONValue(limit)])
        case .readingTimeLimit(let seconds):
            ErrorInfo(
                .tryAgain, "readingTimeLimit", "the request has read the database for more than \(seconds) seconds",
                ["seconds": .number(seconds)], state: ErrorInfo.unchanged)
        case .ending:
            ErrorInfo(.interrupted, "serviceEnding", "the service is ending", state: ErrorInfo.unchanged)
        case .storeReplaced(let path):
            ErrorInfo(
                .noInput, "storeReplaced", "\(path) is no longer the file that the service opened",
                ["path": .string(path)], state: ErrorInfo.unchanged)
        case .planOutdated:
            ErrorInfo(
                .tryAgain, "planOutdated", "the change is no longer the one that the fingerprint consents to",
                state: ErrorInfo.unchanged)
        case .noActiveProfile:
            .refused("noActiveProfile", "no profile is active in this store, and the request names none")
        case .notificationTargetNotFound:
            .refused(
                "notificationTargetNotFound",
                "no queue with this server and notifier id belongs to a connection of a visible profile")
        case .noSearchIndex:
            .refused("noSearchIndex", "this store has no index of the words of its messages")
        case .noConditions:
            .refused("noConditions", "the store has no conditions of use; an app stores them")
        }
    }
}
