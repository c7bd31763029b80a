public import ChatDBSchema

/// Why a question got no answer.
public enum QuestionError: ChatDBError, Sendable, Hashable {
    /// The SQL is wrong, or does not fit the tables: the engine's words.
    case invalid(String)
    /// The SQL is right, and nothing that is run here: a clause that says why.
    case refused(String)
    /// It took longer than it was given.
    case tooSlow(Duration)
    /// The rows hold more bytes than were allowed.
    case tooLarge(bytes: Int)
    /// A value or the statement itself is bigger than anything of a file from elsewhere may be: the engine's words.
    case tooBig(String)
    /// The database could not be read.
    case store(StoreError)

    /// What a report says about the error.
    public var info: ErrorInfo {
        switch self {
        case .invalid(let reason): ErrorInfo(.invalid, "invalidSQL", "the statement is not valid: \(reason)")
        case .refused(let reason): ErrorInfo(.invalid, "refusedSQL", "the statement is not run: \(reason)")
        case .tooSlow(let time):
            ErrorInfo(
                .refused, "beyondLimits", "the answer took longer than \(Self.seconds(time)) seconds",
                ["limit": "time", "seconds": .number(time / .seconds(1))])
        case .tooLarge(let bytes):
            ErrorInfo(
                .refused, "beyondLimits", "the answer takes more than \(bytes) bytes",
                ["limit": "bytes", "bytes": JSONValue(bytes)])
        case .tooBig(let reason):
            ErrorInfo(
                .refused, "beyondLimits", "the statement or a value of the answer is too big: \(reason)",
                ["limit": "bytes"])
        case .store(let error): error.info
        }
    }

    private static func seconds(_ time: Duration) -> String {
        let seconds = time / .seconds(1)
        return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }
}
