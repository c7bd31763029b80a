import ChatDBKit

/// An error of the libraries with a hint of the tool. The `Hints` files have the table.
protocol Hinted: ChatDBError, Reportable {
    /// The next step, or nil.
    var hint: Hint? { get }
}

extension Hinted {
    var report: ErrorReport { ErrorReport(library: self, hint: hint) }
}

extension ErrorReport {
    /// The report of an error of the libraries.
    init(library error: any ChatDBError, state: String? = nil, hint: Hint? = nil) {
        self.init(error.info, state: state, hint: hint)
    }

    /// The libraries' report of an error, with the hint and state that only the tool knows.
    init(_ info: ErrorInfo, state: String? = nil, hint: Hint? = nil) {
        self.init(
            info.code, info.message, lines: info.lines, state: state ?? info.state, hint: hint, details: info.details,
            exit: ExitStatus(info.kind))
    }
}

extension ExitStatus {
    /// The exit code of an error of the libraries. Nothing else decides it.
    init(_ kind: ErrorInfo.Kind) {
        self =
            switch kind {
            case .usage: .usage
            case .invalid: .invalidData
            case .noInput: .noInput
            case .wrongVersion: .wrongVersion
            case .refused: .no
            case .tryAgain: .tryAgain
            case .inputOutput: .ioError
            case .cannotCreate: .cannotCreate
            case .interrupted: .interrupted
            case .unavailable: .unavailable
            case .defect: .defect
            }
    }
}

extension StoreError {
    /// The report, with the path of the file.
    func report(of path: String) -> ErrorReport { ErrorReport(info(about: path), hint: hint) }
}

extension MigrationFailure {
    var report: ErrorReport { ErrorReport(library: self, state: state.sentence, hint: hint) }
}

extension StoreState {
    /// The state of the store, in a sentence or two.
    var sentence: String {
        switch self {
        case .unchanged:
            "Nothing was changed."
        case .unchangedWithBackup(let path):
            "Nothing was changed. The backup that was made is in \(path)."
        case .interrupted(let record):
            "The agent database is at \(record.courses[.agent]?.to ?? "no version"), the chat database still at "
                + "\(record.courses[.chat]?.from ?? "no version"). The next run completes the migration."
                + Self.place(of: record.backup)
        case .completed(let record):
            "The run of \(record.startedAt) that was interrupted was completed. Nothing else was changed."
        case .partlyMade:
            "The new store is incomplete; the next chatdb migrate run removes it."
        case .migrated(let record):
            "Both databases are at the new version. The next chatdb migrate run finishes the work; until then, chatdb "
                + "refuses to write."
                + Self.place(of: record.backup)
        case .migratedAlone(let database, let version, let backup):
            "The \(database.rawValue) database is nevertheless at \(version ?? "no version")." + Self.place(of: backup)
        case .adopted(let databases, let all, let backup):
            (databases.count == all.count
                ? "The adoption is nevertheless complete."
                : "Only the \(databases.map(\.rawValue).joined()) database was adopted. The same command completes it.")
                + Self.place(of: backup)
        case .unknown(let backup):
            "chatdb cannot determine whether anything was changed; chatdb migrate status shows it."
                + Self.place(of: backup)
        }
    }

    private static func place(of backup: String?) -> String { backup.map { " The backup is in \($0)." } ?? "" }
}
