import ArgumentParser
import ChatDBKit

struct SchemaDocs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs", abstract: "Write the reference of the tables and columns as Markdown.",
        discussion: """
            Examples:
              chatdb schema docs --only chat
              chatdb schema docs -o docs/schema --force
            """)

    @Option(help: ArgumentHelp("Use only this database.", valueName: "database"))
    var only: DatabaseName?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write chat.md and agent.md into this folder instead of standard output.", valueName: "dir"),
        completion: .directory)
    var folder: String?

    @OptionGroup var source: MigrationsFolderOptions

    @Flag(help: "With --output: replace existing files.")
    var force = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if force, folder == nil { throw ValidationError("--force requires --output") }
    }

    func run() throws {
        let build = try source.migrations()
        let output = try output.output()
        let texts = try (only.map { [$0] } ?? DatabaseName.allCases).map { database in
            (
                database,
                try SchemaReference.markdown(
                    of: database, build[database] ?? [], engine: SQLiteEngine(),
                    generatedBy: HintedCommand(.schemaDocs).text())
            )
        }
        guard let folder else { return try write(SchemaDocsReport(texts: texts), output) }
        let files = texts.map { ("\(folder)/\($0.0).md", $0.1) }
        // Checks all files before it writes the first: afterwards either every file exists, or none does.
        if !force { for (path, _) in files { try NewOutputFile.requireFree(path) } }
        for (path, _) in files {
            if let meaning = KeptFiles(store: nil).meaning(of: path) { throw OutputFileError.kept(path, meaning) }
        }
        for (path, text) in files { try NewOutputFile.write(Array(text.utf8), to: path, replacing: force, of: nil) }
        try output.write(SchemaFilesReport(paths: files.map(\.0)))
    }

    /// The reference is Markdown already.
    private func write(_ report: SchemaDocsReport, _ output: Output) throws {
        switch output.format {
        case .table, .markdown: for (_, text) in report.texts { try output.standardOutput(Array(text.utf8)) }
        case .json, .csv: try output.write(report)
        }
    }
}

/// The reference of each database.
struct SchemaDocsReport: Report {
    let texts: [(database: DatabaseName, text: String)]

    var json: JSONValue { .object(texts.map { .init($0.database.rawValue, .string($0.text)) }) }

    var document: Document { Document(texts.map { .verbatim($0.text, language: "markdown") }) }

    var csvTable: Table {
        Table(
            [Column("Database"), Column("Markdown")],
            rows: texts.map { [.text($0.database.rawValue), .text($0.text)] }, whenEmpty: "")
    }
}

/// The files that were written.
struct SchemaFilesReport: Report {
    let paths: [String]

    var json: JSONValue { ["files": JSONValue(paths)] }

    var document: Document { Document(paths.map { .paragraph("Written: \($0)") }) }

    var csvTable: Table { Table([Column("File")], rows: paths.map { [.text($0)] }, whenEmpty: "") }
}
