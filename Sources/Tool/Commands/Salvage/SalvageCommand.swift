import ArgumentParser
import ChatDBKit
import Foundation

struct SalvageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "salvage",
        abstract: "Save what can be read of a damaged store into a new one.",
        discussion: """
            Reads the pages of a damaged database itself, and writes the rows that it finds into a new database with the \
            same schema. A database that is in order is copied as it is. The damaged store is not changed. Rows that have \
            no place in the new store are written into another database beside it (NEW_chat_lost_and_found.db). \
            The report shows for each table how many rows were saved, doubtful, set aside and lost, and what check finds \
            in the new store. Exits with 1 unless everything was saved. Works on stores of chatdb and of SimpleX Chat, of any \
            version, and on a single database, but not on encrypted ones.

            Examples:
              chatdb salvage -d ~/case/x --output ~/case/saved
              chatdb salvage -d ~/case/x --output ~/case/saved --only chat
              chatdb salvage -d ~/case/archive.zip --output ~/case/saved --format json
            """)

    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "Write the new store here: NEW means NEW_chat.db and NEW_agent.db, which must not exist.",
            valueName: "new"), completion: .file())
    var output: String

    @Option(help: "Salvage only this database, even if it is in order. The other one is copied if it is in order.")
    var only: DatabaseName?

    @OptionGroup var format: OutputOptions

    func validate() throws {
        if output.isEmpty { throw ValidationError("the name of the new store is empty") }
    }

    func run() throws {
        let answer = try format.output()
        Signals.interruptsAskToStop()
        let location = try store.location()
        try location.requireNamed(only)
        answer.detail("the store is \(location.prefix)")
        // The databases may be in other folders until the change is completed.
        if let record = try? RestoreRecord.read(at: location), record.rewriting != nil {
            try RestoreRecord.refuse(at: location)
        }
        let target = try newLocation()
        let salvage = StoreSalvage(
            from: location, to: target, only: only, engine: try store.engineWithoutPassphrase(), answer)
        let saved: SalvagedStore
        do {
            saved = try salvage.run()
        } catch let error as StoreError {
            throw report(of: error, location, target)
        } catch let error as any Reportable where error.report.state == nil {
            throw HintedError(error, state: Self.unwritten, hint: nil)
        }
        CommittedChange.note()
        let new = try StoreSalvage.named(target, like: location)
        let report = SalvageReport(saved: saved, next: HintedCommand(.check, new.words).text())
        try answer.write(report)
        report.note(to: answer)
        if !saved.isWhole { throw Answer(status: .no) }
    }

    private static let unwritten = "Nothing was written."

    /// An error with the path of a store: of the new one for errors of writing, and of the damaged one for others.
    private func report(of error: StoreError, _ location: StoreLocation, _ target: StoreLocation) -> ErrorReport {
        let isOfTarget =
            [.diskFull, .inputOutput, .readOnly].contains(error.kind) && !isRefused(error, location)
        var report = error.report(of: isOfTarget ? target.prefix : location.prefix)
        report.state = Self.unwritten
        switch error.kind {
        case .encryptedUnsupported:
            report.hint = """
                \(.restore, "FOLDER") restores a backup; without one, \(.query, "SQL") reads the tables that are whole
                """
        case .inputOutput where isRefused(error, location):
            report.hint = "change the permissions of the files, or run chatdb as their owner"
        case .notADatabase, .truncated, .notAFile:
            if let other = readable(besides: error, location) {
                report.hint = """
                    \(.salvage, "--output", output, "--only", other.rawValue) saves the \(other) database, and leaves out \
                    this file
                    """
            } else if error.kind == .notADatabase {
                report.hint = "find another copy of the file, or a backup that \(.restore, "FOLDER") restores"
            }
        case .inputOutput, .readOnly: report.hint = report.hint ?? "check the disk, or name another place with --output"
        default: break
        }
        return report
    }

    /// Whether the system does not permit to read a file of the damaged store.
    private func isRefused(_ error: StoreError, _ location: StoreLocation) -> Bool {
        [EACCES, EPERM].contains(error.systemError ?? 0)
            && DatabaseName.allCases.contains { error.message.hasPrefix(location.path(of: $0)) }
    }

    /// The other database, if this file of the two has no pages to read and chatdb can read the pages of the other one.
    private func readable(besides error: StoreError, _ location: StoreLocation) -> DatabaseName? {
        guard only == nil,
            let failed = location.databases.first(where: { error.message.hasPrefix(location.path(of: $0)) }),
            let other = location.databases.first(where: { $0 != failed }),
            let engine = try? store.engineWithoutPassphrase(),
            (try? engine.schemaRemains(of: location.path(of: other), Signals.cancellation)) != nil
        else { return nil }
        return other
    }

    /// The location of the new store. Throws for a folder, because the files need a name.
    private func newLocation() throws -> StoreLocation {
        let given = try StoreLocation(prefix: output)
        for database in DatabaseName.allCases where output.hasSuffix("_\(database).db") {
            return try StoreLocation(prefix: String(given.prefix.dropLast("_\(database).db".count)))
        }
        if given.prefix.hasSuffix("/") || FileState(at: given.prefix) == .notRegular(.directory) {
            throw SalvageOutputError.folder(output)
        }
        return given
    }
}

/// The place that `--output` names cannot be used.
enum SalvageOutputError: Reportable {
    case folder(String)
    case exists(String)

    var report: ErrorReport {
        switch self {
        case .folder(let path):
            ErrorReport(
                "fileExists", "\(path) is a folder, and the new store needs a name", state: "Nothing was written.",
                hint:
                    "name a store in the folder: --output \(ShellWord.quoted((path as NSString).appendingPathComponent("saved")))",
                details: ["path": .string(path)], exit: .cannotCreate)
        case .exists(let path):
            ErrorReport(
                "fileExists", "\(path) already exists", state: "Nothing was written.",
                hint: "name another store with --output", details: ["path": .string(path)], exit: .cannotCreate)
        }
    }
}
