import ChatDBKit

/// What verifying found, or what a rehearsal took.
struct VerifyReport: Report {
    let report: Verifier.Report
    let isRehearsal: Bool

    var json: JSONValue {
        [
            "ok": .bool(report.failures.isEmpty),
            "steps": .array(
                report.steps.map { step in
                    [
                        "database": .string(step.database.rawValue), "name": .string(step.migration),
                        "direction": .string(step.direction.rawValue),
                        "milliseconds": .number((step.milliseconds * 1000).rounded() / 1000),
                        "rows": JSONValue(step.rows), "bytes": .integer(step.bytes),
                        "peakBytes": .integer(step.peakBytes),
                    ]
                }),
            "irreversible": .array(report.irreversible.map { .object($0.members) }),
            "failures": .array(
                report.failures.map { failure in
                    .object(
                        failure.subject.members + [
                            .init("differences", JSONValue(failure.differences.map(\.sentence)))
                        ])
                }),
        ]
    }

    var document: Document {
        var blocks: [Block] = isRehearsal ? [.table(table)] : []
        if !isRehearsal { blocks.append(.paragraph(verdict)) }
        if isRehearsal, !report.steps.isEmpty {
            blocks.append(.paragraph("The store was only read; a run would lead it to this version."))
        }
        let failures = report.failures.map { failure in
            Note.warning(
                "\(failure.subject.shown) does not lead back: "
                    + failure.differences.map(\.sentence).joined(separator: ", "))
        }
        blocks.append(.notes(failures + report.irreversible.map { .note("\($0.shown) has no way back") }))
        return Document(blocks)
    }

    private var verdict: String {
        let count = Set(report.steps.map { [$0.database.rawValue, $0.migration] }).count
        let migrations = count == 1 ? "1 migration was" : "\(count) migrations were"
        if !report.failures.isEmpty { return "\(migrations) tried, and not every schema was as before." }
        let irreversible = report.irreversible.isEmpty ? "" : " where there is a way back"
        return "\(migrations) applied, undone and applied again\(irreversible); every schema was as before."
    }

    var csvTable: Table { table }

    private var table: Table {
        Table(
            [
                Column("Database"), Column("Migration", key: "name", shrinking: .end), Column("Direction"),
                Column("Time (ms)", key: "milliseconds", alignment: .right), Column("Rows", alignment: .right),
                Column("Size", key: "bytes", alignment: .right), Column("Peak", key: "peakBytes", alignment: .right),
            ],
            rows: report.steps.map { step in
                [
                    .text(step.database.rawValue), .text(step.migration), .text(step.direction.rawValue),
                    .count(Int(step.milliseconds.rounded())), .count(step.rows), .bytes(step.bytes),
                    .bytes(step.peakBytes),
                ]
            }, whenEmpty: isRehearsal ? "nothing to do: the store is at this version" : "no migrations")
    }
}

extension Verifier.Subject {
    fileprivate var shown: String { "\(migration) of the \(database) database" }

    fileprivate var members: [JSONValue.Member] {
        [.init("database", .string(database.rawValue)), .init("name", .string(migration))]
    }
}
