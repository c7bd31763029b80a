import ArgumentParser
import ChatDBKit

struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a store from files to a PostgreSQL server, or back, and verify the copy.",
        discussion: """
            Makes a new store at the place that --to names. chatdb compares every row of the copy with the row that it \
            read; a server computes the sums itself. If anything fails, there is nothing of the store at that place.

            The store that was copied is marked as moved, and chatdb only reads it from then on: two copies that both \
            change would break the encryption of their conversations. While it is copied, no program can write it. \
            With --keep-both it gets no mark, and programs may go on writing: the copy is of one moment. A store that was \
            moved before can be copied in this way too. If chatdb ends before it sets the mark, the same command compares \
            all rows once more, and sets it.

            A server does not hold texts with a NUL byte or with bytes that are not UTF-8, nor references to missing \
            rows. chatdb names them by table, column and row, and copies nothing.

            Examples:
              chatdb copy --to 'postgres:///chats?store=main'
              chatdb copy -d 'postgres:///chats?store=main' --to ~/chats/me
              chatdb copy --to 'postgres:///chats?store=main' --dry-run --format json
            """)

    @Option(
        help: ArgumentHelp(
            "The place of the copy: postgres://HOST/DATABASE?store=NAME, or the prefix of new files.",
            valueName: "store"),
        completion: .file())
    var to: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Leave the store as it is, without the mark that it was moved.")
    var keepBoth = false

    @Flag(help: "Write U+FFFD in the place of bytes of a text that a server does not hold, and count these texts.")
    var replaceBadText = false

    @Flag(help: "Look for what cannot be copied and count the rows, and change nothing.")
    var dryRun = false

    @OptionGroup var lock: LockTimeoutOptions

    func validate() throws {
        if to.isEmpty { throw ValidationError("the place of the copy is empty") }
    }

    func run() throws {
        let answer = try output.output()
        Signals.interruptsAskToStop()
        let target = try store.location(of: to)
        answer.detail("the store is \(try store.location().prefix), and the copy \(target.prefix)")
        try store.requireWritable()
        // A server stores no encrypted pages.
        try store.requirePlain()
        store.limitWaiting(to: lock)
        let bar = RunProgress(answer, isCopy: true)
        defer { bar.finish() }
        var options = CopyOptions()
        options.keepsBoth = keepBoth
        options.replacesBadText = replaceBadText
        let source = try context(of: store.location(), store.engine(), bar)
        let copy = StoreCopy(
            from: source, to: try context(of: target, store.engine(of: target), bar), options: options)
        let report: CopyReport
        do {
            report = try dryRun ? copy.check() : copy.run()
        } catch let error as CopyError {
            guard case .sameKind = error, source.location.hasNamedFiles else { throw error }
            let files = source.location.databases.flatMap { ["--database", "\($0)=FILE"] }
            throw HintedError(error, hint: CopyError.copyOfFiles(HintedCommand(.restore, ["FOLDER"] + files)))
        } catch let error as MigrationError {
            if case .noFolder(let path) = error, target.server == nil, path == target.folder {
                throw HintedError(
                    error,
                    hint:
                        "create the folder first (mkdir -p \(ShellWord.quoted(path))), or name another place with --to")
            }
            guard case .needsUpgrade = error, let lost = source.databasesWithLostMigrations.first else { throw error }
            throw HintedError(error, hint: Hint.lostMigrations(of: lost))
        }
        bar.finish()
        if !dryRun { CommittedChange.note() }
        try answer.write(CopiedStoreReport(report: report, isApplied: !dryRun, marks: !keepBoth))
    }

    private func context(
        of location: StoreLocation, _ engine: any StorageEngine, _ bar: RunProgress
    ) throws -> StoreContext {
        var context = StoreContext(
            engine: engine, location: location, build: try MigrationSource.build.load(for: location.syntax))
        context.lockTimeout = lock.seconds
        context.cancellation = Signals.cancellation
        context.progress = { bar.show($0) }
        return context
    }
}

extension CopyError: Hinted {
    var hint: Hint? {
        switch self {
        case .sameKind(let source, _) where ServerStore.isNamed(by: source): "--to names the prefix of new files"
        case .sameKind(_, let target): Self.copyOfFiles(HintedCommand(.restore, ["FOLDER", "-d", target]))
        case .notAPair: "name the store by the prefix of both databases"
        case .targetExists: "give the copy another place"
        case .notCopyable(let problems) where problems.allSatisfy(\.isText):
            "--replace-bad-text writes U+FFFD in the place of these bytes"
        case .notCopyable(let problems) where problems.contains(where: \.isOfServer):
            "change these numbers with psql: a file has no NaN and no negative zero"
        case .notCopyable(let problems) where problems.contains(where: \.isText):
            """
            \(.check) shows what refers to missing rows and how to repair it; --replace-bad-text writes U+FFFD in the \
            place of the other bytes
            """
        case .notCopyable: "\(.check) shows what refers to missing rows and how to repair it"
        case .refused(_, _, let cause) where cause.kind == .beyondLimits:
            "in the store, make the longest value of the row, or of the columns of the index, shorter"
        case .refused: "\(.check) shows whether the store breaks a rule"
        case .differs: "this is a defect in chatdb; please report it with the command you ran"
        case .notMarked: "write neither of them, and run the same command again: it compares the rows and sets the mark"
        case .changedSince: "use one of the two from now on, and move the other one away"
        case .otherTables, .otherColumns: "use the chatdb that made the store"
        }
    }

    /// What to do instead of a copy from files to files.
    ///
    /// - Parameter restore: the command that writes a backup to the other place.
    fileprivate static func copyOfFiles(_ restore: HintedCommand) -> Hint {
        """
        --to names a store on a server. To copy files, \(.backupMake) makes a verified copy, and \(restore) writes it to \
        another place. Let apps use only one of the two
        """
    }
}
