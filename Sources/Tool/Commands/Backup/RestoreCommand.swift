import ArgumentParser
import ChatDBKit

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore a store from a backup.",
        discussion: """
            Checks the backup, shows what each table of the store would lose, and asks for confirmation. It moves the \
            present files aside and never deletes them. It replaces both databases or neither. If a restore is \
            interrupted, the same command completes it. Without the passphrase of an encrypted store, chatdb cannot \
            compare the store with the backup; --force then restores a plain backup.

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
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    @Flag(
        help: """
            Also restore a backup of another store, of a newer version, or without backup.json; or a plain backup over an \
            encrypted store whose passphrase is lost.
            """)
    var force = false

    @OptionGroup var migrations: MigrationsFolderOptions

    @OptionGroup var lock: LockTimeoutOptions

    func validate() throws {
        if folder.isEmpty { throw ValidationError("the name of the backup folder is empty") }
    }

    func run() throws {
        let answer = try output.output()
        Signals.interruptsAskToStop()
        let location = try store.location()
        answer.detail("the store is \(location.prefix)")
        try store.requireWritable()
        store.limitWaiting(to: lock)
        let isOverLocked = try isPlainOverEncrypted(location)
        var context = StoreContext(
            engine: try engine(location, isOverLocked), location: location, build: try migrations.migrations())
        context.lockTimeout = lock.seconds
        context.cancellation = Signals.cancellation
        let bar = RunProgress(answer)
        defer { bar.finish() }
        context.progress = { bar.show($0) }
        // A dry run shows the plan with the objections, and then exits as the restore would.
        var restorer = Restorer(context, force: force || consent.dryRun)
        restorer.replacesLocked = force && isOverLocked
        if let record = try restorer.interrupted(), record.isOf(folder), !consent.dryRun {
            if let report = try restorer.complete() {
                bar.finish()
                CommittedChange.note()
                let undoing = undoing(report, context)
                return try answer.write(
                    RestoredReport(
                        report: report, store: location, isOlder: false, migrationsDir: migrations.migrationsDir,
                        objection: undoing.objection, isLocked: undoing.isLocked,
                        beforeAdoption: context.backupBeforeAdoption, copies: try copies(context)))
            }
        }
        var refusal: ExitStatus?
        var isWarned = false
        let answered = try ConfirmedChange(consent, answer).run(
            read: { [restorer] () -> RestorePlanReport in
                let plan = try plan(restorer, location, isOverLocked)
                if !isWarned { warnOfEncryption(context, answer) }
                isWarned = true
                return RestorePlanReport(plan: plan, store: location.prefix, isForced: force, given: repeated)
            },
            decide: { .ask(.init(text: $0.question, shown: $0, audience: .readersOfText)) },
            preview: { planned -> any Report in
                refusal = force ? nil : planned.refusal
                return planned
            },
            write: { [restorer] planned -> any Report in
                let report = try unchangedIfDiskFails(location) { try restorer.run(planned.plan) }
                bar.finish()
                CommittedChange.note()
                let undoing = undoing(report, context)
                return RestoredReport(
                    report: report, store: location, isOlder: planned.plan.isOlder,
                    outOfOrder: planned.plan.outOfOrder,
                    lost: planned.plan.isOlder ? context.databasesWithLostMigrations : [],
                    migrationsDir: migrations.migrationsDir, plan: planned, wasShown: consent.hasShownPlan(on: answer),
                    objection: undoing.objection, isLocked: undoing.isLocked,
                    beforeAdoption: context.backupBeforeAdoption, copies: try copies(context))
            })
        try answer.write(answered)
        if let refusal { throw Answer(status: refusal) }
    }

    /// The options given, for commands in notes.
    private var repeated: GivenOptions {
        var options = store.repeated
        options.migrationsDir = migrations.migrationsDir
        return options
    }

    /// The copies beside an encrypted store, with the files that the restore has replaced; none of a plain store. The
    /// engine of the command may still take files for encrypted that the restore has replaced.
    private func copies(_ context: StoreContext) throws -> CopiesBesideStore {
        .besideEncrypted(context, with: try store.engineWithoutPassphrase())
    }

    /// Whether the backup is plain and the store is encrypted. Such a restore needs no passphrase.
    private func isPlainOverEncrypted(_ location: StoreLocation) throws -> Bool {
        let (plain, backup) = (try store.engineWithoutPassphrase(), databases(for: location))
        return location.databases.contains { plain.looksEncrypted(location.path(of: $0)) }
            && !backup.isEmpty && !backup.contains(where: plain.looksEncrypted)
    }

    /// The engine that reads the store and the backup. With `--force`, the passphrase of a store that a plain backup
    /// replaces may be omitted.
    private func engine(_ location: StoreLocation, _ isOverLocked: Bool) throws -> SQLiteEngine {
        let backup = databases(for: location)
        do {
            return try store.fileEngine(and: backup, mayBeOmitted: force && isOverLocked)
        } catch let error as StoreError {
            guard error.kind == .wrongPassphrase else { throw error }
            // The path of the backup may be mistyped.
            let path = RestoreCommandLine.absolute(folder)
            if FileState(at: path) == .missing { throw missing(RestoreError.notThere(path), location) }
            guard isOverLocked else {
                throw try withPlainBackup(neitherOpens(error, location, backup), location)
            }
            if force {
                throw HintedError(
                    error,
                    hint: """
                        if the passphrase of the store is lost, omit it: chatdb then compares nothing, and keeps the \
                        encrypted files beside the store
                        """)
            }
            throw HintedError(
                error,
                hint: """
                    if the passphrase is lost, omit it: --force restores the backup without a comparison, and keeps the \
                    encrypted files beside the store
                    """)
        } catch let error as HintedError {
            // The hint is about the file of the passphrase.
            let path = RestoreCommandLine.absolute(folder)
            guard error.report.code == "wrongPassphrase", FileState(at: path) == .missing else { throw error }
            throw missing(RestoreError.notThere(path), location)
        }
    }

    /// The error for a passphrase that opens neither the store nor the backup. The restore needs that of the backup.
    private func neitherOpens(
        _ error: StoreError, _ location: StoreLocation, _ backup: [String]
    ) throws -> any Reportable {
        let plain = try store.engineWithoutPassphrase()
        guard let copy = backup.first(where: plain.looksEncrypted) else { return error }
        // One that was typed was tried on the backup alone.
        guard let own = location.databases.map(location.path(of:)).first(where: plain.looksEncrypted),
            !error.message.contains(copy)
        else {
            return HintedError(
                error,
                hint: """
                    the backup was made with another passphrase, such as an earlier one of the store: give that one with \
                    --passphrase-file FILE or --passphrase-stdin
                    """)
        }
        let message = "the passphrase opens neither the backup (\(copy)) nor the store (\(own))"
        if force {
            return HintedError(
                error, message: message,
                hint: "give the passphrase of the backup with --passphrase-file FILE or --passphrase-stdin")
        }
        return HintedError(
            error, message: message,
            hint: """
                give the passphrase of the backup with --passphrase-file FILE or --passphrase-stdin; if the store has \
                another one, --force restores the backup without a comparison
                """)
    }

    /// An error about the passphrase of an encrypted backup. Its hint also names the newest plain backup beside the store,
    /// as `backup list` does.
    private func withPlainBackup(_ error: any Reportable, _ location: StoreLocation) -> any Reportable {
        // The proposed command would read the passphrase of the environment again.
        guard !PassphraseOptions.isInEnvironment, let hint = error.report.hint else { return error }
        let engine = SQLiteEngine()
        let plain = FoundBackup.complete(of: location).first { backup in
            !backup.isOfInterrupted && !backup.isBeforeLostMigrations
                && !(location.hasNamedFiles && backup.isBeforeAdoption)
                && !backup.databases.contains(where: engine.looksEncrypted)
        }
        guard let plain else { return error }
        let isOverEncrypted = location.databases.contains { engine.looksEncrypted(location.path(of: $0)) }
        let restore = HintedCommand(
            .restore, [plain.path] + (isOverEncrypted ? ["--force"] : []), passphrase: .omitted)
        return HintedError(
            error, hint: "\(hint); if the passphrase is lost, \(restore) restores the newest plain backup")
    }

    /// Warns if the backup is encrypted and the store is not, or the other way round.
    private func warnOfEncryption(_ context: StoreContext, _ output: Output) {
        guard let engine = context.engine as? SQLiteEngine else { return }
        let location = context.location
        let backup = databases(for: location).filter { FileState(at: $0) != .missing }
        let store = location.databases.map(location.path(of:)).filter { FileState(at: $0) != .missing }
        let isEncrypted = backup.contains(where: engine.isEncrypted)
        guard !store.isEmpty, !backup.isEmpty, store.contains(where: engine.isEncrypted) != isEncrypted else { return }
        output.warn(
            isEncrypted
                ? "the backup is encrypted, and the store is not: the restored store has the passphrase of the backup"
                : "the store is encrypted, and the backup is not: the restored store is not encrypted")
    }

    /// The files of the backup, with the names of the store's if it has no description.
    private func databases(for location: StoreLocation) -> [String] {
        let path = RestoreCommandLine.absolute(folder)
        if let backup = FoundBackup(at: path), backup.manifest != nil { return backup.databases }
        return location.databases.map { path + "/" + fileName(of: location.path(of: $0)) }
    }

    /// The plan. The error for a folder that does not exist names the backup of this name beside the store:
    /// `backup list` shows backups by their names. Without `backup.json`, nothing says that the databases of another
    /// program are those from before the adoption: the user has to know it.
    private func plan(
        _ restorer: Restorer, _ location: StoreLocation, _ isOverLocked: Bool
    ) throws -> RestorePlan {
        do {
            return try restorer.plan(folder)
        } catch let error as StoreError {
            if error.opensOtherDatabase, databases(for: location).contains(where: error.message.contains) {
                if let change = givingOnePassphrase(location) {
                    throw HintedError(
                        error,
                        hint: """
                            the databases of the folder have two passphrases: \(change) gives both one; after that, \
                            \(.restore, folder, "--force", "--passphrase-file", "NEW") restores them
                            """)
                }
                throw HintedError(
                    error,
                    hint: "the databases of the backup have two passphrases; restore a backup whose databases have one")
            }
            if error.kind == .wrongPassphrase, databases(for: location).contains(where: error.message.contains) {
                throw HintedError(
                    error,
                    hint: """
                        the backup has another passphrase than the store, such as an earlier one of the store: \
                        \(.restore, folder, "--force", "--passphrase-file", "FILE") restores it with that passphrase, \
                        without a comparison
                        """)
            }
            if error.isOfEncryptedLog, let file = databases(for: location).first(where: error.message.contains) {
                throw HintedError(
                    error,
                    message: "\(file) has a write-ahead log, and chatdb reads none of an encrypted database",
                    hint: """
                        move the files of the store to another folder; then copy those of \(folder) to their place, \
                        each with its -wal; then open the store once with the app, and close the app
                        """)
            }
            guard error.kind == .encrypted else { throw error }
            guard isOverLocked else { throw withPlainBackup(error, location) }
            throw HintedError(
                error,
                hint: """
                    give the passphrase with --passphrase-file FILE or --passphrase-stdin; if it is lost, --force restores \
                    the backup without a comparison, and keeps the encrypted files beside the store
                    """)
        } catch let error as RestoreError {
            if case .incomplete = error, location.databases.count == 1 {
                throw HintedError(error, hint: "name a backup of this database: \(.backupList) lists them")
            }
            if case .incomplete(let path, _) = error, !location.hasNamedFiles, let command = ofAdopted(path) {
                throw HintedError(error, hint: "the backup is of one adopted database, so name its file: \(command)")
            }
            guard case .notThere = error else { throw error }
            throw missing(error, location)
        } catch let error as MigrationError {
            if case .readOnlyStore = error {
                throw HintedError(
                    error, message: "the store is SimpleX Chat's, and the backup is of a store of chatdb",
                    hint: "check the path of the store, and that of the backup")
            }
            guard case .notOurs(let database, let path) = error, location.hasNamedFiles,
                path != location.path(of: database),
                FileState(at: parentFolder(of: path) + "/backup.json") == .missing
            else { throw error }
            throw HintedError(
                error,
                hint: """
                    the folder has no backup.json; if it is a backup from before the adoption, close all programs that \
                    use the store, move its databases away with their -wal and -journal, and copy the files of the \
                    folder to their places
                    """)
        }
    }

    /// The error for a folder that does not exist.
    private func missing(_ error: RestoreError, _ location: StoreLocation) -> any Error {
        let path = location.backupsPath + "/" + folder
        if !folder.contains("/"), FoundBackup(at: path) != nil {
            return HintedError(error, hint: "\(.restore, path) restores the backup with this name")
        }
        guard (try? FoundBackup.all(in: location.backupsPath))?.isEmpty == false else { return error }
        return HintedError(error, hint: "\(.backupList) lists the backups of the store")
    }

    /// The command that gives the databases of a folder of replaced files one passphrase. Nil for a backup with a
    /// description, whose files have to stay as they are.
    private func givingOnePassphrase(_ location: StoreLocation) -> HintedCommand? {
        let path = RestoreCommandLine.absolute(folder)
        guard FileState(at: path + "/backup.json") == .missing else { return nil }
        let files = location.databases.map { ($0, path + "/" + fileName(of: location.path(of: $0))) }
        let store =
            location.hasNamedFiles
            ? files.flatMap { ["--database", "\($0.0)=\($0.1)"] } : ["-d", path + "/" + fileName(of: location.prefix)]
        return HintedCommand(.passphraseChange, store + ["--other-passphrase-file", "FILE"])
    }

    /// The command that restores the backup of one adopted database; nil for a backup of another store.
    private func ofAdopted(_ path: String) -> HintedCommand? {
        guard let manifest = FoundBackup(at: path)?.manifest, manifest.parts.count == 1, !manifest.isSimplex,
            let (database, part) = manifest.parts.first,
            part.version.map({ !MigrationSource.ownNames.contains($0) }) ?? (manifest.identity == nil)
        else { return nil }
        let folder = parentFolder(of: path)
        let file = folder.hasSuffix(".backups") ? String(folder.dropLast(".backups".count)) : ""
        let isThere = fileName(of: file) == part.file && FileState(at: file).bytes != nil
        let migrations = part.version == nil ? [] : ["--migrations-dir", migrations.migrationsDir ?? "DIR"]
        return HintedCommand(
            .restore, [self.folder, "--database", "\(database)=\(isThere ? file : "FILE")"] + migrations)
    }

    /// Adds the path and the state to an error of the disk. After the first change, the error is `notFinished`.
    private func unchangedIfDiskFails<T>(_ location: StoreLocation, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as any Reportable {
            let report = error.report
            guard report.exit == .ioError, report.state == nil else { throw error }
            throw HintedError(
                error, message: report.namesPath ? nil : "\(location.prefix): \(report.message)",
                state: "Nothing was changed.",
                hint: report.hint ?? "check that the disk works and has free space, then try again")
        }
    }

    /// The reason why the replaced store cannot be restored, nil if it can, or if the restore replaced nothing; and
    /// whether the replaced files have another passphrase than the given one, which is no such reason.
    private func undoing(_ report: RestoreReport, _ context: StoreContext) -> (objection: String?, isLocked: Bool) {
        guard let replaced = report.replaced else { return (nil, false) }
        do {
            try Restorer(context).checkBackup(replaced)
            return (nil, false)
        } catch {
            if (error as? StoreError)?.isOfEncryptedLog == true {
                let log = "one of the databases has a write-ahead log, which may have the newest changes"
                return ("\(log), and chatdb reads no log of an encrypted database", false)
            }
            if case RestoreError.damaged(_, let problems) = error, let problem = problems.first {
                return ("one of the databases cannot be read (\(problem))", false)
            }
            let problem = ErrorReport(error)
            let isLocked = ["encrypted", "wrongPassphrase"].contains(problem.code)
            return (isLocked ? nil : problem.message, isLocked)
        }
    }
}
