import ArgumentParser
import ChatDBKit

struct MigrateVerify: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Test the migrations: up, down and up again, or on a copy of a store.",
        discussion: """
            Without --data, it works in memory: it applies each migration, undoes it, applies it again, and compares \
            the schemas. The tables have only the rows that the migrations insert; a step that loses some of them has \
            to declare data-loss, as in a run. With --server, it does the same with the migrations for PostgreSQL, \
            in schemas of a database that are gone afterwards. The role needs the right to create schemas there.

            With --data, it migrates a private copy of a store to this build's version, in the folder for temporary \
            files (TMPDIR), makes the checks of a run, and removes the copy. It reports the cost of each step, and the \
            data that a run would delete. With --migrations-dir, it then undoes these migrations on the copy, and \
            warns if a run could not. To bring a newer store down, it runs the SQL that is in the store; it shows that \
            SQL and asks for confirmation first. It refuses an encrypted store, because the copy would be plain, and \
            so takes no passphrase.

            Examples:
              chatdb migrate verify
              chatdb migrate verify --migrations-dir ./migrations/sqlite --only chat
              chatdb migrate verify --server 'postgres:///chats?store=main'
              chatdb migrate verify --data ~/chats/me
              chatdb migrate verify --data ~/chats/me --accept-edited
            """)

    @Option(
        help: ArgumentHelp(
            "Migrate a private copy of this store. The store itself is only read.",
            discussion: "Adopted databases: chat=FILE, agent=FILE, or both.", valueName: "store"))
    var data: [String] = []

    @Option(
        help: ArgumentHelp(
            "Test the migrations for PostgreSQL in the database of this store.",
            discussion: "The store itself is not read.", valueName: "address"))
    var server: String?

    @OptionGroup var folder: MigrationsFolderOptions

    @Flag(help: "With --data: continue even if applied migrations were edited afterwards.")
    var acceptEdited = false

    @Option(help: ArgumentHelp("Use only this database.", valueName: "database"))
    var only: DatabaseName?

    @Flag(help: "Do not ask for confirmation before going down on the copy.")
    var yes = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        _ = try NamedFiles(data)
        if acceptEdited, data.isEmpty { throw ValidationError("--accept-edited requires --data") }
        if server != nil, !data.isEmpty { throw ValidationError("--data names a store of files, and --server none") }
    }

    func run() throws {
        // An archive stays unpacked as long as these.
        let paths = OpenedPaths()
        if let server { return try verify(on: paths.engine(of: ServerStore(server)), for: .postgres) }
        let engine = paths.plain
        if let last = data.last {
            let location = try location(of: last, paths)
            try location.requireNamed(only, by: "--data")
            if let server = location.server { throw ReadOnlyStoreError.onServer(server) }
            try requirePlain(location, paths, isArchive: paths.isArchive(last))
            let migrator = Migrator(engine: engine, location: location, build: try migrations(of: location, engine))
            let report = try withExtendedLifetime(paths) { try rehearse(migrator, Verifier(engine: engine)) }
            for note in migrator.context.unusedMigrations(in: folder.migrationsDir, by: "--data") {
                try output.output().note(note)
            }
            try VerifyReport(report: report, isRehearsal: true).write(to: output.output())
            if !report.isOK { throw Answer(status: .no) }
            return
        }
        try verify(on: engine, for: .sqlite)
    }

    /// Throws for an encrypted store. The store itself stays encrypted: the hint is about a copy.
    private func requirePlain(_ location: StoreLocation, _ paths: OpenedPaths, isArchive: Bool) throws {
        do {
            try paths.requirePlain(location)
        } catch let error as ReadOnlyStoreError {
            if isArchive { throw error }
            let words = location.databases.flatMap { ["--database", "\($0)=\($0 == .chat ? "COPY" : "OTHER")"] }
            let removal = HintedCommand(.passphraseRemove, location.hasNamedFiles ? words : ["-d", "COPY"])
            throw HintedError(
                error,
                hint: """
                    copy the files of the store into another folder, each with its -wal, and make the copy plain there: \
                    \(removal); then name the copy with --data, and remove it after the rehearsal. Of a store of SimpleX \
                    Chat, chatdb rehearses nothing
                    """)
        }
    }

    private func location(of last: String, _ paths: OpenedPaths) throws -> StoreLocation {
        do {
            return try NamedFiles(data).map(paths.location) ?? paths.location(of: last)
        } catch StoreLocationError.notAStore(let path) where StoreLocationError.mayBeDatabase(path) {
            throw HintedError(
                StoreLocationError.notAStore(path),
                hint: "name the store, or a database of any name with --data \(ShellWord.quoted("chat=\(path)"))")
        }
    }

    /// The migrations for a store. The file of an applied one may be empty, which only the store shows.
    private func migrations(
        of location: StoreLocation, _ engine: any StorageEngine
    ) throws -> [DatabaseName: [Migration]] {
        do {
            return try folder.migrations()
        } catch MigrationFileError.invalid(let problems) {
            let build = try folder.migrationsForPlan(for: .sqlite)
            let context = StoreContext(engine: engine, location: location, build: build)
            let edits = EditedNames(joining: (try? context.status())?.readable.values.map(\.edits) ?? [])
            if edits.emptied.isEmpty { throw MigrationFileError.invalid(problems) }
            throw HintedError(MigrationError.edited(edits), state: Self.state, hint: Hint.ofEmptiedMigration)
        }
    }

    private func verify(on engine: any StorageEngine, for syntax: SQLSyntax) throws {
        let build = try folder.migrations(for: syntax)
        let verifier = Verifier(engine: engine)
        let report = Verifier.Report(
            joining: try (only.map { [$0] } ?? DatabaseName.allCases).map { database in
                try verifier.verify(build[database] ?? [], of: database)
            })
        if folder.migrationsDir == nil, syntax == .sqlite, let unread = Self.unreadFolder {
            try output.output().note(
                "the migrations in \(unread) were not tested; --migrations-dir \(unread) tests them")
        }
        for note in folder.migrationsDir.map(MigrationsFolderOptions.unreadFolders) ?? [] {
            try output.output().note(note)
        }
        try output.write(VerifyReport(report: report, isRehearsal: false, isOfBuild: folder.migrationsDir == nil))
        if !report.isOK { throw Answer(status: .no) }
    }

    /// The folder of migrations here in which `migrate new` would write; nil without one.
    private static var unreadFolder: String? {
        ["migrations", "migrations/sqlite"].first(where: MigrationHint.hasMigrations)
    }

    /// Ctrl-C stops it in order, so that it removes the copy.
    private func rehearse(_ migrator: Migrator, _ verifier: Verifier) throws -> Verifier.Report {
        Signals.interruptsAskToStop()
        var migrator = migrator
        if let only { migrator.context.only = only }
        migrator.context.cancellation = Signals.cancellation
        let bar = RunProgress(try output.output())
        migrator.options.confirmation = MigrationCommand(
            output: try output.output(), migrationsDir: folder.migrationsDir
        )
        .confirmation(yes ? .yesUpDown : .console, hasDryRun: false) { bar.clear() }
        migrator.context.progress = { bar.show($0) }
        defer { bar.finish() }
        do {
            return try MigrationHint.adding(for: migrator, in: folder.migrationsDir) {
                try refuseEdited(migrator)
                return try verifier.rehearse(migrator)
            }
        } catch MigrationError.noFile(let path) {
            let similar = SimilarStores.suggestion(ofFile: path).map(Hint.init(text:))
            let hint = ReplacedStore.hint(ofFile: path) ?? similar ?? "check the path of --data"
            throw HintedError(MigrationError.noFile(path: path), hint: hint)
        } catch MigrationError.noStore(let path) {
            let hint = SimilarStores.optionOfProgram("--data", meantBy: path).map(Hint.init(text:))
            throw HintedError(MigrationError.noStore(path: path), hint: hint)
        } catch let error as StoreError where error.kind == .interrupted {
            throw HintedError(MigrationError.interrupted, state: Self.state, hint: nil)
        } catch MigrationError.notEnoughSpace(let needed, let free, let path) {
            throw HintedError(
                MigrationError.notEnoughSpace(needed: needed, free: free, path: path), state: Self.state,
                hint: "free some space, or set TMPDIR to a folder with more")
        } catch let error as any Reportable {
            throw HintedError(error, state: Self.state, hint: error.report.hint?.namingData)
        }
    }

    /// A rehearsal refuses what a run would refuse.
    private func refuseEdited(_ migrator: Migrator) throws {
        let readable = try migrator.context.status().readable
        let parts = readable.values
        let edits = EditedNames(joining: parts.map(\.edits))
        let isChanged = parts.contains { !$0.pending.isEmpty || !$0.unknown.isEmpty }
        if acceptEdited || isChanged, let refusal = parts.lazy.compactMap(migrator.context.refusalOfEdits).first {
            throw refusal
        }
        if !acceptEdited, isChanged, !edits.all.isEmpty {
            // The command that accepts the edit of an empty file is no way out.
            let hint: Hint? =
                edits.emptied.isEmpty
                ? "restore the files as they were, or continue with them as they are with --accept-edited" : nil
            throw HintedError(MigrationError.edited(edits), hint: hint)
        }
        if !edits.all.isEmpty {
            let files = try NamedFiles(data)?.arguments
            let given = GivenOptions(
                store: files == nil ? data.last : nil, files: files ?? [], migrationsDir: folder.migrationsDir,
                only: only)
            let edited = readable.mapValues(\.edits).onlyEdited
            for warning in StoreStatus.editedWarnings(edits, in: edited) {
                try output.output().warn(given.text(warning))
            }
        }
    }

    private static let state = "The store was only read, and no copy of it is left."
}

extension Hint {
    /// The same for this command, whose option for files is `--data`. Its commands keep their own options.
    fileprivate var namingData: Hint {
        Hint(
            parts.map { part in
                guard case .text(let text) = part else { return part }
                return .text(text.replacing("--database", with: "--data"))
            })
    }
}
