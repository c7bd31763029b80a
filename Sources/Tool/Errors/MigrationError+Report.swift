import ChatDBKit
import Foundation

extension MigrationFailure: Reportable {
    var report: ErrorReport {
        let report = error.report
        return ErrorReport(
            report.code, report.message, state: state.sentence, hint: report.hint, details: report.details,
            exit: report.exit)
    }
}

extension StoreState {
    /// In what state the store is, in a sentence or two.
    var sentence: String {
        switch self {
        case .unchanged:
            "Nothing was changed."
        case .unchangedWithBackup(let path):
            "Nothing was changed. The backup that was made is in \(path)."
        case .interrupted(let record):
            "The agent database is at \(record.courses[.agent]?.to ?? "no version"), the chat database still at "
                + "\(record.courses[.chat]?.from ?? "no version"); the next run completes this."
                + Self.place(of: record.backup)
        case .completed(let record):
            "The run of \(record.startedAt) that was interrupted was completed. Nothing else was changed."
        case .partlyMade:
            "What was made of the new store is still there; the next chatdb migrate run removes it."
        case .migrated(let record):
            "Both databases are at the new version; the next chatdb migrate run tidies up, and nothing is written before."
                + Self.place(of: record.backup)
        case .migratedAlone(let database, let version, let backup):
            "The \(database.rawValue) database is at \(version ?? "no version") all the same." + Self.place(of: backup)
        case .unknown(let backup):
            "Whether anything was changed cannot be told now; chatdb migrate status tells." + Self.place(of: backup)
        }
    }

    private static func place(of backup: String?) -> String { backup.map { " The backup is in \($0)." } ?? "" }
}

extension MigrationError: Reportable {
    var report: ErrorReport {
        switch self {
        case .database(_, let path, let error):
            return error.report(of: path)
        case .noStore(let path):
            // Which may be another store than the one the command line names.
            return ErrorReport(
                code, message,
                hint: "check the path; chatdb migrate run -d \(ShellWord.quoted(path)) makes a new store",
                details: details, exit: exit)
        case .system(let error):
            return error.report
        case .invalidMigration(let error):
            return error.report
        case .noBackupFolder(let error):
            let isDisk =
                [.diskFull, .inputOutput].contains(error.kind) && error.engineCode != Int(ENOTDIR)
                && error.engineCode != Int(EEXIST)
            return ErrorReport(
                code, message, state: "Nothing was changed.", hint: hint, exit: isDisk ? .ioError : .cannotCreate)
        case .backupFailed(let error):
            return ErrorReport(code, message, hint: hint, details: ["cause": .string(error.code)], exit: .ioError)
        default:
            return ErrorReport(code, message, hint: hint, details: details, exit: exit)
        }
    }

    /// The names scripts look at.
    private var details: JSONValue {
        switch self {
        case .needsUpgrade(let names), .needsDowngrade(let names), .editedMigration(let names):
            ["migrations": JSONValue(names)]
        case .noDownMigration(let database, let names):
            ["database": .string(database.rawValue), "migrations": JSONValue(names)]
        case .differentHistory(let name, let build, let database):
            ["in": .string(name.rawValue), "build": .string(build), "database": .string(database)]
        case .migrationFailed(let failed):
            [
                "database": .string(failed.database.rawValue), "migration": .string(failed.migration),
                "direction": .string(failed.direction.rawValue), "file": .string(failed.source),
                "statement": JSONValue(failed.statement), "line": JSONValue(failed.line),
                "text": .string(failed.text), "cause": .string(failed.cause.message),
            ]
        case .interruptedMigration(let record, _):
            [
                "agent": JSONValue(record.courses[.agent]?.to), "chat": JSONValue(record.courses[.chat]?.from),
                "backup": JSONValue(record.backup),
            ]
        case .interruptedRestore(let record):
            ["backup": .string(record.backup), "replaced": .string(record.aside)]
        case .notEnoughSpace(let needed, let free, let path):
            ["needed": .integer(needed), "free": .integer(free), "path": .string(path)]
        case .inUse(_, let holders):
            [
                "holders": .array(
                    holders.map { ["pid": .integer(Int64($0.pid)), "program": .string($0.program)] })
            ]
        case .damaged(_, let problems): ["problems": JSONValue(problems)]
        case .unknownTrigger(_, let names): ["names": JSONValue(names)]
        case .lostRows(_, let migration, let table, let before, let after):
            [
                "migration": .string(migration), "table": .string(table), "before": JSONValue(before),
                "after": JSONValue(after),
            ]
        case .lostColumn(_, let migration, let table, let column, _):
            ["migration": .string(migration), "table": .string(table), "column": .string(column)]
        case .lostMore(_, let loss, let planned): ["loss": loss.json, "planned": JSONValue(planned)]
        case .wrongResult(_, _, let differences), .drift(_, let differences):
            ["differences": JSONValue(differences.map { "\($0.kind.rawValue) \($0.object.rawValue) \($0.name)" })]
        default: [:]
        }
    }

    private var exit: ExitStatus {
        switch self {
        case .needsUpgrade, .needsDowngrade, .noDownMigration, .differentHistory, .editedMigration,
            .interruptedMigration, .interruptedRestore, .mismatchedPair, .drift, .unreadableIntentRecord:
            .wrongVersion
        case .unknownTarget, .tooManySteps, .wrongDirection: .usage
        case .declined, .readOnlyStore, .unknownTrigger, .danglingReferences: .no
        case .noStore, .noFolder, .incompleteStore, .wouldNotBelong, .strayFile, .notOurs, .damaged: .noInput
        case .storeLocked, .inUse: .tryAgain
        case .notEnoughSpace, .backupFailed, .noBackupFolder: .ioError
        case .migrationFailed(let failed): failed.cause.exit == .ioError ? .ioError : .invalidData
        case .lostRows, .lostColumn, .lostMore, .madeDanglingReferences, .wrongResult, .invalidMigration: .invalidData
        case .interrupted: .interrupted
        case .database(_, _, let error), .system(let error): error.exit
        }
    }
}

extension MigrationFileError: Reportable {
    var report: ErrorReport {
        switch self {
        case .invalid(let invalid):
            let problems = invalid.problems.map { problem -> JSONValue in
                ["file": .string(problem.file), "line": JSONValue(problem.line), "reason": .string(problem.reason)]
            }
            // Several problems take a line each.
            let lines = description.split(separator: "\n").map(String.init)
            return ErrorReport(
                code, lines.first ?? "", lines: Array(lines.dropFirst()), state: "Nothing was changed.",
                details: ["problems": .array(problems), "count": JSONValue(invalid.count)], exit: .invalidData)
        case .noFolder, .noMigrationFolders, .notAFolder:
            return ErrorReport(
                code, description, hint: "--migrations-dir names the folder that holds chat/ and agent/", exit: .noInput
            )
        case .cannotRead: return ErrorReport(code, description, exit: .ioError)
        case .invalidName, .notLast: return ErrorReport(code, description, exit: .invalidData)
        case .fileExists: return ErrorReport(code, description, exit: .cannotCreate)
        case .cannotWrite: return ErrorReport(code, description, exit: .cannotCreate)
        }
    }
}
