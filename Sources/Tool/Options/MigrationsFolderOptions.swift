import ArgumentParser
import ChatDBKit

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
