/// An error of the libraries: every one says what it is in the same shape.
///
///     do {
///         try store.write { try UsersWriter($0).activate(id) }
///     } catch let error as any ChatDBError {
///         show(error.info.message)
///     }
///
/// ```swift
/// do {
///     _ = try Store.openForReading(location, with: SQLiteEngine())
/// } catch let error as any ChatDBError {
///     print("\(error.info.message) (\(error.info.code))")
/// }
/// ```
public protocol ChatDBError: Error {
    /// The kind, code, message and details of the error.
    var info: ErrorInfo { get }
}

extension ChatDBError {
    /// The stable name of the error, for programs. docs/errors.md lists all of them.
    public var code: String { info.code }
    /// One clause, lower case, without a full stop: the act, the object with its name, what to do.
    public var message: String { info.message }
    /// The values a program wants to know, as an object.
    package var details: JSONValue { info.details }
}

/// The report of an error. It never holds the value of a row that people wrote.
public struct ErrorInfo: Sendable, Hashable {
    /// The kind of an error. It alone decides the exit code of the tool.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The caller requested a step or a target that does not exist.
        case usage
        /// A value, a file or a statement that was given is not valid.
        case invalid
        /// The store, or a file that is to be read, is missing, incomplete or no database.
        case noInput
        /// The version or the history of the store is not the one of this build.
        case wrongVersion
        /// A rule forbids it, or what was named does not exist.
        case refused
        /// Another program uses the store.
        case tryAgain
        /// The system failed to read or write.
        case inputOutput
        /// A file or folder cannot be created.
        case cannotCreate
        /// The user or a time limit stopped the work.
        case interrupted
        /// A library that this program needs is missing or too old, or a server cannot be reached.
        case unavailable
        /// A server does not accept the password, or its role has not the rights.
        case noPermission
        /// A defect of this program.
        case defect
    }

    /// The state after an error that came before any change.
    package static let unchanged = "Nothing was changed."

    /// The kind of the error.
    public let kind: Kind
    /// The stable name of the error, for programs: `duplicateRelayAddress`.
    public let code: String
    /// One clause, lower case, without a full stop.
    public let message: String
    /// Long parts that the message leaves out, one item a line; usually empty.
    public let lines: [String]
    /// The state after the error, a sentence; nil when only the caller knows it.
    public let state: String?
    /// The values a program wants to know: an object, empty for none.
    package let details: JSONValue

    /// An error with what a report says about it.
    package init(
        _ kind: Kind, _ code: String, _ message: String, _ details: JSONValue = [:], lines: [String] = [],
        state: String? = nil
    ) {
        self.kind = kind
        self.code = code
        self.message = message
        self.details = details
        self.lines = lines
        self.state = state
    }

    /// A rule of a repository forbids it, or what was named does not exist. Nothing was changed.
    package static func refused(
        _ code: String, _ message: String, _ details: JSONValue = [:], lines: [String] = []
    ) -> ErrorInfo {
        ErrorInfo(.refused, code, message, details, lines: lines, state: unchanged)
    }

    /// A value given to a repository is not valid. Nothing was changed.
    package static func invalid(
        _ code: String, _ message: String, _ details: JSONValue = [:], lines: [String] = []
    ) -> ErrorInfo {
        ErrorInfo(.invalid, code, message, details, lines: lines, state: unchanged)
    }
}
