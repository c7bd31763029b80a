import ChatDBKit

extension RestoreError: Reportable {
    var report: ErrorReport {
        ErrorReport(code, message, state: state, hint: hint, details: details, exit: exit)
    }

    private var state: String {
        guard case .notFinished(let record, _) = self else { return "Nothing was changed." }
        return "What was there is in part in \(record.aside), beside the store."
    }

    private var details: JSONValue {
        switch self {
        case .notThere(let folder), .noBackup(let folder), .mismatched(let folder): ["path": .string(folder)]
        case .incomplete(let folder, let missing): ["path": .string(folder), "missing": .string(missing.rawValue)]
        case .damaged(let folder, let problems): ["path": .string(folder), "problems": JSONValue(problems)]
        case .refused(let folder, .unverified): ["path": .string(folder)]
        case .refused(let folder, .otherStore(let backup, let store)):
            ["path": .string(folder), "backup": .string(backup), "store": .string(store)]
        case .refused(let folder, .newerVersion(let names)):
            ["path": .string(folder), "migrations": JSONValue(names)]
        case .linked(let path): ["path": .string(path)]
        case .planOutdated: [:]
        case .notFinished(let record, let error):
            ["backup": .string(record.backup), "replaced": .string(record.aside), "cause": .string(error.code)]
        }
    }

    private var exit: ExitStatus {
        switch self {
        case .notThere, .noBackup, .incomplete, .damaged, .mismatched: .noInput
        case .refused(_, .newerVersion): .wrongVersion
        case .refused, .linked: .no
        case .planOutdated: .tryAgain
        case .notFinished: .ioError
        }
    }
}
