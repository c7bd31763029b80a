import ArgumentParser
import Engine
import EngineSQLite
import Migrations
import Schema

struct SchemaShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the tables, or the columns of one, with what they mean and who may see them.",
        discussion: """
            Shows this build's tables, or with -d those a store has now. A column that is not in the catalogue counts as \
            secret.

            Examples:
              chatdb schema show
              chatdb schema show chat_relays
              chatdb schema show connections --only agent -d ~/chats/me
            """)

    @Argument(help: "A table.")
    var table: String?

    @Option(help: ArgumentHelp("Only this database.", valueName: "database"))
    var only: DatabaseName?

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let build = try MigrationSource.build.load()
        var tables: [SchemaTable] = []
        for database in only.map({ [$0] }) ?? DatabaseName.allCases {
            let structure = try structure(of: database, build)
            tables += structure.tables.sorted { $0.key < $1.key }.map {
                SchemaTable(database: database, name: $0.key, structure: $0.value)
            }
        }
        guard let table else { return try output.write(SchemaTablesReport(tables: tables)) }
        let found = tables.filter { $0.name == table }
        if found.isEmpty {
            throw NameError.notFound(
                code: "tableNotFound", message: "there is no table \"\(table)\"", name: table,
                candidates: tables.map(\.name),
                list: "chatdb schema show")
        }
        try output.write(SchemaColumnsReport(tables: found))
    }

    private func structure(of database: DatabaseName, _ build: [DatabaseName: [Migration]]) throws -> DatabaseStructure
    {
        guard store.path != nil else {
            return try SchemaText.structure(of: build[database] ?? [], engine: SQLiteEngine())
        }
        let location = try store.location()
        if location.state(of: database) == .missing, location.missing.count == 1 { return DatabaseStructure() }
        return try Migrator(engine: SQLiteEngine(), location: location, build: build).liveStructure(of: database)
    }
}

/// A table with what the catalogue says of it.
struct SchemaTable {
    let database: DatabaseName
    let name: String
    let structure: TableStructure

    var entry: CatalogueTable? { Catalogue.table(name, of: database) }

    /// Who may see a column; what nobody has described counts as secret.
    func columnClass(_ column: String) -> ColumnClass { entry?.column(column)?.columnClass ?? .secret }
}

/// The tables.
struct SchemaTablesReport: Report {
    let tables: [SchemaTable]

    var json: JSONValue {
        [
            "tables": .array(
                tables.map { table in
                    [
                        "database": .string(table.database.rawValue), "name": .string(table.name),
                        "columns": JSONValue(table.structure.columns.count), "meaning": JSONValue(table.entry?.meaning),
                    ]
                })
        ]
    }

    var document: Document {
        [
            .table(
                Table(
                    [
                        Column("Database"), Column("Table", key: "name"), Column("Columns", alignment: .right),
                        Column("Meaning", shrinking: .end),
                    ],
                    rows: tables.map { table in
                        [
                            .text(table.database.rawValue), .text(table.name), .count(table.structure.columns.count),
                            .text(table.entry?.meaning),
                        ]
                    }, whenEmpty: "no tables"))
        ]
    }
}

/// The columns of a table, in both databases when both have it.
struct SchemaColumnsReport: Report {
    let tables: [SchemaTable]

    var json: JSONValue {
        [
            "tables": .array(
                tables.map { table in
                    [
                        "database": .string(table.database.rawValue), "name": .string(table.name),
                        "meaning": JSONValue(table.entry?.meaning),
                        "columns": .array(
                            table.structure.columns.map { column in
                                [
                                    "name": .string(column.name), "type": .string(column.type),
                                    "notNull": .bool(column.notNull),
                                    "class": .string(table.columnClass(column.name).rawValue),
                                    "meaning": JSONValue(table.entry?.column(column.name)?.meaning),
                                ]
                            }),
                    ]
                })
        ]
    }

    var document: Document {
        Document(
            tables.flatMap { table -> [Block] in
                [
                    .heading("\(table.name) (\(table.database))"),
                    .paragraph(table.entry?.meaning ?? "Not in the catalogue."),
                    .table(columns(of: table)),
                ]
            })
    }

    private func columns(of table: SchemaTable) -> Table {
        Table(
            [Column("Column", key: "name"), Column("Type"), Column("Class"), Column("Meaning", shrinking: .end)],
            rows: table.structure.columns.map { column in
                [
                    .text(column.name), .text(column.type), .text(table.columnClass(column.name).rawValue),
                    .text(table.entry?.column(column.name)?.meaning),
                ]
            }, whenEmpty: "no columns")
    }
}
