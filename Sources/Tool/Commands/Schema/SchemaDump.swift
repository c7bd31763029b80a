import ArgumentParser
import ChatDBKit

struct SchemaDump: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Write a schema as canonical SQL.",
        discussion: """
            Writes the schema of the store that -d, \(StoreOptions.variable) or the configuration file names. With \
            --migrations-dir and without -d, it writes the schema that the migrations of this folder create, whatever \
            \(StoreOptions.variable) or the configuration file names. Without any of these, it writes the schema of \
            this build. The same schema gives the same text, however it was made; virtual tables, and the names inside \
            triggers, views, expressions and conditions, stay as they were written.

            Examples:
              chatdb schema dump --only chat > chat.sql
              chatdb schema dump --migrations-dir ./migrations/sqlite
              chatdb schema dump --database chat=app.db > m/chat/20260101_0000_first.up.sql
            """)

    @Option(help: ArgumentHelp("Use only this database.", valueName: "database"))
    var only: DatabaseName?

    @OptionGroup var store: StoreOptions
    @OptionGroup var folder: MigrationsFolderOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !store.paths.isEmpty, folder.migrationsDir != nil {
            throw ValidationError("name either a store or, with --migrations-dir, migrations")
        }
    }

    func run() throws {
        let output = try output.output()
        let readsStore = folder.migrationsDir == nil && store.isNamed
        try output.write(SchemaDumpReport(texts: readsStore ? textsOfStore(output) : textsOfMigrations(output)))
    }

    private func textsOfMigrations(_ output: Output) throws -> [(DatabaseName, String)] {
        // A user who wanted the schema of a database learns of the mistake here.
        if folder.migrationsDir == nil { output.note("this is the schema of this build; no store was named") }
        let build = try folder.migrations()
        return try (only.map { [$0] } ?? DatabaseName.allCases).map { database in
            (database, try SchemaText.sql(of: build[database] ?? [], engine: SQLiteEngine()))
        }
    }

    private func textsOfStore(_ output: Output) throws -> [(DatabaseName, String)] {
        let source = try SchemaSource.store(store.location(), with: store.fileEngine())
        output.detail("this is the schema of \(source.context.location.prefix)")
        let texts = try source.databases(only).map { database in
            (database, SchemaText.sql(of: try source.context.liveStructure(of: database)))
        }
        source.noteMissing(only, on: output)
        for (database, sql) in texts { warn(of: sql, database, output) }
        return texts
    }

    /// Warns if a migration with this text would fail: SQLite accepts some definitions only in a database that has them
    /// already, and chatdb refuses some statements.
    private func warn(of sql: String, _ database: DatabaseName, _ output: Output) {
        // A database without tables has no statements.
        guard sql.contains(where: { !$0.isWhitespace }) else { return }
        let file = (path: "sqlite/\(database)/20260101_first.up.sql", content: sql)
        do {
            let migrations = try MigrationSource.embedded([file]).load(for: .sqlite)[database] ?? []
            _ = try Verifier(engine: SQLiteEngine()).verify(migrations, of: database)
        } catch {
            for reason in Self.reasons(error, database) { output.warn(reason) }
        }
    }

    /// Why a migration with the text of a database fails, a sentence each. The file of this migration is not named: it
    /// does not exist.
    private static func reasons(_ error: any Error, _ database: DatabaseName) -> [String] {
        switch error {
        case MigrationError.migrationFailed(let failed):
            return [
                "statement \(failed.statement) of the \(database) database cannot be run again (\(failed.cause.message)), "
                    + "so a migration with this text fails: docs/adoption.md says what to change in the database"
            ]
        case MigrationError.brokenDefinitions(_, _, let broken):
            return broken.map { definition in
                let named = "\(definition.object.rawValue) \(definition.name)"
                return "the \(named) of the \(database) database lacks what it needs (\(definition.reason)), "
                    + "so a migration with this text fails: leave it out, or correct it"
            }
        case MigrationFileError.invalid(let invalid):
            return invalid.problems.map { problem in
                let line = problem.line.map { "line \($0) of " } ?? ""
                return "a migration with this text fails: in \(line)the \(database) database's SQL, \(problem.reason)"
            }
        case let error as any ChatDBError:
            return ["a migration with this text fails: \(error.info.message)"]
        default: return []
        }
    }
}

/// Canonical SQL per database.
struct SchemaDumpReport: Report {
    let texts: [(database: DatabaseName, sql: String)]

    var json: JSONValue { .object(texts.map { .init($0.database.rawValue, .string($0.sql)) }) }

    var document: Document {
        Document(
            texts.flatMap { database, sql -> [Block] in
                let title = "-- The \(database) database\n\n"
                return [.verbatim((texts.count > 1 ? title : "") + sql, language: "sql")]
            })
    }

    var csvTable: Table {
        Table(
            [Column("Database"), Column("SQL", key: "sql")],
            rows: texts.map { [.text($0.database.rawValue), .text($0.sql)] }, whenEmpty: "")
    }
}
