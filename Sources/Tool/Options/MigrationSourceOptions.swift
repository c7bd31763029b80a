import ArgumentParser
import ChatDBKit

/// The migrations that a command works with, and its store.
struct MigrationSourceOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @OptionGroup var folder: MigrationsFolderOptions

    @Option(
        help: ArgumentHelp(
            "Use only this database. Do not create, read or require the other one.", valueName: "database"))
    var only: DatabaseName?

    func validate() throws {
        guard let only, let files = try NamedFiles(store.paths), files.paths[only] == nil else { return }
        throw ValidationError("--only names the \(only) database, and --database another one")
    }

    var migrationsDir: String? { folder.migrationsDir }

    /// The options given, for commands in notes.
    var repeated: GivenOptions {
        var options = store.repeated
        options.migrationsDir = migrationsDir
        return options
    }

    func migrations() throws -> [DatabaseName: [Migration]] { try folder.migrations() }

    /// A migrator for the store, which Ctrl-C stops.
    func migrator(mayCreate: Bool = false) throws -> Migrator {
        let location = try mayCreate ? store.locationForCreating() : store.location()
        var migrator = Migrator(engine: try store.engine(), location: location, build: try migrations())
        if let only { migrator.context.only = only }
        migrator.context.cancellation = Signals.cancellation
        return migrator
    }
}

/// The option of commands that work with migrations, which may not be chatdb's own.
struct MigrationsFolderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the migrations from this folder, which contains chat/ and agent/, not from this build.",
            valueName: "dir"), completion: .directory)
    var migrationsDir: String?

    func migrations() throws -> [DatabaseName: [Migration]] {
        try (migrationsDir.map(MigrationSource.folder) ?? .build).load()
    }
}
