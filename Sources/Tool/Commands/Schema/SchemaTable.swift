import ChatDBKit

/// A table with what the catalogue says of it.
struct SchemaTable {
    let database: DatabaseName
    let name: String
    let structure: TableStructure

    /// The tables of a database, by name.
    static func all(in structure: DatabaseStructure, of database: DatabaseName) -> [SchemaTable] {
        structure.tables.sorted { $0.key < $1.key }.map {
            SchemaTable(database: database, name: $0.key, structure: $0.value)
        }
    }

    var entry: CatalogueTable? { Catalogue.table(name, of: database) }

    /// Who may see a column; a column that the catalogue does not describe counts as secret.
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

    /// One table for all: a spreadsheet has no headings between its rows.
    var csvTable: Table {
        Table(
            ["Database", "Table", "Name", "Type", "Not null", "Class", "Meaning"].map { Column($0) },
            rows: tables.flatMap { table in
                table.structure.columns.map { column in
                    [
                        .text(table.database.rawValue), .text(table.name), .text(column.name), .text(column.type),
                        .yesNo(column.notNull), .text(table.columnClass(column.name).rawValue),
                        .text(table.entry?.column(column.name)?.meaning),
                    ]
                }
            }, whenEmpty: "")
    }
}
