public import ChatDBSchema

/// A question to a database in SQL, with the limits of its answer.
public struct Question: Sendable {
    /// One statement that reads.
    public let sql: String
    /// Whether columns about people are shown; secrets never are.
    public let showsPersonal: Bool
    /// Whether columns that the catalogue does not describe are shown.
    public let showsUnknown: Bool
    /// Whether the database has tables of other migrations, which the catalogue does not describe.
    public let hasOtherTables: Bool
    /// The largest number of rows.
    public let rows: Int
    /// The longest time it may take.
    public let time: Duration
    /// The bytes of memory that the rows may take together: those of their texts, and some for each value.
    public let bytes: Int

    /// A question, with default limits.
    public init(
        _ sql: String, showsPersonal: Bool = false, showsUnknown: Bool = false, hasOtherTables: Bool = false,
        rows: Int = 1_000, time: Duration = .seconds(30), bytes: Int = 64 << 20
    ) {
        self.sql = sql
        self.showsPersonal = showsPersonal
        self.showsUnknown = showsUnknown
        self.hasOtherTables = hasOtherTables
        self.rows = rows
        self.time = time
        self.bytes = bytes
    }
}

/// An open database that answers questions. Secrets are masked so that no answer shows them by accident. That is no
/// protection against a person who has the file.
public protocol QuestionConnection {
    /// Answers a question, in a transaction of its own. An implementation must run only one statement that reads, and
    /// must read NULL in the place of every column that is not shown, wherever the statement uses it. Of a state it
    /// must read only a word that this build knows, because the app writes more behind some of them.
    func ask(_ question: Question) throws(QuestionError) -> QuestionAnswer

    /// Notes on how the database was read without changing it, a clause each; usually empty.
    var notes: [String] { get }

    /// Closes the connection. Further questions throw.
    func close() throws(StoreError)
}

/// The answer to a question.
public struct QuestionAnswer: Sendable, Hashable {
    /// The names of the columns, as the statement gives them; several may be the same.
    public let columns: [String]
    /// The rows in their order, each with a value for every column.
    public let rows: [[QuestionValue]]
    /// The masked columns: the question uses them and they read as NULL. In the order in which the engine met them.
    public let masked: [MaskedColumn]
    /// The columns of which the question reads only the first word, or `other` for a word that is not known.
    public let shortened: [MaskedColumn]
    /// Whether these are all rows; false when there are more than the limit of the question.
    public let isComplete: Bool
    /// Whether the engine could not follow where the columns come from: a value may be computed from masked columns.
    public let isUnclear: Bool

    /// An answer.
    public init(
        columns: [String], rows: [[QuestionValue]], masked: [MaskedColumn], shortened: [MaskedColumn] = [],
        isComplete: Bool, isUnclear: Bool = false
    ) {
        self.columns = columns
        self.rows = rows
        self.masked = masked
        self.shortened = shortened
        self.isComplete = isComplete
        self.isUnclear = isUnclear
    }
}

/// A value of an answer.
public enum QuestionValue: Sendable, Hashable {
    /// No value.
    case null
    /// A value that is not shown, or that was computed from one: the class of its column. The statement reads NULL
    /// there.
    case masked(ColumnClass)
    /// NULL in a column of which some parts read a masked column of this class: a value that is not shown, or NULL.
    case maskedOrNull(ColumnClass)
    /// A whole number.
    case integer(Int64)
    /// A floating point number.
    case real(Double)
    /// Text; bytes that are not UTF-8 are replaced.
    case text(String)
    /// Bytes: how many, and the first of them.
    case blob(bytes: Int, beginning: [UInt8])

    /// The number of bytes of a BLOB that are kept.
    public static let beginning = 8
}

/// Why a question was not answered.
public enum QuestionError: ChatDBError, Sendable, Hashable {
    /// The SQL is wrong, or does not fit the tables: the engine's words.
    case invalid(String)
    /// The SQL is valid and not allowed here: a clause that says why.
    case refused(String)
    /// The statement took longer than its limit.
    case tooSlow(Duration)
    /// The rows hold more bytes than their limit.
    case tooLarge(bytes: Int)
    /// A value or the statement exceeds the limits for untrusted files: the engine's words.
    case tooBig(String)
    /// The database could not be read.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .invalid(let reason): ErrorInfo(.invalid, "invalidSQL", "the statement is not valid: \(reason)")
        case .refused(let reason): ErrorInfo(.invalid, "refusedSQL", "the statement is not run: \(reason)")
        case .tooSlow(let time):
            ErrorInfo(
                .refused, "beyondLimits", "the query took longer than \(Self.seconds(time)) seconds",
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
