import ChatDBKit

extension StoreError: Reportable {
    var report: ErrorReport { report(of: nil) }

    /// The report, with the file it is about where that is known.
    func report(of path: String?) -> ErrorReport {
        let subject = path.map { message.contains($0) ? message : "\($0): \(message)" } ?? message
        return ErrorReport(
            code, subject, hint: hint, details: path.map { ["path": .string($0)] } ?? [:], exit: exit)
    }

    /// The stable name of the error.
    var code: String {
        switch kind {
        case .missing: "storeNotFound"
        case .sql: "sqlError"
        case .unexpectedRow: "unexpectedRow"
        case .other: "storeError"
        case .inputOutput: "ioError"
        case .busy: "storeLocked"
        default: kind.rawValue
        }
    }

    var exit: ExitStatus {
        switch kind {
        case .missing, .notAFile, .notADatabase, .encrypted, .truncated, .damaged: .noInput
        case .beyondLimits, .denied, .sql, .unexpectedRow: .invalidData
        case .busy, .inUse: .tryAgain
        case .readOnly, .diskFull, .inputOutput, .outOfMemory: .ioError
        case .interrupted: .interrupted
        case .uniqueViolation, .foreignKeyViolation, .constraintViolation: .no
        case .engineTooOld: .unavailable
        case .other: .defect
        }
    }

    private var hint: String? {
        switch kind {
        case .busy, .inUse: "try again when the other program is done"
        case .diskFull where message.contains("TMPDIR"): "free some space there, or let TMPDIR name a folder with more"
        case .diskFull: "free some space and try again"
        case .sql: "chatdb check tells whether the store lacks something"
        case .engineTooOld: "install a newer libsqlite3"
        default: nil
        }
    }
}

extension StoreLocationError: Reportable {
    var report: ErrorReport {
        ErrorReport(code, message, hint: "name the store with --store", exit: .noInput)
    }
}
