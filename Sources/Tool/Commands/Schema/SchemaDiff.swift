import ArgumentParser
import Engine
import EngineSQLite
import Migrations
import Schema

struct SchemaDiff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Show how a store's schema differs from its version's, or from another store's.",
        discussion: """
            + is there and not expected, - is expected and not there, ~ is there in another form.

            Examples:
              chatdb schema diff
              chatdb schema diff --exit-code -d ~/Downloads/somebody
              chatdb schema diff ~/backup/me -d ~/chats/me
            """)

    @Argument(
        help: ArgumentHelp("Another store to compare with, instead of the version's schema.", valueName: "other-store"))
    var other: String?

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "End with 1 when there is a difference.")
    var exitCode = false

    func run() throws {
        let build = try MigrationSource.build.load()
        let migrator = Migrator(engine: SQLiteEngine(), location: try store.location(), build: build)
        let there = try other.map { Migrator(engine: SQLiteEngine(), location: try .resolve($0), build: build) }
        var differences: [SchemaDiffReport.Row] = []
        let status = try migrator.status()
        for database in DatabaseName.allCases where status.parts[database] != nil {
            let found =
                try there.map { other in
                    try migrator.liveStructure(of: database).differences(from: other.liveStructure(of: database))
                } ?? migrator.drift(of: database)
            differences += found.map { SchemaDiffReport.Row(database: database, difference: $0) }
        }
        try output.write(SchemaDiffReport(rows: differences))
        if exitCode, !differences.isEmpty { throw Answer(status: .no) }
    }
}

/// Differences between two schemas.
struct SchemaDiffReport: Report {
    struct Row {
        let database: DatabaseName
        let difference: StructureDifference
    }

    let rows: [Row]

    var json: JSONValue {
        [
            "differences": .array(
                rows.map { row in
                    [
                        "database": .string(row.database.rawValue), "kind": .string(row.difference.kind.rawValue),
                        "object": .string(row.difference.object.rawValue), "name": .string(row.difference.name),
                        "expected": JSONValue(row.difference.expected), "found": JSONValue(row.difference.found),
                    ]
                })
        ]
    }

    var document: Document {
        [
            .table(
                Table(
                    [
                        Column("", key: "sign"), Column("Database"), Column("What", key: "object"), Column("Name"),
                        Column("Expected", shrinking: .end), Column("Found", shrinking: .end),
                    ],
                    rows: rows.map { row in
                        let sign: Cell =
                            switch row.difference.kind {
                            case .extra: .text("+", .good)
                            case .missing: .text("-", .bad)
                            case .different: "~"
                            }
                        return [
                            sign, .text(row.database.rawValue), .text(row.difference.object.rawValue),
                            .text(row.difference.name), .text(row.difference.expected), .text(row.difference.found),
                        ]
                    }, whenEmpty: "no differences"))
        ]
    }
}
