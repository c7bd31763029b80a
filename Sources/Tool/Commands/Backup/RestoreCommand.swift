import ArgumentParser
import ChatDBKit

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a store from a backup.",
        discussion: """
            Checks the backup, shows what is newer in the store, and asks for confirmation. It moves the present files \
            aside and never deletes them. It replaces both databases or neither. If a restore is interrupted, the same \
            command completes it.

            Examples:
              chatdb restore ~/backups/chatdb-20260920T101500Z-20260907_list_indexes
              chatdb restore ~/usb/me-20260920T101500Z-20260907_list_indexes --dry-run
              chatdb restore ~/me.replaced-20260921T080000Z -d ~/me --force --yes
            """)

    @Argument(
        help: ArgumentHelp("The folder of the backup, as chatdb backup prints it.", valueName: "folder"),
        completion: .directory)
    var folder: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Also restore a backup of another store, of a newer version, or without backup.json.")
    var force = false

    @Flag(help: "Show what would be done, without doing it.")
    var dryRun = false

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @Option(
        help: ArgumentHelp(
            "Read the migrations from this folder, which contains chat/ and agent/, not from this build.",
            valueName: "dir"), completion: .directory)
    var migrationsDir: String?

    @Option(help: ArgumentHelp("How long to wait for other programs, in seconds.", valueName: "seconds"))
    var lockTimeout: Double = 5

    func validate() throws {
        if folder.isEmpty { throw ValidationError("the name of the backup folder is empty") }
        guard lockTimeout >= 0, lockTimeout <= 86_400 else {
            throw ValidationError("--lock-timeout must be between 0 and 86400 seconds")
        }
    }

    func run() throws {
        let answer = try output.output()
        Signals.interruptsAskToStop()
        let location = try store.location()
        answer.detail("the store is \(location.prefix)")
        var context = StoreContext(
            engine: store.engine, location: location,
            build: try (migrationsDir.map(MigrationSource.folder) ?? .build).load())
        context.lockTimeout = lockTimeout
        context.cancellation = Signals.cancellation
        let bar = RunProgress(answer)
        defer { bar.finish() }
        context.progress = { bar.show($0) }
        // What is only looked at may be refused later: the objections are part of what is shown.
        let restorer = Restorer(context, force: force || dryRun)
        if let record = try restorer.interrupted(), record.isOf(folder), !dryRun {
            if let report = try restorer.complete() {
                bar.finish()
                CommittedChange.note()
                return try answer.write(
                    RestoredReport(
                        report: report, store: location.prefix, isOlder: false, migrationsDir: migrationsDir,
                        objection: objection(to: report, context)))
            }
        }
        let answered = try ConfirmedChange(output: answer, yes: yes, hasDryRun: true).run(
            read: { RestorePlanReport(plan: try restorer.plan(folder), store: location.prefix) },
            decide: { planned -> ConfirmedChange.Step<any Report> in
                dryRun ? .stop(planned) : .ask(.init(text: planned.question, shown: planned))
            },
            write: { planned -> any Report in
                let report = try restorer.run(planned.plan)
                bar.finish()
                CommittedChange.note()
                return RestoredReport(
                    report: report, store: location.prefix, isOlder: planned.plan.isOlder,
                    migrationsDir: migrationsDir, plan: planned, objection: objection(to: report, context))
            })
        try answer.write(answered)
    }

    /// Why what was replaced cannot be restored in its turn; nil when it can, and when there is nothing.
    private func objection(to report: RestoreReport, _ context: StoreContext) -> String? {
        guard let replaced = report.replaced else { return nil }
        do {
            _ = try Restorer(context, force: true).plan(replaced)
            return nil
        } catch {
            return ErrorReport(error).message
        }
    }
}
