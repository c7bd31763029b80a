import ArgumentParser

/// Moves stores between versions.
struct Migrate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Move a store between versions.",
        discussion: """
            Every run on an existing store makes a verified backup first, and changes both databases or neither.

            Examples:
              chatdb migrate status
              chatdb migrate run --confirm yes-up
              chatdb migrate down --steps 1
            """,
        subcommands: [
            MigrateRun.self, MigrateUp.self, MigrateDown.self, MigratePlan.self, MigrateStatus.self, MigrateVerify.self,
            MigrateNew.self,
        ])
}
