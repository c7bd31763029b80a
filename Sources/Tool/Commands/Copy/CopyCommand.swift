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
