import ArgumentParser
import ChatDBKit

struct SchemaDump: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dump", abstract: "Write the schema that the migrations create, as canonical SQL.",
        discussion: """
            The same schema gives the same text, however many migrations created it.

            Examples:
              chatdb schema dump --only chat > chat.sql
              chatdb schema dump --migrations-dir ./migrations/sqlite
            """)

    @Option(help: ArgumentHelp("Use only this database.", valueName: "database"))
    var only: DatabaseName?

    @Option(
        help: ArgumentHelp(
            "Read the migrations from this folder, which contains chat/ and agent/, not from this build.",
            valueName: "dir"),
        completion: .directory)
    var migrationsDir: String?

    @OptionGroup var output: OutputOptions

    func run() throws {
        let build = try (migrationsDir.map(MigrationSource.folder) ?? .build).load()
        let texts = try (only.map { [$0] } ?? DatabaseName.allCases).map { database in
            (database, try SchemaText.sql(of: build[database] ?? [], engine: SQLiteEngine()))
        }
        try output.write(SchemaDumpReport(texts: texts))
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
