import ArgumentParser
import ChatDBKit

/// The migrations that a command works with, and its store.
struct MigrationSourceOptions: ParsableArguments {
    @OptionGroup var store: StoreOptions

    @Option(
        help: ArgumentHelp(
            "Read the migrations from this folder, which contains chat/ and agent/, not from this build.",
            valueName: "dir"), completion: .directory)
    var migrationsDir: String?

    @Option(
        help: ArgumentHelp(
            "Use only this database. Do not create, read or require the other one.", valueName: "database"))
    var only: DatabaseName?

    /// The options given, for commands in notes.
    var repeated: GivenOptions {
        GivenOptions(store: store.path, passphrase: store.passphrase.repeated, migrationsDir: migrationsDir)
    }

    func migrations() throws -> [DatabaseName: [Migration]] {
        try (migrationsDir.map(MigrationSource.folder) ?? .build).load()
    }

    /// A migrator for the store, which Ctrl-C stops.
    func migrator(mayCreate: Bool = false) throws -> Migrator {
        let location = try mayCreate ? store.locationForCreating() : store.location()
        var migrator = Migrator(engine: try store.engine(), location: location, build: try migrations())
        migrator.context.only = only
        migrator.context.cancellation = Signals.cancellation
        return migrator
    }
}
