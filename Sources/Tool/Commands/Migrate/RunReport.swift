import Engine
import Migrations
import Schema

/// What a run did.
struct RunReport: Report {
    let report: MigrationReport

    var json: JSONValue {
        var members = DatabaseName.allCases.compactMap { database in
            report.plan.databases[database].map { JSONValue.Member(database.rawValue, json(database, $0)) }
        }
        members.append(.init("created", .bool(report.created)))
        members.append(.init("completed", report.completed.map(\.shown) ?? .null))
        members.append(.init("removedBackups", JSONValue(report.removedBackups)))
        return .object(members)
    }

    private func json(_ database: DatabaseName, _ plan: DatabasePlan) -> JSONValue {
        let findings = report.findings[database]
        return [
            "direction": .string(plan.direction?.rawValue ?? "none"),
            "migrations": .array(plan.steps.map { ["name": .string($0.name), "origin": .string($0.origin.rawValue)] }),
            "from": JSONValue(plan.from), "to": JSONValue(plan.to), "applied": JSONValue(report.applied(database)),
            "backup": JSONValue(report.backup),
            "drift": JSONValue(findings?.drift.map(\.sentence) ?? []),
            "danglingReferences": JSONValue(findings?.danglingReferences ?? 0),
            "freeBytes": JSONValue(findings?.freeBytes),
        ]
    }

    var document: Document {
        var blocks: [Block] = []
        if report.created { blocks.append(.paragraph("A new store was made.")) }
        if report.completed != nil {
            let rest = report.plan.isEmpty ? " Nothing else was done." : ""
            blocks.append(.paragraph("An interrupted run was completed.\(rest)"))
        }
        if report.plan.isEmpty, report.completed == nil {
            blocks.append(.paragraph("Nothing to do: the store is at this version."))
        }
        blocks.append(.table(Table(Self.columns, rows: rows, whenEmpty: "")))
        if let backup = report.backup { blocks.append(.fields([Field("Backup", .text(backup))])) }
        let removed = report.removedBackups.map { Note.note("the old backup \($0) was removed") }
        if !removed.isEmpty { blocks.append(.notes(removed)) }
        return Document(blocks)
    }

    var csvTable: Table {
        Table(
            Self.columns + [Column("Backup")], rows: rows.map { $0 + [.text(report.backup)] }, whenEmpty: "")
    }

    private static let columns = [
        Column("Database"), Column("Direction"), Column("Migrations", alignment: .right),
        Column("From", shrinking: .end), Column("To", shrinking: .end),
    ]

    private var rows: [[Cell]] {
        DatabaseName.allCases.compactMap { database in
            guard let plan = report.plan.databases[database] else { return nil }
            return [
                .text(database.rawValue), .text(plan.direction?.rawValue ?? "none"), .count(plan.steps.count),
                .text(plan.from ?? "nothing"), .text(plan.to ?? "nothing"),
            ]
        }
    }

    /// What was noticed, for standard error.
    static func warnings(_ report: MigrationReport) -> [String] {
        let edited = report.plan.databases.values.flatMap(\.edited).sorted()
        let remark = edited.isEmpty ? [] : ["edited after being applied: \(edited.joined(separator: ", "))"]
        return remark + unhiding(report) + found(report)
    }

    /// Going below the version that hides profiles shows them, and nothing hides them again.
    private static func unhiding(_ report: MigrationReport) -> [String] {
        let undone = report.plan.databases[.chat]?.steps.filter { $0.direction == .down }.map(\.name) ?? []
        return undone.contains { $0.hasSuffix("_hidden_profiles") }
            ? ["this version hides no profile: those that were hidden have come into sight, and stay so"] : []
    }

    private static func found(_ report: MigrationReport) -> [String] {
        report.findings.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { database, findings -> [String] in
            var lines: [String] = []
            if !findings.drift.isEmpty {
                let names = findings.drift.prefix(5).map(\.sentence).joined(separator: ", ")
                lines.append("the \(database) database differs from its version's schema: \(names)")
            }
            if findings.danglingReferences > 0 {
                lines.append(
                    "the \(database) database had \(findings.danglingReferences) rows that refer to nothing already")
            }
            if let free = findings.freeBytes {
                lines.append(
                    "the \(database) database has \(CellText.grouped(free)) unused bytes; VACUUM in the sqlite3 shell "
                        + "would free them")
            }
            return lines
        }
    }
}
