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
            case .noPermission: .noPermission
            case .defect: .defect
            }
    }
}

extension StoreError {
    /// The report, with the path of the file.
    func report(of path: String) -> ErrorReport { ErrorReport(info(about: path), hint: hint) }
}

extension UnreadableFile: Hinted {
    var hint: Hint? { error.hint ?? rescue }
}

extension MigrationFailure {
    var report: ErrorReport { ErrorReport(library: self, state: state.sentence, hint: hint) }
}
