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
        let before = Self.names(in: "\(folder)/\(only)")
        if MigrationHint.isFolderOfDatabase(folder), !MigrationHint.hasMigrations(folder) {
            throw MigrationFileError.noMigrationFolders(path: folder)
        }
        let meant = FileState(at: folder) == .missing ? MigrationHint.similarFolder(to: folder) : nil
        do {
            written = try NewMigration.write(name, for: only, in: folder, at: now)
        } catch {
            switch error {
            case .cannotWrite: throw HintedError(error, state: "Nothing was written.", hint: nil)
            case .invalidName:
                let hint = MigrationName.corrected(name).map { corrected -> Hint in
                    "\(.migrateNew, corrected, "--only", only.rawValue)"
                }
                throw HintedError(error, hint: hint)
            case .notLast(let name, let last, _, let proposal?) where Self.canRename(last, for: name, among: before):
                let words = String(MigrationName.words(of: last))
                throw HintedError(
                    error,
                    hint: """
                        \(.migrateNew, proposal, "--only", only.rawValue); or, if \(last) is not applied yet, rename its \
                        files to \(String(last.prefix(8)))_HHMM_\(words) first
                        """)
            default: throw error
            }
        }
        CommittedChange.note()
        let words = MigrationName.words(of: written.name)
        let alike = before.filter { MigrationName.words(of: $0) == words }
        let today = MigrationDay(Date())?.description ?? ""
        let fillsDay = !MigrationName.hasTime(written.name) && written.name.prefix(8) >= today
        try output.write(NewMigrationReport(migration: written, alike: alike, meant: meant, fillsDay: fillsDay))
    }

    /// Whether the last migration, with a time in its name, may sort before a new one of that day. Another migration of
    /// the day without a time would then sort after both.
    private static func canRename(_ last: String, for name: String, among names: [String]) -> Bool {
        let day = last.prefix(8)
        return name.prefix(8) == day && names.filter { $0.prefix(8) == day && !MigrationName.hasTime($0) } == [last]
    }

    /// The migrations of a folder, sorted; none if it cannot be listed, as before the first one.
    private static func names(in folder: String) -> [String] {
        let ending = ".up.sql"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }
}

/// The new files.
private struct NewMigrationReport: Report {
    let migration: NewMigration
    /// The migrations that have the same words.
    let alike: [String]
    /// The question whether another folder was meant; nil without a similar one.
    let meant: String?
    /// Whether the name has no time, so that no later name of its day, which is not over, sorts after it.
    let fillsDay: Bool

    var json: JSONValue {
        [
            "name": .string(migration.name), "up": .string(migration.upPath), "down": .string(migration.downPath),
            "madeFolders": JSONValue(migration.madeFolders), "sameWords": JSONValue(alike),
        ]
    }

    var document: Document {
        [
            .fields([
                Field("Migration", key: "name", .text(migration.name)), Field("Up", key: "up", .text(migration.upPath)),
                Field("Down", key: "down", .text(migration.downPath)),
            ]),
            .notes(notes),
        ]
    }

    private var notes: [Note] {
        var notes = migration.madeFolders.map { Note.note("chatdb made the folder \($0)") }
        if let meant { notes.append(.warning(meant)) }
        if fillsDay {
            let name = migration.name
            notes.append(
                .warning(
                    "\(name) has no time, and names of that day with a time sort before it; to add more migrations on "
                        + "that day, rename both files to \(name.prefix(8))_HHMM_\(MigrationName.words(of: name))"))
        }
        for name in alike {
            notes.append(.warning("\(name) has the same words; remove one of the two if they are one change"))
        }
        notes.append(.note("write the reason and the SQL into both files; chatdb refuses a file without a statement"))
        return notes
    }
}
