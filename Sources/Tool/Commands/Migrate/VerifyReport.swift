import ChatDBKit

/// The result of verifying, or the measurements of a rehearsal.
struct VerifyReport: Report {
    let report: Verifier.Report
    let isRehearsal: Bool
    /// Whether the migrations are this build's, and not those of a folder.
    var isOfBuild = false

    var json: JSONValue {
        [
            "ok": .bool(report.isOK),
            "steps": .array(report.steps.map { Self.fields.json($0) }),
            "irreversible": .array(report.irreversible.map { .object($0.members) }),
            "failures": .array(
                report.failures.map { failure in
                    .object(
                        failure.subject.members + [
                            .init("differences", JSONValue(failure.differences.map(\.sentenceWithForms)))
                        ])
                }),
            "undeclaredLosses": .array(report.undeclared.map(\.json)),
            "losses": .array(losses),
            "removedParts": .array(removed),
            "downFaults": .array(downFaults),
        ]
    }

    private var losses: [JSONValue] { objects { (report.losses[$0] ?? []).map(\.json) } }

    private var removed: [JSONValue] { objects { (report.removed[$0] ?? []).map(\.json) } }

    private var downFaults: [JSONValue] {
        objects { report.downFaults[$0].map { [["message": .string($0.info.message)]] } ?? [] }
    }

    /// Those of each database, with its name.
    private func objects(_ objects: (DatabaseName) -> [JSONValue]) -> [JSONValue] {
        DatabaseName.allCases.flatMap { database -> [JSONValue] in
            let name = JSONValue.Member("database", .string(database.rawValue))
            return objects(database).map { JSONValue.object([name] + ($0.members ?? [])) }
        }
    }

    /// What the steps do although no statement says so.
    var warnings: [String] {
        DatabaseName.allCases.flatMap { database -> [String] in
            (report.removed[database] ?? []).map { $0.sentence(in: database) }
                + [report.downFaults[database]?.warningOfDownFault(triedOn: "on a copy")].compactMap(\.self)
        }
    }

    var document: Document {
        var blocks: [Block] = isRehearsal ? [.table(table)] : []
        if !isRehearsal { blocks.append(.paragraph(verdict)) }
        if isRehearsal, !report.steps.isEmpty {
            blocks += LossBlocks.blocks("Data that a run would lose") { report.losses[$0] ?? [] }
            let loses = report.losses.isEmpty ? " No table would have fewer rows." : ""
            blocks.append(.paragraph("The store was only read; a run would migrate it to this version.\(loses)"))
        }
        let failures = report.failures.map { failure in
            Note.warning(
                "undoing \(failure.subject.shown) does not restore the schema: "
                    + failure.differences.map(\.sentenceWithForms).joined(separator: ", ")
                    + (failure.differences.adviceOnForms.map { "; \($0)" } ?? ""))
        }
        let undeclared = report.undeclared.map { undeclared in
            Note.warning(
                "\(undeclared.subject.shown) loses \(undeclared.loss.lostWords) \(undeclared.directionWords), and "
                    + "every run refuses that: declare it with -- chatdb: data-loss in the file")
        }
        let irreversible = report.irreversible.map { Note.note("\($0.shown) has no down SQL") }
        blocks.append(.notes(failures + undeclared + warnings.map { .warning($0) } + irreversible))
        return Document(blocks)
    }

    private var verdict: String {
        let count = Set(report.steps.map { [$0.database.rawValue, $0.migration] }).count
        let source = isOfBuild ? " of this build" : ""
        let migrations = count == 1 ? "1 migration\(source) was" : "\(count) migrations\(source) were"
        if !report.failures.isEmpty { return "\(migrations) tested, and not every schema was restored." }
        if !report.undeclared.isEmpty {
            return "\(migrations) tested: the schemas are right, but steps lose rows that they do not declare."
        }
        let irreversible = report.irreversible.isEmpty ? "" : " where they have down SQL"
        return "\(migrations) applied, undone and applied again\(irreversible); every schema was restored."
    }

    var csvTable: Table { table }

    private var table: Table {
        Self.fields.table(
            report.steps,
            whenEmpty: isRehearsal
                ? "Nothing to do: the store is at this version, so no migration was rehearsed." : "no migrations")
    }

    private static var fields: [FieldSpec<Verifier.Step>] {
        [
            .text("database", "Database") { $0.database.rawValue },
            .text("name", "Migration", shrinking: .end) { $0.migration },
            .text("direction", "Direction") { $0.direction.rawValue }, milliseconds,
            .count("rows", "Rows") { $0.rows }, .bytes("bytes", "Size") { $0.bytes },
            .bytes("peakBytes", "Peak") { $0.peakBytes },
        ]
    }

    /// To a thousandth in JSON, whole elsewhere.
    private static var milliseconds: FieldSpec<Verifier.Step> {
        FieldSpec(
            "milliseconds", Column("Time (ms)", key: "milliseconds", alignment: .right),
            json: { .number(($0.milliseconds * 1000).rounded() / 1000) }, csv: nil,
            cell: { .count(Int($0.milliseconds.rounded())) })
    }
}

extension VerifyReport {
    /// Writes the answer. Standard error has what does not fit into CSV.
    func write(to output: Output) throws {
        try output.write(self)
        guard output.format == .csv else { return }
        for clause in LossBlocks.clauses({ report.losses[$0] ?? [] }) { output.note("lost: \(clause)") }
        for warning in warnings { output.warn(warning) }
    }
}

extension Verifier.UndeclaredStepLoss {
    fileprivate var directionWords: String { direction == .down ? "on the way down" : "on the way up" }

    fileprivate var json: JSONValue {
        let way = JSONValue.Member("direction", .string(direction.rawValue))
        return .object(subject.members + [way] + (loss.json.members ?? []))
    }
}

extension Loss {
    /// `2 rows of the table t`, `the column c of t`.
    fileprivate var lostWords: String {
        column.map { "the column \($0) of \(table)" } ?? "\(rows == 1 ? "1 row" : "\(rows) rows") of \(table)"
    }
}

extension Verifier.Subject {
    fileprivate var shown: String { "\(migration) of the \(database) database" }

    fileprivate var members: [JSONValue.Member] {
        [.init("database", .string(database.rawValue)), .init("name", .string(migration))]
    }
}
