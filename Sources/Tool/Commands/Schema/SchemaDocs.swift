import ArgumentParser
import EngineSQLite
import Migrations
import Schema

struct SchemaDocs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "docs", abstract: "Write the reference of tables and columns as Markdown.",
        discussion: """
            Examples:
              chatdb schema docs --only chat
              chatdb schema docs -o docs/schema --force
            """)

    @Option(help: ArgumentHelp("Only this database.", valueName: "database"))
    var only: DatabaseName?

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write chat.md and agent.md into this folder instead of standard output.", valueName: "dir"),
        completion: .directory)
    var folder: String?

    @Flag(help: "Replace files that are there.")
    var force = false

    @OptionGroup var output: OutputOptions

    func run() throws {
        let build = try MigrationSource.build.load()
        let output = try output.output()
        for database in only.map({ [$0] }) ?? DatabaseName.allCases {
            let text = try SchemaReference.markdown(of: database, build[database] ?? [], engine: SQLiteEngine())
            guard let folder else {
                try output.standardOutput(Array(text.utf8))
                continue
            }
            let path = "\(folder)/\(database).md"
            try NewOutputFile.write(Array(text.utf8), to: path, replacing: force)
            output.note("written to \(path)")
        }
    }
}
