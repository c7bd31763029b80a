import ArgumentParser
import ChatDBKit
import Foundation

struct MigrateNew: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new", abstract: "Create the two files of a new migration.",
        discussion: """
            NAME is words or a full name. chatdb puts the time in UTC before words: YYYYMMDD_HHMM_words. A full name \
            begins with a day, or a day and a time, and chatdb does not change it. It must sort after all migrations \
            of that database. chatdb makes the folders if they do not exist.

            Without --migrations-dir, the folder is migrations; or migrations/sqlite, if that exists, and migrations \
            has neither chat/ nor agent/.

            Examples:
              chatdb migrate new "channel colours" --only chat
              chatdb migrate new 20270101_agent_proxies --only agent --migrations-dir .
            """)

    @Argument(help: "Words, or a full name.")
    var name: String

    @Option(help: ArgumentHelp("The database of the migration.", valueName: "database"))
    var only: DatabaseName

    @Option(help: ArgumentHelp("The folder that contains chat/ and agent/.", valueName: "dir"), completion: .directory)
    var migrationsDir: String?

    @OptionGroup var output: OutputOptions

    private var folder: String {
        if let migrationsDir { return migrationsDir }
        let (own, nested) = ("migrations", "migrations/sqlite")
        return MigrationHint.hasMigrations(own) || FileState(at: nested) == .missing ? own : nested
    }

    func run() throws {
        guard let now = MigrationMinute(Date()) else { throw ValidationError("the clock of this machine is not set") }
        let written: NewMigration
        do {
            written = try NewMigration.write(name, for: only, in: folder, at: now)
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
        [
            "name": .string(migration.name), "up": .string(migration.upPath), "down": .string(migration.downPath),
            "madeFolders": JSONValue(migration.madeFolders),
        ]
    }

    var document: Document {
        [
            .fields([
                Field("Migration", key: "name", .text(migration.name)), Field("Up", key: "up", .text(migration.upPath)),
                Field("Down", key: "down", .text(migration.downPath)),
            ]),
            .notes(
                migration.madeFolders.map { .note("chatdb made the folder \($0)") }
                    + [.note("write the reason and the SQL into both files; chatdb refuses them until then")]),
        ]
    }
}
