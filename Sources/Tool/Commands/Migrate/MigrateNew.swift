import ArgumentParser
import ChatDBKit
import Foundation

struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Begin a new migration: write its two files.",
        discussion: """
            NAME is words (today's date is put in front) or a whole name, YYYYMMDD_words. It must sort after all \
            migrations of that database.

            Examples:
              chatdb migrate new "channel colours" --only chat
              chatdb migrate new 20270101_agent_proxies --only agent --migrations-dir .
            """)

    @Argument(help: "Words, or a whole name.")
    var name: String

    @Option(help: ArgumentHelp("The database it is for.", valueName: "database"))
    var only: DatabaseName

    @Option(help: ArgumentHelp("The folder that holds chat/ and agent/.", valueName: "dir"), completion: .directory)
    var migrationsDir = "migrations/sqlite"

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let today = MigrationDay(Date()) else { throw ValidationError("the clock of this machine is not set") }
        let written = try NewMigration.write(name, for: only, in: migrationsDir, on: today)
        CommittedChange.note()
        try output.write(NewMigrationReport(migration: written))
    }
}

/// What was written.
private struct NewMigrationReport: Report {
    let migration: NewMigration

    var json: JSONValue {
        ["name": .string(migration.name), "up": .string(migration.upPath), "down": .string(migration.downPath)]
    }

    var document: Document {
        [
            .fields([
                Field("Migration", key: "name", .text(migration.name)), Field("Up", key: "up", .text(migration.upPath)),
                Field("Down", key: "down", .text(migration.downPath)),
            ]),
            .notes([.note("write why and what into both; until then they are refused")]),
        ]
    }
}
