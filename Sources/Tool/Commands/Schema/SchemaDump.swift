import ArgumentParser
import ChatDBKit

struct SchemaDump: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Write a schema as canonical SQL.",
        discussion: """
            Writes the schema of the databases that --database names; otherwise the schema that the migrations create. \
            The same schema gives the same text, however it was made.

            Examples:
              chatdb schema dump --only chat > chat.sql
              chatdb schema dump --migrations-dir ./migrations/sqlite
              chatdb schema dump --database chat=app.db > m/chat/20260101_first.up.sql
            """)

    @Option(help: ArgumentHelp("Use only this database.", valueName: "database"))
    var only: DatabaseName?

    @Option(
        help: ArgumentHelp("Write the schema of this file: chat=FILE or agent=FILE.", valueName: "name=file"),
        completion: .file())
    var database: [String] = []

    @OptionGroup var folder: MigrationsFolderOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if database.isEmpty { return }
        if try NamedFiles(database) == nil {
            throw ValidationError("--database names a file: chat=FILE or agent=FILE")
        }
        if folder.migrationsDir != nil || only != nil {
            throw ValidationError("--database cannot be used with --migrations-dir or --only")
        }
    }

    func run() throws {
        let files = try NamedFiles(database)
        try output.write(SchemaDumpReport(texts: try files.map(textsOfFiles) ?? textsOfMigrations()))
    }

    private func textsOfMigrations() throws -> [(DatabaseName, String)] {
        let build = try folder.migrations()
        return try (only.map { [$0] } ?? DatabaseName.allCases).map { database in
            (database, try SchemaText.sql(of: build[database] ?? [], engine: SQLiteEngine()))
        }
    }

    private func textsOfFiles(_ files: NamedFiles) throws -> [(DatabaseName, String)] {
        let location = try StoreLocation(files: files.paths)
        let source = try SchemaSource.store(location, with: SQLiteEngine())
        return try source.databases(nil).map { database in
            (database, SchemaText.sql(of: try source.context.liveStructure(of: database)))
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
