import ArgumentParser

/// Moves stores between versions.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a store between versions.", subcommands: [MigrateRun.self])
}
