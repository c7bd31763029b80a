import ArgumentParser
import ChatDBKit
import Foundation

struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create the two files of a new migration.",
        discussion: """
            NAME is words, which chatdb puts after today's date, or a full name, YYYYMMDD_words. It must sort after \
            all migrations of that database.

            Examples:
              chatdb migrate new "channel colours" --only chat
              chatdb migrate new 20270101_agent_proxies --only agent --migrations-dir .
            """)

    @Argument(help: "Words, or a full name.")
    var name: String

    @Option(help: ArgumentHelp("The database of the migration.", valueName: "database"))
    var only: DatabaseName

    @Option(help: ArgumentHelp("The folder that contains chat/ and agent/.", valueName: "dir"), completion: .directory)
    var migrationsDir = "migrations/sqlite"

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard let today = MigrationDay(Date()) else { throw ValidationError("the clock of this machine is not set") }
        let written: NewMigration
        do {
            written = try NewMigration.write(name, for: only, in: migrationsDir, on: today)
        } catch {
            guard case .cannotWrite = error else { throw error }
            throw HintedError(error, state: "Nothing was written.", hint: nil)
        }
        CommittedChange.note()
        try output.write(NewMigrationReport(migration: written))
    }
}

/// The new files.
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
            .notes([.note("write the reason and the SQL into both files; chatdb refuses them until then")]),
        ]
    }
}
