import ChatDBKit

/// The report of a salvage: rows by table, and the check of the new store.
struct SalvageReport: Report {
    let saved: SalvagedStore
    /// The command that examines the new store.
    let next: String

    private struct Row {
        let database: DatabaseName
        let table: SalvagedTable
    }

    private static var fields: [FieldSpec<Row>] {
        [
            .csv("database") { .text($0.database.rawValue) },
            .text("table", "Table", shrinking: .end) { $0.table.name },
            .count("saved", "Saved") { $0.table.saved },
            .count("lost", "Lost") { $0.table.lost },
            .count("doubtful", "Doubtful") { $0.table.doubtful },
            .count("incomplete", "Incomplete") { $0.table.incomplete },
            .count("guessed", "Guessed") { $0.table.guessed },
            .count("setAside", "Set aside") { $0.table.setAside },
            .count("traces", "Traces") { $0.table.traces },
            .count("referred", "Referred to") { $0.table.referred },
            .count("fromPages", "From pages") { $0.table.fromPages },
            .count("fromIndexes", "From indexes") { $0.table.fromIndexes },
            .flag("damaged") { $0.table.isDamaged },
            .flag("definitionLost") { $0.table.isKnownDefinition },
        ]
    }

    private var parts: [(database: DatabaseName, part: SalvagedStore.Part)] {
        DatabaseName.allCases.compactMap { database in saved.parts[database].map { (database, $0) } }
    }

    private var rows: [Row] {
        parts.flatMap { database, part in part.database.tables.map { Row(database: database, table: $0) } }
    }

    // MARK: Programs

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("output", .string(saved.target.prefix))]
        for database in DatabaseName.allCases {
            members.append(.init(database.rawValue, saved.parts[database].map { json(of: $0, database) } ?? .null))
        }
        members += [
            .init(
                "connections",
                saved.connections.map { ["all": JSONValue($0.all), "complete": JSONValue($0.complete)] } ?? .null),
            .init("check", checkJSON), .init("ok", .bool(saved.isWhole)), .init("notes", JSONValue(notes)),
            .init("next", .string(next)),
        ]
        return .object(members)
    }

    private func json(of part: SalvagedStore.Part, _ database: DatabaseName) -> JSONValue {
        let found = part.database
        return [
            "path": part.method == .leftOut ? .null : .string(saved.target.path(of: database)),
            "method": .string(part.method.rawValue), "schemaWhole": .bool(found.isSchemaWhole),
            "headerWhole": .bool(found.isHeaderWhole),
            "rowsWhole": .bool(part.method != .leftOut && found.hasAllRows), "leftOut": JSONValue(found.leftOut),
            "tables": .array(
                found.tables.map { Self.fields.json(Row(database: database, table: $0)) }),
            "unassigned": JSONValue(found.unassigned), "freeRows": JSONValue(found.freeRows),
            "log": JSONValue(found.sideFile?.rawValue),
            "lostAndFound": JSONValue(part.lostRows),
        ]
    }

    private var checkJSON: JSONValue {
        guard case .success(let result) = saved.check else { return .null }
        return [
            "ok": .bool(result.isOK),
            "findings": .array(
                result.findings.map {
                    [
                        "id": .string($0.id), "severity": .string($0.severity.rawValue),
                        "count": JSONValue($0.count),
                        "follows": JSONValue(FollowingFindings.meaning(of: $0.id, in: saved)),
                    ]
                }),
            "leftOut": JSONValue(result.leftOut.count),
        ]
    }

    var csvTable: Table { Self.fields.csv(rows) }

    // MARK: People

    var document: Document {
        var blocks: [Block] = [
            .paragraph(saved.summary, style: saved.isWhole ? .good : nil),
            .fields([Field("New store", .text(saved.target.prefix))]), .table(summary),
        ]
        let affected = rows.filter { !$0.table.isWhole || $0.table.fromPages > 0 }
        for database in DatabaseName.allCases {
            let own = affected.filter { $0.database == database }
            if own.isEmpty { continue }
            blocks += [.heading("Tables of the \(database) database"), .table(table(of: own))]
        }
        blocks.append(.notes(notes.map(Note.note)))
        blocks += checkBlocks
        blocks += [.heading("Next"), .verbatim(next, language: "sh")]
        return Document(blocks)
    }

    private var summary: Table {
        Table(
            [
                Column("Database"), Column("Method"), Column("Tables", alignment: .right),
                Column("Saved", alignment: .right), Column("Doubtful", alignment: .right),
                Column("Set aside", alignment: .right), Column("Lost", alignment: .right),
            ],
            rows: parts.map { database, part in
                let tables = part.database.tables
                if part.method != .salvaged {
                    let method = part.method == .copied ? "copied, in order" : "left out"
                    return [
                        .text(database.rawValue), .text(method), .nothing, .nothing, .nothing, .nothing, .nothing,
                    ]
                }
                let isKnown = tables.allSatisfy { $0.lost != nil }
                let lost = tables.reduce(0) { $0 + $1.lostAtLeast }
                return [
                    .text(database.rawValue), .text("salvaged"), .count(tables.count),
                    .count(tables.reduce(0) { $0 + $1.saved }), .count(tables.reduce(0) { $0 + $1.doubtful }),
                    .count(tables.reduce(0) { $0 + $1.setAside }),
                    isKnown ? .count(lost) : .text(lost == 0 ? "unknown" : "\(lost) or more"),
                ]
            }, whenEmpty: "no database")
    }

    private func table(of rows: [Row]) -> Table {
        Table(
            [
                Column("Table", shrinking: .end), Column("Saved", alignment: .right),
                Column("Doubtful", alignment: .right), Column("Set aside", alignment: .right),
                Column("Lost", alignment: .right), Column("From pages", alignment: .right),
                Column("From indexes", alignment: .right),
            ],
            rows: rows.map { row in
                let table = row.table
                return [
                    .text(table.name), .count(table.saved), .count(table.doubtful), .count(table.setAside),
                    table.lost.map { .count($0, $0 > 0 ? .bad : nil) }
                        ?? .text(table.lostAtLeast == 0 ? "unknown" : "\(table.lostAtLeast) or more", .bad),
                    .count(table.fromPages), .count(table.fromIndexes),
                ]
            }, whenEmpty: "nothing")
    }

    private var notes: [String] {
        var notes = saved.notes
        if saved.hasDamagedValues {
            notes.append("the new store has values that cannot be read; the damage may have changed them")
        }
        for (database, part) in parts {
            let found = part.database
            notes += found.notes.map { "\(database): \($0)" }
            if !found.isSchemaWhole {
                notes.append("a part of the schema of the \(database) database could not be read")
            }
            for table in found.tables where table.isKnownDefinition {
                let source =
                    part.program == .simplex
                    ? "chatdb's description of SimpleX Chat's table was taken, without indexes and triggers"
                    : "that of \(part.version ?? "this build") was taken"
                notes.append("\(database): the definition of \(table.name) was lost, and \(source)")
            }
            let traces = found.tables.reduce(0) { $0 + $1.traces }
            if traces > 0 {
                notes.append(
                    "\(database): an index has some columns of \(traces) of the lost rows; these columns are in the "
                        + "database of lost rows")
            }
            notes += found.leftOut.map { "\(database): \($0) was left out" }
            if found.unassigned > 0 {
                notes.append("\(database): \(Self.rows(found.unassigned)) could not be assigned to a table")
            }
            if found.freeRows > 0 {
                notes.append(
                    "\(database): \(Self.rows(found.freeRows)) of free pages, which were probably deleted, are not in the "
                        + "new store")
            }
            if let path = part.lostRows {
                notes.append(
                    "rows that are not in the new store are in \(path); \(Self.counting(path)) counts them")
            }
        }
        return notes + notesOnConnections
    }

    /// What the loss means for chats and connections.
    private var notesOnConnections: [String] {
        var notes: [String] = []
        if saved.parts[.chat]?.method == .copied, saved.hasLosses(.agent) {
            notes.append(
                "the chat database is in order and was copied: all chats, contacts and messages are in the new store")
        }
        if let found = saved.connections {
            let others =
                found.complete == found.all
                ? "" : "; the contacts and members of the other \(found.all - found.complete) have to connect again"
            notes.append(
                "\(found.complete) of \(found.all) connections to contacts and members are complete in both databases"
                    + others)
        }
        return notes
    }

    /// The command that counts the rows of a file of lost rows.
    private static func counting(_ path: String) -> String {
        let sql = "SELECT \"table\", source, count(*) FROM \(LostRowsTable.name) GROUP BY 1, 2"
        return HintedCommand(.query, ["-d", path, sql]).text()
    }

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }

    private var checkBlocks: [Block] {
        switch saved.check {
        case nil: return []
        case .failure(let error): return [.notes([.warning("the new store could not be checked: \(error.message)")])]
        case .success(let result):
            if result.findings.isEmpty { return [.paragraph("The check of the new store found no problems.")] }
            return [
                .heading("Findings of the check"),
                .table(
                    Table(
                        [Column("Severity"), Column("Id"), Column("Count", alignment: .right)],
                        rows: result.findings.map {
                            [
                                .text($0.severity.rawValue, $0.severity == .info ? .dim : .bad), .text($0.id),
                                .count($0.count),
                            ]
                        }, whenEmpty: "nothing")),
            ] + following(result.findings)
        }
    }

    /// The findings that follow from lost rows, each with what it means.
    private func following(_ findings: [Finding]) -> [Block] {
        let fields = findings.compactMap { finding in
            FollowingFindings.meaning(of: finding.id, in: saved).map { Field(finding.id, .text($0)) }
        }
        return fields.isEmpty ? [] : [.heading("Findings that follow from the loss"), .fields(fields)]
    }

    /// Writes to standard error what does not fit into CSV.
    func note(to output: Output) {
        guard output.format == .csv else { return }
        for note in notes { output.note(note) }
    }
}
