public import ChatDBSchema

/// One problem of a migration's files.
public struct MigrationProblem: Sendable, Hashable, CustomStringConvertible {
    /// The file: a path in the given folder, or the path under which it is embedded.
    public let file: String
    /// The line, from 1; nil for a problem of the whole file.
    public let line: Int?
    /// The problem and its remedy.
    public let reason: String

    /// File, line and reason in one line.
    public var description: String { line.map { "\(file), line \($0): \(reason)" } ?? "\(file): \(reason)" }
}

/// The problems of loaded migrations.
public struct InvalidMigrations: Sendable, Hashable {
    /// The maximum number of problems kept.
    public static let limit = 100
    /// The first problems found, at least one, in the order of files and lines.
    public private(set) var problems: [MigrationProblem] = []
    /// The number of all problems, including those beyond the maximum.
    public private(set) var count = 0

    mutating func add(_ others: InvalidMigrations) {
        count += others.count
        if others.usesOwnTable { usesOwnTable = true }
        problems += others.problems.prefix(Self.limit - problems.count)
    }

    mutating func add(_ file: String, line: Int? = nil, _ reason: String) {
        count += 1
        if problems.count < Self.limit {
            problems.append(MigrationProblem(file: file, line: line, reason: reason))
        }
    }

    /// Whether a migration uses a table that has the name of one of chatdb's own.
    package internal(set) var usesOwnTable = false

    /// Those that are left without the up files of some migrations, which are named as `chat/NAME`.
    package func without(upFilesOf names: [String]) -> InvalidMigrations {
        var left = self
        left.problems.removeAll { problem in
            names.contains { problem.file.hasSuffix("/" + $0 + MigrationFileSet.upSuffix) }
        }
        left.count -= problems.count - left.problems.count
        return left
    }

    /// Nil without problems.
    var error: MigrationFileError? {
        guard count > 0 else { return nil }
        var sorted = self
        sorted.problems.sort { ($0.file, $0.line ?? 0) < ($1.file, $1.line ?? 0) }
        return .invalid(sorted)
    }
}

/// The reason why migrations could not be loaded, or the files of a new one could not be written. No file is left
/// behind.
public enum MigrationFileError: Error, Sendable, Hashable {
    /// The files were read and have problems.
    case invalid(InvalidMigrations)
    /// A folder that is needed does not exist.
    case noFolder(path: String)
    /// The folder holds neither `chat` nor `agent`.
    case noMigrationFolders(path: String)
    /// A path is not a folder.
    case notAFolder(path: String)
    /// The system could not read a path; the reason is the system's.
    case cannotRead(path: String, reason: String)
    /// The new name does not match the pattern.
    case invalidName(name: String, reason: String)
    /// The new name would not be applied last. The proposal is a name that would; nil without one.
    case notLast(name: String, last: String, database: DatabaseName, proposal: String?)
    /// A file of that name exists.
    case fileExists(path: String)
    /// The system could not write a file; the reason is the system's.
    case cannotWrite(path: String, reason: String)
}

extension MigrationFileError: ChatDBError, CustomStringConvertible {
    /// The error in a report.
    public var info: ErrorInfo {
        switch self {
        case .invalid(let invalid): info(of: invalid)
        case .noFolder(let path):
            ErrorInfo(
                .noInput, "noMigrationsFolder", "the folder \(path) does not exist; correct the path, or make it first")
        case .noMigrationFolders(let path):
            ErrorInfo(
                .noInput, "noMigrationsFolder",
                "\(path) contains neither a folder chat nor a folder agent; give the folder that contains them")
        case .notAFolder(let path): ErrorInfo(.noInput, "noMigrationsFolder", "\(path) is not a folder")
        case .cannotRead(let path, let reason):
            ErrorInfo(.inputOutput, "cannotRead", "cannot read \(path): \(reason)")
        case .invalidName(let name, let reason):
            ErrorInfo(.invalid, "invalidMigrationName", "cannot name a migration \(name): \(reason)")
        case .notLast(let name, let last, let database, let proposal):
            ErrorInfo(
                .invalid, "migrationNotLast",
                "cannot create \(name): it does not sort after \(last), the last migration of the \(database) database"
                    + Self.reason(name, last) + (proposal.map { "; \($0) does" } ?? ""),
                ["last": .string(last), "proposal": JSONValue(proposal)])
        case .fileExists(let path): ErrorInfo(.cannotCreate, "fileExists", "cannot create \(path): it exists")
        case .cannotWrite(let path, let reason):
            ErrorInfo(.cannotCreate, "cannotWrite", "cannot write \(path): \(reason)")
        }
    }

    /// Why a name of the same day sorts before one that was made earlier, a clause; empty for other names.
    private static func reason(_ name: String, _ last: String) -> String {
        guard MigrationDay(beginning: name) == MigrationDay(beginning: last), MigrationMinute(beginning: name) != nil,
            MigrationMinute(beginning: last) == nil
        else { return "" }
        return ", which has a day without a time: digits sort before letters"
    }

    /// Several problems take a line each.
    private func info(of invalid: InvalidMigrations) -> ErrorInfo {
        let problems = invalid.problems.map { problem -> JSONValue in
            ["file": .string(problem.file), "line": JSONValue(problem.line), "reason": .string(problem.reason)]
        }
        let more = invalid.count - invalid.problems.count
        let isOne = invalid.count == 1
        return ErrorInfo(
            .invalid, "invalidMigration",
            isOne
                ? "invalid migration: " + (invalid.problems.first?.description ?? "")
                : "\(invalid.count) problems in migrations:",
            ["problems": .array(problems), "count": JSONValue(invalid.count)],
            lines: isOne ? [] : invalid.problems.map(\.description) + (more > 0 ? ["and \(more) more"] : []),
            state: ErrorInfo.unchanged)
    }

    /// The message; several problems take a line each after it.
    public var description: String { ([info.message] + info.lines).joined(separator: "\n") }
}
