package import ChatDBKit

/// Differences between two schemas, as a diff.
package struct SchemaDiffReport: Report {
    package struct Row {
        package let database: DatabaseName
        package let kind: StructureDifference.Kind
        package let object: String
        package let name: String
        package let expected: String?
        package let found: String?

        package init(_ database: DatabaseName, _ difference: StructureDifference) {
            self.database = database
            kind = difference.kind
            object = difference.object.rawValue
            name = difference.name
            expected = difference.expected
            found = difference.found
        }

        /// A database that only one of two stores has.
        package init(whole database: DatabaseName, _ kind: StructureDifference.Kind) {
            self.database = database
            self.kind = kind
            object = "database"
            name = database.rawValue
            expected = nil
            found = nil
        }
    }

    package let rows: [Row]

    package init(rows: [Row]) {
        self.rows = rows
    }

    package var json: JSONValue { ["differences": .array(rows.map { Self.fields.json($0) })] }
    package var csvTable: Table { Self.fields.csv(rows) }

    private static var fields: [FieldSpec<Row>] {
        [
            .text("database") { $0.database.rawValue }, .text("kind") { $0.kind.rawValue },
            .text("object") { $0.object }, .text("name") { $0.name }, .text("expected") { $0.expected },
            .text("found") { $0.found },
        ]
    }

    package var document: Document {
        [
            .table(
                Table(
                    [
                        Column("", key: "sign"), Column("Database"), Column("What", key: "object"),
                        Column("Name", shrinking: .end), Column("Definition", shrinking: .end),
                    ], rows: rows.flatMap(lines), whenEmpty: "no differences"))
        ]
    }

    /// The expected line first, as in a diff. A difference in one part shows both lines, or it would look like a
    /// missing or extra whole.
    private func lines(_ row: Row) -> [[Cell]] {
        var lines: [[Cell]] = []
        if row.kind != .extra { lines.append(line(.text("-", .bad), row, row.expected)) }
        if row.kind != .missing { lines.append(line(.text("+", .good), row, row.found)) }
        return lines
    }

    private func line(_ sign: Cell, _ row: Row, _ definition: String?) -> [Cell] {
        [sign, .text(row.database.rawValue), .text(row.object), .text(row.name), .text(definition)]
    }
}
