import ChatDBKit

/// A store that was copied, or would be.
struct CopiedStoreReport: Report {
    let report: CopyReport
    /// Whether the copy was made.
    let isApplied: Bool
    /// Whether the copy sets the mark in the store.
    let marks: Bool

    private static var tables: [FieldSpec<CopyReport.Table>] {
        [
            .text("database", "Database") { $0.database.rawValue },
            .text("table", "Table") { $0.name },
            .count("rows", "Rows") { $0.rows },
            FieldSpec(
                "sum", Column("Sum", key: "sum"), json: { JSONValue($0.sum) }, csv: { .text($0.sum) },
                cell: { .text($0.sum.map { String($0.prefix(16)) }) }),
        ]
    }

    var json: JSONValue {
        [
            "applied": .bool(isApplied), "from": .string(report.from.prefix), "to": .string(report.to.prefix),
            "storeId": .string(report.identity.storeID), "generation": .integer(report.identity.generation),
            "rows": JSONValue(report.rows), "replacedTexts": JSONValue(report.replacedTexts),
            "moved": .bool(report.hasMoved), "wasThere": .bool(report.wasThere),
            "tables": .array(report.tables.map { Self.tables.json($0) }),
        ]
    }

    var document: Document {
        let rows = report.rows == 1 ? "1 row" : "\(report.rows) rows"
        return [
            .paragraph(sentence(rows)),
            .fields([
                Field("Store", key: "from", .text(report.from.prefix)),
                Field("Copy", key: "to", .text(report.to.prefix)),
                Field("Generation", .number(report.identity.generation)),
            ]),
            .table(Self.tables.table(shown, whenEmpty: "The store has no rows.")), .notes(notes),
        ]
    }

    private func sentence(_ rows: String) -> String {
        if report.wasThere { return "The store was copied before: \(rows), each compared with that of the copy." }
        return isApplied
            ? "The store was copied: \(rows), each compared with the row that was read."
            : "The store can be copied: \(rows)."
    }

    /// The tables with rows.
    private var shown: [CopyReport.Table] { report.tables.filter { $0.rows > 0 } }

    private var notes: [Note] {
        var notes: [Note] = []
        if report.replacedTexts > 0 {
            let texts = report.replacedTexts == 1 ? "1 text" : "\(report.replacedTexts) texts"
            let verb = report.replacedTexts == 1 ? "has" : "have"
            notes.append(
                .warning("\(texts) of the copy \(verb) U+FFFD in the place of bytes that a server does not hold"))
        }
        if report.hasMoved {
            notes.append(
                .note("the store at \(report.from.prefix) is marked as moved; chatdb only reads it from now on"))
        } else if marks {
            notes.append(
                .note("the copy would mark the store at \(report.from.prefix) as moved; chatdb would then only read it")
            )
        } else if isApplied {
            notes.append(
                .warning(
                    "the copy can be written: use only one store of this id, or conversations lose their encryption"))
        }
        return notes
    }

    var csvTable: Table { Self.tables.csv(report.tables) }
}
