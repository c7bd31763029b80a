import ArgumentParser
import ChatDBKit

struct BackupMake: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "make",
        abstract: "Make a verified backup of a store, even while it is in use.",
        discussion: """
            Copies both databases as they are at one moment into a new folder, with a manifest, and checks each copy \
            in full. Works on a store of any version, on a store of SimpleX Chat, and on a single database. Without \
            DIR, it creates the folder in <store>.backups, beside the store.

            Examples:
              chatdb backup make
              chatdb backup make /media/usb -d ~/chats/me
              chatdb backup make --keep-backups 7 --format json
            """)

    @Argument(
        help: ArgumentHelp("Create the backup's folder in this folder.", valueName: "dir"), completion: .directory)
    var dir: String?

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @OptionGroup var folder: MigrationsFolderOptions
    @OptionGroup var kept: KeepBackupsOptions

    @OptionGroup var lock: LockTimeoutOptions

    func validate() throws {
        if dir?.isEmpty == true { throw ValidationError("the name of the backup folder is empty") }
    }

    func run() throws {
        let answer = try output.output()
        Signals.interruptsAskToStop()
        let location = try store.location()
        answer.detail("the store is \(location.prefix)")
        try store.requireWritable()
        store.limitWaiting(to: lock)
        var context = StoreContext(
            engine: try store.fileEngine(), location: location, build: try folder.migrations())
        context.lockTimeout = lock.seconds
        context.cancellation = Signals.cancellation
        let bar = RunProgress(answer)
        defer { bar.finish() }
        context.progress = { bar.show($0) }
        let report = try backUp(context)
        bar.finish()
        CommittedChange.note()
        if let record = report.interrupted { answer.warn(record.middle) }
        try answer.write(
            BackupMadeReport(
                report: report, store: location, build: context.build, migrationsDir: folder.migrationsDir))
    }

    /// Here the backup is the purpose of the command, and its folder an argument.
    private func backUp(_ context: StoreContext) throws -> BackupReport {
        do {
            return try context.backUp(to: dir, keeping: kept.count)
        } catch let error as MigrationError {
            var report =
                if case .backupFailed = error {
                    MigrationHint.backupFailed(error, dir ?? context.location.backupsPath).report
                } else { error.report }
            report.state = report.state ?? "Nothing was changed."
            switch error {
            case .backupFailed, .notEnoughSpace:
                report.hint = "free some space, or name another folder: \(.backupMake, "DIR")"
            case .damaged:
                report.hint =
                    "copy the files of the store and those beside them to another place now; \(.check) shows the damage"
            default: break
            }
            throw report
        }
    }
}
