import ArgumentParser

/// Moves stores between versions.
struct MigrateCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate a store between versions.",
        discussion: """
            Before a run on an existing store, chatdb makes a verified backup, unless --no-backup is given. A run \
            changes both databases or neither.

            Examples:
              chatdb migrate status
              chatdb migrate run --yes
              chatdb migrate down --steps 1
            """,
        subcommands: [
            MigrateRun.self, MigrateUp.self, MigrateDown.self, MigratePlan.self, MigrateStatus.self, MigrateVerify.self,
            MigrateNew.self, MigrateBaseline.self,
        ])
}
