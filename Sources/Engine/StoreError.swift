public import ChatDBSchema

/// A failure between a program and a database. No error type of an engine leaks through the seam, and no message holds
/// a value of a row.
public struct StoreError: ChatDBError, Sendable, Hashable, CustomStringConvertible {
    /// The kind of failure, for callers that act on it.
    public let kind: Kind
    /// One clause, lower case, without a full stop.
    public let message: String
    /// The engine's own code, for a report.
    public let engineCode: Int?
    /// The value that is not what the caller needs. It is nil for errors that are not about a value.
    package let value: UnexpectedValue?

    /// An error of the seam.
    public init(_ kind: Kind, _ message: String, engineCode: Int? = nil) {
        self.init(kind, message, engineCode: engineCode, value: nil)
    }

    init(_ kind: Kind, _ message: String, engineCode: Int? = nil, value: UnexpectedValue?) {
        self.kind = kind
        self.message = message
        self.engineCode = engineCode
        self.value = value
    }

    /// The number of the operating system's error. It is nil if the error is not the system's, or if its number is
    /// unknown.
    package private(set) var systemError: Int32?

    /// Whether the disk failed or is no longer there, which says nothing about the database.
    package var isOfDisk: Bool { systemError.map { SystemTrouble($0).isOfDisk } ?? false }

    /// An error of the operating system.
    package init(_ kind: Kind, _ message: String, engineCode: Int? = nil, systemError: Int32?) {
        self.init(kind, message, engineCode: engineCode)
        self.systemError = systemError
    }

    /// Whether it is damage that prevents the engine from reading the schema: it then opens no table.
    package private(set) var isOfSchema = false

    /// The engine's words about the damage of the schema: the object, and what is wrong with it. They have names of the
    /// file, so no message has them. It is nil for other errors, and if the engine says nothing.
    package private(set) var schemaReason: String?

    /// The same error, as damage of the schema.
    package func ofSchema(_ reason: String?) -> StoreError {
        var error = self
        (error.isOfSchema, error.schemaReason) = (true, reason)
        return error
    }

    /// What has to be installed for stores on a server.
    package enum ServerClient: Sendable, Hashable {
        /// The library libpq, which every command needs.
        case library
        /// `pg_dump` and `pg_restore`, which backups need.
        case programs
    }

    /// What has to be installed; nil for other errors.
    package private(set) var missingClient: ServerClient?

    /// A library or a program of PostgreSQL that is not installed.
    package static func missing(_ client: ServerClient, _ message: String) -> StoreError {
        var error = StoreError(.clientLibraryMissing, message)
        error.missingClient = client
        return error
    }

    /// The place to which the store was moved; nil for other errors.
    package private(set) var movedTo: String?

    /// A store that was moved to another place.
    package static func moved(to place: String) -> StoreError {
        var error = StoreError(.moved, "the store was moved to \(place), and can only be read here")
        error.movedTo = place
        return error
    }

    /// Whether the passphrase that does not open the file opens the other database of the store.
    package private(set) var opensOtherDatabase = false

    /// An encrypted database that the passphrase does not open, of a store whose other database it opens.
    package static func otherPassphrase(_ message: String) -> StoreError {
        var error = StoreError(.wrongPassphrase, message)
        error.opensOtherDatabase = true
        return error
    }

    /// Whether the database is encrypted and has a write-ahead log with content.
    package private(set) var isOfEncryptedLog = false

    /// An encrypted database that is not read because it has a write-ahead log with content.
    ///
    /// - Parameter isOpen: whether another program has the log open.
    package static func encryptedLog(_ message: String, isOpen: Bool) -> StoreError {
        var error = StoreError(isOpen ? .inUse : .encryptedUnsupported, message)
        error.isOfEncryptedLog = true
        return error
    }

    /// Whether the message names the row.
    package private(set) var namesRow = false

    /// A row that cannot be read because the row of another table to which it refers is missing.
    ///
    /// - Parameters:
    ///   - row: the row in a sentence: `group 1`.
    ///   - missing: the missing row: `its profile row`.
    package static func rowWithout(_ missing: String, _ row: String, column: String) -> StoreError {
        let reason = "\(missing) is missing"
        var error = StoreError(
            .unexpectedRow, "\(row) cannot be read: \(reason)", value: UnexpectedValue(column: column, reason: reason))
        error.namesRow = true
        return error
    }

    /// Whether it is about a virtual table that chatdb cannot open: of a module that writes when it is opened, or that the
    /// engine does not have.
    package var isOfModule: Bool {
        kind == .denied && message.contains(Self.writingModule) || kind == .sql && message.contains("no such module: ")
    }

    /// The end of the clause about a module that writes when it is opened.
    package static let writingModule = "which SQLite opens only with the permission to write"

    /// The message.
    public var description: String { message }

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo { info(about: nil) }

    /// The kind, code, message and details of the error, with the path of the file.
    package func info(about path: String?) -> ErrorInfo {
        let (code, kind) = kind.reported
        let subject = path.map { message.contains($0) ? message : "\($0): \(message)" } ?? message
        let details: JSONValue =
            if let movedTo { ["movedTo": .string(movedTo)] } else { path.map { ["path": .string($0)] } ?? [:] }
        return ErrorInfo(kind, code, subject, details)
    }

    /// Kinds of failure.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// The file does not exist.
        case missing
        /// A directory, a FIFO, a device: not a file.
        case notAFile
        /// The file holds something else.
        case notADatabase
        /// The file is encrypted, and no passphrase was given.
        case encrypted
        /// The file is encrypted, with another passphrase than the given one.
        case wrongPassphrase
        /// The file is encrypted, and chatdb does this only with plain ones.
        case encryptedUnsupported
        /// The file is cut short.
        case truncated
        /// The file is a database, and broken.
        case damaged
        /// The file exceeds a limit that guards against hostile files.
        case beyondLimits
        /// Another connection holds a lock.
        case busy
        /// Another program has the file open.
        case inUse
        /// Writing is not possible here.
        case readOnly
        /// The disk is full.
        case diskFull
        /// The operating system failed to read or write.
        case inputOutput
        /// No memory, or the process's own limit is reached.
        case outOfMemory
        /// The statement was stopped on request or by a time limit.
        case interrupted
        /// The connection does not allow this statement.
        case denied
        /// A uniqueness rule of a table refused the row.
        case uniqueViolation
        /// A reference to a missing row.
        case foreignKeyViolation
        /// Another rule of a table (CHECK, NOT NULL, type) refused the row.
        case constraintViolation
        /// The SQL is wrong, or does not fit the tables.
        case sql
        /// A row lacks the column, or holds a value of another type than expected.
        case unexpectedRow
        /// SQLite, or the server, is older than this program needs.
        case engineTooOld
        /// PostgreSQL's client library cannot be loaded.
        case clientLibraryMissing
        /// The server cannot be reached, or the connection to it was lost.
        case unreachable
        /// The database on the server has another encoding than UTF8.
        case otherEncoding
        /// The connection was lost at a commit, and it is not known whether the server committed.
        case commitUnknown
        /// The server does not accept the password or the role, or the role has not the rights.
        case accessDenied
        /// The store was moved to another place, and can only be read here.
        case moved
        /// Anything else.
        case other
    }

    /// A row without the column.
    public static func missingColumn(_ column: String) -> StoreError {
        StoreError(.unexpectedRow, "the answer has no column \(column)")
    }

    /// A column with a value of another type than the caller needs.
    public static func unexpectedValue(column: String, expected: String, found: String) -> StoreError {
        StoreError(
            .unexpectedRow,
            "column \(column) holds \(UnexpectedValue.words(found)) where "
                + "\(UnexpectedValue.words(expected)) is expected",
            value: UnexpectedValue(column: column, expected: expected, found: found))
    }
}

/// A value of a row that is not what the caller needs: its column and the reason, never the value itself.
package struct UnexpectedValue: Sendable, Hashable {
    /// The column.
    package let column: String
    /// The reason, in a few words: `not a number`.
    package let reason: String

    init(column: String, reason: String) {
        (self.column, self.reason) = (column, reason)
    }

    init(column: String, expected: String, found: String) {
        self.column = column
        reason =
            switch (found, expected) {
            case ("NULL", _): "no value"
            case (_, "Int"), (_, "Int64"), (_, "Double"): "not a number"
            case (_, "Bool"): "neither 0 nor 1"
            case (_, "String"): "not a text"
            case (_, "Array<UInt8>"), (_, "SecretBytes"): "not bytes"
            default: "not \(Self.words(expected))"
            }
    }

    /// The words for a type of SQLite or of this program; the same text if it is no name of a type.
    static func words(_ type: String) -> String {
        switch type {
        case "NULL": "no value"
        case "INTEGER": "a number"
        case "REAL": "a decimal number"
        case "TEXT": "a text"
        case "BLOB": "bytes"
        case "Int", "Int64": "a whole number"
        case "Double": "a number"
        case "Bool": "0 or 1"
        case "String": "a text"
        case "Array<UInt8>", "SecretBytes": "bytes"
        case "SQLValue": "a value"
        default: type
        }
    }
}

extension StoreError.Kind {
    /// The stable name in reports, and the kind of error it is there.
    fileprivate var reported: (code: String, kind: ErrorInfo.Kind) {
        switch self {
        case .missing: ("storeNotFound", .noInput)
        case .encrypted: (rawValue, .usage)
        case .notAFile, .notADatabase, .otherEncoding, .wrongPassphrase, .encryptedUnsupported, .truncated, .damaged:
            (rawValue, .noInput)
        case .beyondLimits, .denied, .unexpectedRow: (rawValue, .invalid)
        case .sql: ("sqlError", .invalid)
        case .busy: ("storeLocked", .tryAgain)
        case .inUse: (rawValue, .tryAgain)
        case .inputOutput: ("ioError", .inputOutput)
        case .readOnly, .diskFull, .outOfMemory: (rawValue, .inputOutput)
        case .interrupted: (rawValue, .interrupted)
        case .uniqueViolation, .foreignKeyViolation, .constraintViolation: (rawValue, .refused)
        case .engineTooOld, .clientLibraryMissing, .unreachable, .commitUnknown: (rawValue, .unavailable)
        case .accessDenied: (rawValue, .noPermission)
        case .moved: ("storeMoved", .refused)
        case .other: ("storeError", .defect)
        }
    }
}
