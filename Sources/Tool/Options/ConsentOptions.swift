import ArgumentParser
import ChatDBKit

/// The options of every command that removes or overwrites data.
struct ConsentOptions: ParsableArguments {
    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Flag(help: "Show what would change, and change nothing.")
    var dryRun = false

    /// Whether the reader of the answer has just seen the plan, before the question: both are on a terminal.
    func hasShownPlan(on output: Output) -> Bool {
        let terminal = output.terminal
        return !yes && !dryRun && output.format == .table && terminal.inputIsTerminal && terminal.errorIsTerminal
            && terminal.outputIsTerminal
    }
}

/// The option of a command that deletes relays or servers, and keeps them in a preset file.
struct KeepOptions: ParsableArguments {
    @Flag(help: "Do not keep what is deleted in a file beside the store, or in a backup.")
    var noBackup = false

    /// Whether what is deleted is kept in a file. An archive stays as it is, and needs no copy.
    func isKept(of store: StoreOptions) -> Bool { !noBackup && store.archive == nil }
}

/// Options of the backup that a command makes before it deletes or migrates.
struct UndoOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Create the backup in this folder instead of <store>.backups beside the store.", valueName: "dir"),
        completion: .directory)
    var backupDir: String?

    @Flag(help: "Do not make a backup.")
    var noBackup = false

    func validate() throws {
        if backupDir?.isEmpty == true { throw ValidationError("the name of the backup folder is empty") }
        if noBackup, backupDir != nil { throw ValidationError("--no-backup and --backup-dir cannot be used together") }
    }

    private static let unchanged = "Nothing was changed."

    /// Backs the store up, unless `--no-backup`, and returns the folder. Throws before anything has changed.
    func backUp(_ store: StoreOptions, _ output: Output) throws -> String? {
        noBackup ? nil : try Self.backUp(store, to: backupDir, output)
    }

    /// Backs a store up before a change. The backup is not the purpose of the command, but its precondition.
    static func backUp(_ store: StoreOptions, to backupDir: String?, _ output: Output) throws -> String {
        let folder = try backupDir ?? store.location().backupsPath
        do {
            return try store.backUp(to: backupDir, output)
        } catch MigrationError.noBackupFolder(let error) {
            throw MigrationHint.backupFailed(MigrationError.backupFailed(error), folder)
        } catch let error as MigrationError {
            switch error {
            case .notEnoughSpace(_, _, let path):
                throw HintedError(
                    error, state: unchanged,
                    hint: MigrationHint.space(path, backupDir == nil ? .folder(nil) : .folder(path)))
            case .backupFailed: throw MigrationHint.backupFailed(error, folder)
            default: throw HintedError(error, state: unchanged, hint: nil)
            }
        }
    }
}

extension StoreOptions {
    /// Backs both databases up, and returns the folder of the backup. Throws before anything has changed.
    /// - Parameter folder: the folder of all backups; nil is the one beside the store.
    func backUp(to folder: String?, _ output: Output) throws -> String {
        var context = StoreContext(
            engine: try engine(), location: try location(),
            build: try MigrationSource.build.load(for: location().syntax))
        context.cancellation = Signals.cancellation
        let bar = RunProgress(output)
        defer { bar.finish() }
        context.progress = { bar.show($0) }
        if context.location.server != nil {
            try DefaultFolder.make(DefaultStore.folder)
            return try context.backUpServer(to: folder)
        }
        return try context.backUp(to: folder, reusesEqual: true).path
    }
}
