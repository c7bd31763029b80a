import ChatDBKit

/// A table with its description in the catalogue.
struct SchemaTable {
    let database: DatabaseName
    let name: String
    let structure: TableStructure
    /// The description; nil for a table that the catalogue does not describe.
    let entry: CatalogueTable?

    /// The tables of a database, by name.
    /// - Parameter known: the description of a table of this name.
    static func all(
        in structure: DatabaseStructure, of database: DatabaseName, known: (String) -> CatalogueTable?
    ) -> [SchemaTable] {
        structure.tables.sorted { $0.key < $1.key }.map {
            SchemaTable(database: database, name: $0.key, structure: $0.value, entry: known($0.key))
        }
    }

    /// The class of a column; a column that the catalogue does not describe counts as secret.
    func columnClass(_ column: String) -> ColumnClass { entry?.column(column)?.columnClass ?? .secret }
}

/// The tables.
struct SchemaTablesReport: Report {
    let tables: [SchemaTable]

    var json: JSONValue { ["tables": .array(tables.map { Self.fields.json($0) })] }
    var document: Document { [.table(Self.fields.table(tables, whenEmpty: "no tables"))] }

    private static var fields: [FieldSpec<SchemaTable>] {
        [
            .text("database", "Database") { $0.database.rawValue }, .text("name", "Table") { $0.name },
            .count("columns", "Columns") { $0.structure.columns.count },
            .text("meaning", "Meaning", shrinking: .end) { $0.entry?.meaning },
        ]
    }
}

/// A column of a table.
private struct SchemaColumn {
    let table: SchemaTable
    let column: ColumnStructure

    static var fields: [FieldSpec<SchemaColumn>] {
        [
            .csv("database") { .text($0.table.database.rawValue) }, .csv("table") { .text($0.table.name) }, name, type,
            .flag("notNull") { $0.column.notNull }, columnClass, meaning,
        ]
    }

    /// The columns of one table, for people.
    static var listed: [FieldSpec<SchemaColumn>] { [name, type, columnClass, meaning] }

    private static var name: FieldSpec<SchemaColumn> { .text("name", "Column") { $0.column.name } }
    private static var type: FieldSpec<SchemaColumn> { .text("type", "Type") { $0.column.type } }
    private static var columnClass: FieldSpec<SchemaColumn> {
        .text("class", "Class") { $0.table.columnClass($0.column.name).rawValue }
    }
    private static var meaning: FieldSpec<SchemaColumn> {
        .text("meaning", "Meaning", shrinking: .end) { $0.table.entry?.column($0.column.name)?.meaning }
    }
}

extension SchemaTable {
    fileprivate var columns: [SchemaColumn] { structure.columns.map { SchemaColumn(table: self, column: $0) } }
}

/// The columns of a table, in both databases if both have it.
struct SchemaColumnsReport: Report {
    let tables: [SchemaTable]

    /// What stands in the place of a meaning. The notes of `query` call the class of such columns unknown.
    private static let unknown = "Not in the catalogue: its columns count as secret, and query calls them unknown."

    var json: JSONValue {
        [
            "tables": .array(
                tables.map { table in
                    [
                        "database": .string(table.database.rawValue), "name": .string(table.name),
                        "meaning": JSONValue(table.entry?.meaning),
                        "columns": .array(table.columns.map { SchemaColumn.fields.json($0) }),
                    ]
                })
        ]
    }

    var document: Document {
        Document(
            tables.flatMap { table -> [Block] in
                [
                    .heading("\(table.name) (\(table.database))"),
                    .paragraph(table.entry?.meaning ?? Self.unknown),
                    .table(SchemaColumn.listed.table(table.columns, whenEmpty: "no columns")),
                ]
            })
    }

    /// One table for all: a spreadsheet has no headings between its rows.
    var csvTable: Table { SchemaColumn.fields.csv(tables.flatMap(\.columns)) }
}
