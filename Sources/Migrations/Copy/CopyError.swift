public import ChatDBEngine
public import ChatDBSchema

/// The reason why a store was not copied. The target has nothing of the store, except after `notMarked`
/// and `changedSince`.
public enum CopyError: Error, Sendable, Hashable {
    /// Both are files, or both are on a server.
    case sameKind(String, String)
    /// A store of one database.
    case notAPair(String)
    /// There is a store at the target.
    case targetExists(String)
    /// Values that the target cannot hold.
    case notCopyable([CopyProblem])
    /// Tables that only one of the two stores has.
    case otherTables(DatabaseName, [String])
    /// Columns of a table that only one of the two stores has.
    case otherColumns(DatabaseName, table: String, [String])
    /// The rows of a table in the target are not those that were read.
    case differs(DatabaseName, table: String, read: Int, found: Int)
    /// An index, a reference or a rule of the target refused the rows.
    case refused(DatabaseName, part: String, StoreError)
    /// The copy is complete, but the source has no mark that it was moved.
    case notMarked(copy: String, StoreError)
    /// The target is a copy of the source that has no mark yet, and a program has written to one of the two since.
    case changedSince(DatabaseName, table: String, copy: String, written: Written? = nil)

    /// Which of the two stores a program has written to, as far as the numbers of rows show it.
    public enum Written: String, Sendable, Hashable {
        /// The one that was copied.
        case store
        /// The copy.
        case copy
    }
}

/// A kind of values that the target cannot hold, in one column.
public struct CopyProblem: Sendable, Hashable {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// Texts with a NUL byte.
        case nul
        /// Texts with bytes that are not UTF-8.
        case notUTF8
        /// References to missing rows of this table.
        case missingRow(of: String)
        /// Numbers of a server that are NaN.
        case notANumber
        /// Numbers of a server that are a negative zero.
        case negativeZero

        /// Those that one value can have.
        static let ofValues: [Kind] = [.nul, .notUTF8, .notANumber, .negativeZero]
    }

    /// The database.
    public let database: DatabaseName
    /// The table.
    public let table: String
    /// The column, or those of a reference.
    public let columns: [String]
    /// What is wrong.
    public let kind: Kind
    /// The column that numbers the rows.
    public let key: String
    /// The numbers of the first rows; empty for a table without numbers.
    public internal(set) var rows: [Int64]
    /// The number of all such rows.
    public internal(set) var count: Int

    /// How many rows are named.
    static let mostRows = 10

    init(_ database: DatabaseName, table: String, columns: [String], _ kind: Kind, key: String) {
        self.database = database
        self.table = table
        self.columns = columns
        self.kind = kind
        self.key = key
        (rows, count) = ([], 0)
    }

    /// Adds a row.
    mutating func add(_ row: Int64?) {
        count += 1
        if let row, rows.count < Self.mostRows { rows.append(row) }
    }

    /// Whether `--replace-bad-text` corrects it.
    public var isText: Bool { kind == .nul || kind == .notUTF8 }

    /// Whether a server has such a value, and a file cannot.
    public var isOfServer: Bool { kind == .notANumber || kind == .negativeZero }

    /// A line with the table, the columns and the rows, and no value of a row but its number.
    var line: String {
        let place = "\(database) \(table).\(columns.joined(separator: ", "))"
        let what =
            switch kind {
            case .nul: "a NUL byte"
            case .notUTF8: "bytes that are not UTF-8"
            case .missingRow(let parent): "a reference to a missing row of \(parent)"
            case .notANumber: "NaN"
            case .negativeZero: "a negative zero"
            }
        let more = count > rows.count ? " and \(count - rows.count) more" : ""
        let numbers =
            rows.isEmpty
            ? (count == 1 ? "1 row" : "\(count) rows") : rows.map(String.init).joined(separator: ", ") + more
        return "\(place): \(what), in \(rows.isEmpty ? "" : key + " ")\(numbers)"
    }

    var json: JSONValue {
        let (name, parent): (String, String?) =
            switch kind {
            case .nul: ("nul", nil)
            case .notUTF8: ("notUtf8", nil)
            case .missingRow(let parent): ("missingRow", parent)
            case .notANumber: ("nan", nil)
            case .negativeZero: ("negativeZero", nil)
            }
        return [
            "database": .string(database.rawValue), "table": .string(table), "columns": JSONValue(columns),
            "kind": .string(name), "parent": JSONValue(parent), "key": .string(key),
            "rows": .array(rows.map { .integer($0) }), "count": JSONValue(count),
        ]
    }
}

extension CopyError: ChatDBError {
    /// The error in a report.
    public var info: ErrorInfo {
        switch self {
        case .sameKind(let source, let target):
            ErrorInfo(
                .usage, "sameKindOfStore",
                "chatdb copies from files to a server or back, and \(source) and \(target) are of one kind",
                state: ErrorInfo.unchanged)
        case .notAPair(let path):
            ErrorInfo(
                .usage, "notAPair", "chatdb copies both databases of a store, and \(path) names one",
                state: ErrorInfo.unchanged)
        case .targetExists(let path):
            .refused("targetExists", "there is a store at \(path) already", ["path": .string(path)])
        case .notCopyable(let problems):
            .refused(
                "notCopyable",
                problems.count == 1
                    ? "the store has values in one column that the copy cannot have"
                    : "the store has values in \(problems.count) columns that the copy cannot have",
                ["problems": .array(problems.map(\.json))], lines: problems.map(\.line))
        case .otherTables(let database, let names):
            .refused(
                "otherTables",
                "the \(database) database and that of the copy have different tables: "
                    + names.joined(separator: ", "),
                ["database": .string(database.rawValue), "tables": JSONValue(names)])
        case .otherColumns(let database, let table, let names):
            .refused(
                "otherTables",
                "the table \(table) of the \(database) database and that of the copy have different columns: "
                    + names.joined(separator: ", "),
                ["database": .string(database.rawValue), "table": .string(table), "columns": JSONValue(names)])
        case .differs(let database, let table, let read, let found):
            ErrorInfo(
                .defect, "copyDiffers",
                "the rows of the table \(table) of the \(database) database are not those that were read: \(read) "
                    + "rows were read, \(found) are there",
                [
                    "database": .string(database.rawValue), "table": .string(table), "read": JSONValue(read),
                    "found": JSONValue(found),
                ], state: ErrorInfo.unchanged)
        case .refused(let database, let part, let error):
            .refused(
                "notCopyable", "the \(database) database of the copy refused \(part): \(error.message)",
                ["database": .string(database.rawValue), "part": .string(part), "cause": .string(error.code)])
        case .notMarked(let copy, let error):
            ErrorInfo(
                error.info.kind, "notMarked",
                "the copy \(copy) is complete, but the store could not be marked as moved: \(error.message)",
                ["copy": .string(copy), "cause": .string(error.code)],
                state: "The copy is complete and verified. Both stores can be written.")
        case .changedSince(let database, let table, let copy, let written):
            .refused(
                "changedSince",
                "\(copy) is a copy of this store, and a program has written to \(Self.name(of: written)) since: the "
                    + "rows of the table \(table) of the \(database) database differ",
                [
                    "copy": .string(copy), "database": .string(database.rawValue), "table": .string(table),
                    "written": JSONValue(written?.rawValue),
                ])
        }
    }

    private static func name(of written: Written?) -> String {
        switch written {
        case .store: "this store"
        case .copy: "the copy"
        case nil: "one of the two"
        }
    }
}
