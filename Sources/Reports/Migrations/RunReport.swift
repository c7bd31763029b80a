package import ChatDBKit

/// The result of a run.
package struct RunReport: Report {
    package let report: MigrationReport
    /// The command that restores the backup; nil without a backup.
    package let restore: String?
    private let store: StoreLocation
    /// Whether the store is encrypted.
    private let isEncrypted: Bool

    package init(report: MigrationReport, restore: String?, store: StoreLocation, isEncrypted: Bool = false) {
        self.report = report
        self.restore = restore
        self.store = store
        self.isEncrypted = isEncrypted
    }

    /// That the run created the store; nil if it did not.
    package var creation: String? {
        report.created ? "a new \(isEncrypted ? "encrypted " : "")store was created at \(store.prefix)" : nil
    }

    package var json: JSONValue {
        var members = DatabaseName.allCases.compactMap { database in
            report.plan.databases[database].map { JSONValue.Member(database.rawValue, json(database, $0)) }
        }
        members.append(.init("created", .bool(report.created)))
        members.append(.init("completed", report.completion.map(\.json) ?? .null))
        members.append(.init("removedBackups", JSONValue(report.removedBackups)))
        members.append(.init("restore", JSONValue(restore)))
        return .object(members)
    }

    private func json(_ database: DatabaseName, _ plan: DatabasePlan) -> JSONValue {
        let findings = report.findings[database]
        let steps = report.steps(database)
        let drift = findings == nil ? plan.drift : findings?.drift
        return [
            "direction": .string(steps.last?.direction.rawValue ?? "none"),
            "migrations": .array(
                steps.map { step in
                    [
                        "name": .string(step.name), "origin": .string(step.origin.rawValue),
                        "note": JSONValue(step.note),
                    ]
                }),
            "from": JSONValue(from(database, plan)), "to": JSONValue(plan.to),
            "applied": JSONValue(report.applied(database)), "backup": JSONValue(backup),
            "drift": drift.map { JSONValue($0.map(\.sentence)) } ?? .null,
            "danglingReferences": JSONValue(findings?.danglingReferences ?? 0),
            "freeBytes": JSONValue(findings?.freeBytes),
            "removedParts": .array((findings?.removed ?? []).map(\.json)),
            "downFault": JSONValue(findings?.downFault?.info.message),
            "losses": .array(report.losses(database).map(\.json)),
            "accepted": JSONValue(report.accepted(database)),
        ]
    }

    /// The version of the database before the run.
    private func from(_ database: DatabaseName, _ plan: DatabasePlan) -> String? {
        report.completion?.plans[database].map(\.from) ?? plan.from
    }

    /// The backup of the store before the last change.
    private var backup: String? { report.backup ?? report.completion?.backup }

    package var document: Document {
        var blocks: [Block] = []
        if let creation { blocks.append(.paragraph(creation.prefix(1).uppercased() + creation.dropFirst() + ".")) }
        if report.completed != nil {
            let rest = report.plan.isEmpty ? " Nothing else was done." : ""
            blocks.append(.paragraph("An interrupted run was completed.\(rest)"))
        }
        if report.plan.isEmpty, report.completed == nil {
            blocks.append(.paragraph("Nothing to do: the store is at this version."))
        }
        blocks.append(.table(Table(Self.columns, rows: rows, whenEmpty: "")))
        if let backup { blocks.append(.fields([Field("Backup", .text(backup))])) }
        if let first = report.completion?.backup, report.backup != nil {
            blocks.append(.fields([Field("Backup before completing", key: "completionBackup", .text(first))]))
        }
        if let first = report.backupOfInterrupted {
            let label = "Backup of the interrupted run"
            blocks.append(.fields([Field(label, key: "interruptedBackup", .text(first.path))]))
        }
        let removed = report.removedBackups.map { Note.note("the old backup \($0) was removed") }
        if !removed.isEmpty { blocks.append(.notes(removed)) }
        let accepted = DatabaseName.allCases.flatMap(report.accepted).map { "accepted as edited: \($0)" }
        let notes = PlanReport.stepNotes(report.steps) + accepted
        if !notes.isEmpty { blocks.append(.notes(notes.map { .note($0) })) }
        blocks += LossBlocks.blocks("Data that was lost", report.losses)
        if !copied.isEmpty { blocks.append(.notes(copied.map { .note($0) })) }
        if let restore {
            let which = report.backupOfInterrupted == nil ? "" : " of the interrupted run"
            blocks += [.heading("To restore the backup\(which)"), .verbatim(restore, language: "sh")]
        }
        if let byHand { blocks += [.heading("To restore the backup"), .paragraph(byHand)] }
        return Document(blocks)
    }

    /// That the losses include what a migration may have copied before it removed it.
    package var copied: [String] {
        PlanReport.copied([report.completion?.plans ?? [:], report.plan.databases]) { name, names, them in
            "\(name) read \(names) before it removed \(them): what it copied elsewhere counts as lost too"
        }
    }

    /// How to put the backup of one database of two back, which no restore accepts; nil for any other backup.
    private var byHand: String? {
        guard let found = backup.flatMap({ FoundBackup(at: $0) }), let database = found.onlyDatabase(of: store),
            let copy = found.databases.first
        else { return nil }
        return """
            The backup has the \(database) database alone, because the other one is missing, cannot be read, or is of \
            another store. So no restore accepts it. To put the database back, close all programs that use the store, \
            move \(store.path(of: database)) away with the files beside it (-wal, -shm and -journal), and copy \(copy) to \
            its place.
            """
    }

    package var csvTable: Table {
        Table(
            Self.columns + [Column("Backup")], rows: rows.map { $0 + [.text(backup)] }, whenEmpty: "")
    }

    private static let columns = [
        Column("Database"), Column("Direction"), Column("Migrations", alignment: .right),
        Column("From"), Column("To"),
    ]

    private var rows: [[Cell]] {
        DatabaseName.allCases.compactMap { database in
            guard let plan = report.plan.databases[database] else { return nil }
            let steps = report.steps(database)
            return [
                .text(database.rawValue), .text(steps.last?.direction.rawValue ?? "none"), .count(steps.count),
                .text(from(database, plan) ?? "nothing"), .text(plan.to ?? "nothing"),
            ]
        }
    }

    /// Notes, for standard error: migrations of both databases that the run has undone in one of them.
    /// - Parameter given: the options that their commands repeat.
    package static func notes(_ report: MigrationReport, _ given: GivenOptions) -> [String] {
        report.plan.keptHalves.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { database, names in
            names.map { name in
                let way: Hint =
                    report.plan.undoesOnlyKnown ? "; \(.migrateDown, "--steps", "1") undoes it there too" : ""
                return
                    "\(name) is undone in one database, and stays applied in the \(database) database\(given.text(way))"
            }
        }
    }

    /// Warnings, for standard error.
    ///
    /// - Parameters:
    ///   - given: the options that their commands repeat.
    ///   - encrypted: the encrypted databases, which the shell of SQLite does not open.
    package static func warnings(
        _ report: MigrationReport, _ given: GivenOptions, encrypted: [DatabaseName]
    ) -> [String] {
        let accepted = DatabaseName.allCases.flatMap(report.accepted)
        let edits = report.plan.databases.mapValues(\.edits)
        let undone = DatabaseName.allCases.flatMap(report.steps).filter { $0.direction == .down }.map(\.name)
        let left = EditedNames(joining: Array(edits.values), without: accepted + undone)
        let ofEdits = StoreStatus.editedWarnings(left, in: edits.onlyEdited).map(given.text)
        return ofEdits + unhiding(report) + found(report, encrypted)
    }

    /// Migrating below the version that hides profiles makes them visible, and nothing hides them again.
    private static func unhiding(_ report: MigrationReport) -> [String] {
        report.losses(.chat).contains(where: \.unhidesProfiles)
            ? ["this version has no hidden profiles: profiles that were hidden are now visible, and stay visible"] : []
    }

    /// The sentence about a database that differs from the schema of its version.
    static func sentence(of drift: [StructureDifference], in database: DatabaseName) -> String {
        let most = 5
        let names = drift.prefix(most).map(\.sentence).joined(separator: ", ")
        let more = drift.count > most ? ", and \(drift.count - most) more" : ""
        return "the \(database) database differs from its version's schema: \(names)\(more)"
    }

    private static func found(_ report: MigrationReport, _ encrypted: [DatabaseName]) -> [String] {
        report.findings.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { database, findings -> [String] in
            var lines = findings.removed.map { $0.pastSentence(in: database) }
            if let fault = findings.downFault { lines.append(fault.warningOfDownFault()) }
            if let drift = findings.drift, !drift.isEmpty {
                lines.append(sentence(of: drift, in: database))
            }
            if findings.danglingReferences > 0 {
                lines.append(
                    "the \(database) database had \(counted(findings.danglingReferences, "row")) with dangling references already"
                )
            }
            if let free = findings.freeBytes {
                let way = encrypted.contains(database) ? "" : "; VACUUM in the sqlite3 shell would free it"
                lines.append("the \(database) database has \(CellText.size(free)) of unused space\(way)")
            }
            return lines
        }
    }
}

extension MigrationReport.Completion {
    /// The interrupted run, and how this one ended it.
    fileprivate var json: JSONValue {
        let steps = DatabaseName.allCases.map { database in
            JSONValue.Member(database.rawValue, JSONValue(plans[database]?.steps.map(\.name) ?? []))
        }
        return .object(
            (record.shown.members ?? []) + [
                .init("applied", .object(steps)), .init("completionBackup", JSONValue(backup)),
            ])
    }
}
