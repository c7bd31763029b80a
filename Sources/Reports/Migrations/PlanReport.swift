package import ChatDBKit

/// The plan of a run.
package struct PlanReport: Report {
    package let plan: StorePlan
    /// The folder of the migrations; nil for this build's own.
    let folder: String?
    /// The databases whose list of migrations lost rows. The run is refused if there is one.
    package let lost: [DatabaseName]
    /// The errors with which the run will be refused; see `StoreContext.refusals`.
    package let errors: [MigrationError]
    /// The sentences about migrations of the folder that a run leaves out.
    let unused: [String]
    /// The options of the command line that its commands repeat.
    let given: GivenOptions
    /// Whether the warning about drift names the command that shows the differences.
    private let namesCommands: Bool

    /// - Parameter lost: the databases whose list of migrations lost rows.
    package init(
        plan: StorePlan, folder: String? = nil, lost: [DatabaseName] = [], errors: [MigrationError] = [],
        unused: [String] = [], given: GivenOptions = .none, namesCommands: Bool = true
    ) {
        self.plan = plan
        self.lost = lost
        self.errors = errors
        self.unused = unused
        self.given = given
        self.folder = folder
        self.namesCommands = namesCommands
    }

    package var json: JSONValue {
        var members = DatabaseName.allCases.compactMap { database in
            plan.databases[database].map { JSONValue.Member(database.rawValue, Self.json($0)) }
        }
        members.append(.init("creates", .bool(plan.creates)))
        members.append(.init("interrupted", plan.interrupted.map(\.shown) ?? .null))
        members.append(
            .init("completes", .object(plan.completes.map { .init($0.key.rawValue, Self.json($0.value)) })))
        members.append(.init("warnings", JSONValue(warnings)))
        members.append(.init("notes", JSONValue(notes)))
        return .object(members)
    }

    private static func json(_ plan: DatabasePlan) -> JSONValue {
        let migrations = zip(plan.steps, plan.losesData).map { step, losesData in
            var members: [JSONValue.Member] = [
                .init("name", .string(step.name)), .init("origin", .string(step.origin.rawValue)),
                .init("dataLoss", losesData.map { .bool($0) } ?? .null), .init("note", JSONValue(step.note)),
            ]
            // No build contains this SQL, so the plan shows it.
            if step.origin == .file { members.append(.init("sql", .string(step.script.text))) }
            return JSONValue.object(members)
        }
        let drift = plan.drift.map { JSONValue($0.map(\.sentence)) } ?? .null
        return .object(
            [
                .init("direction", .string(plan.direction?.rawValue ?? "none")),
                .init("migrations", .array(migrations)), .init("from", JSONValue(plan.from)),
                .init("to", JSONValue(plan.to)), .init("edited", JSONValue(plan.edited)),
                .init("losses", .array(plan.losses.map(\.json))), .init("refused", JSONValue(unannounced(plan))),
            ] + editMembers(plan) + [.init("drift", drift)])
    }

    /// What the store notes about migrations, and the down SQL that it has otherwise, a clause for each.
    package static func stepNotes(_ steps: (DatabaseName) -> [MigrationStep]) -> [String] {
        DatabaseName.allCases.flatMap { database in
            steps(database).compactMap { step in
                let note = step.differsFromLedger ? "its file has other down SQL than the store" : step.note
                return note.map { "\(database) \(step.name): \($0)" }
            }
        }
    }

    package var warnings: [String] {
        let ofPlans = Self.warnings(plan.completes) + Self.warnings(plan.databases)
        return [undone].compactMap(\.self) + ofRefusals + undeclared + lacking + ofPlans + ofDrift
    }

    /// The sentence about an interrupted run that changed neither database; nil without one.
    private var undone: String? {
        guard plan.isUndone, let record = plan.interrupted else { return nil }
        return "a run of \(record.startedAt) was interrupted before it had changed a database, so nothing has to be "
            + "completed"
    }

    /// The reasons why the run will be refused, whatever the plan is.
    var ofRefusals: [String] {
        let reasons =
            lost.map { given.text(Hint.lostMigrations(of: $0)) }
            + errors.filter { !isOfLostList($0) }.map(text)
        return reasons.map { "the run will be refused: \($0)" }
    }

    /// Whether the drift with which a statement fails is that of a list of migrations that lost rows.
    private func isOfLostList(_ error: MigrationError) -> Bool {
        switch error {
        case .migrationFailed(let failed): return lost.contains(failed.database)
        case .drift(let database, _): return lost.contains(database)
        default: return false
        }
    }

    /// The databases that differ from the schemas of their versions. The command that shows how reads files.
    private var ofDrift: [String] {
        DatabaseName.allCases.compactMap { database in
            guard !lost.contains(database), let drift = plan.databases[database]?.drift, !drift.isEmpty else {
                return nil
            }
            let isOnServer = given.store.map(ServerStore.isNamed) == true
            let shown = namesCommands && !isOnServer ? "; \(given.text(.command(.schemaDiff))) shows how" : ""
            return RunReport.sentence(of: drift, in: database) + shown
        }
    }

    /// The warning about a schema, whose text may have the command that shows the differences.
    private func differing(_ text: String) -> Note {
        Note(kind: .warning, text: text, commands: [given.text(.command(.schemaDiff))])
    }

    private func text(_ error: MigrationError) -> String {
        switch error {
        case .unknownTrigger: return "\(error.info.message); \(given.text(.command(.schemaDiff))) shows them"
        case .migrationFailed(let failed):
            let place = "\(failed.source) line \(failed.line) (\(failed.text))"
            let isAboutRows = failed.cause.message.hasPrefix("Cannot add a ")
            let reason =
                isAboutRows ? "and the table has rows" : "although the version of the database does not have it"
            return "\(place): \(failed.cause.message), \(reason)"
        case .wrongResult(_, _, let differences):
            return error.info.message + (differences.adviceOnForms.map { "; \($0)" } ?? "")
        default: return error.info.message
        }
    }

    package var document: Document {
        let first = ofRefusals.map(differing) + lacking.map { Note.warning($0) }
        var blocks: [Block] = first.isEmpty ? [] : [.notes(first)]
        if plan.isEmpty { blocks.append(.paragraph("Nothing to do: the store is at \(versions).")) }
        if plan.creates { blocks.append(.paragraph("The store does not exist and would be created.")) }
        if let record = plan.interrupted, !record.creates {
            let sentence = undone ?? "a run of \(record.startedAt) was interrupted; chatdb completes it first"
            blocks.append(.notes([.warning(sentence)]))
        }
        if !plan.completes.isEmpty {
            blocks.append(.heading("To complete the interrupted run"))
            blocks += self.blocks(plan.completes)
            blocks.append(.heading("After that"))
            if csvTable.rows.isEmpty { blocks.append(.paragraph("Nothing.")) }
        }
        blocks += self.blocks(plan.databases)
        blocks += editBlocks
        if !ofDrift.isEmpty { blocks.append(.notes(ofDrift.map(differing))) }
        let edits = plan.databases.mapValues(\.edits)
        let left = EditedNames(joining: Array(edits.values), without: plan.acceptedEdits + plan.downs)
        let warnings = StoreStatus.editedWarnings(left, in: edits.onlyEdited).map { Note.warning($0, given) }
        if !warnings.isEmpty { blocks.append(.notes(warnings)) }
        blocks += refusals
        if !notes.isEmpty { blocks.append(.notes(notes.map { .note($0) })) }
        return Document(blocks)
    }

    /// The versions that the databases have, in a sentence.
    private var versions: String {
        let versions = DatabaseName.allCases.compactMap { name in plan.databases[name].map { (name, $0.from) } }
        if versions.count < 2 { return versions.first.map { $0.1 ?? "no version" } ?? "this version" }
        return versions.map { "\($0.1 ?? "no version") (\($0.0))" }.joined(separator: " and ")
    }

    /// The steps, even if there are none: a spreadsheet always gets its header.
    package var csvTable: Table { table(plan.databases) }

    /// The steps, their losses, and the SQL stored in the databases.
    private func blocks(_ plans: [DatabaseName: DatabasePlan]) -> [Block] {
        let steps = table(plans)
        var blocks = steps.rows.isEmpty ? [] : [Block.table(steps)]
        blocks += LossBlocks.blocks("Data that is lost") { plans[$0]?.losses ?? [] } + Self.foreignScripts(plans)
        let leavesOut = plans.values.flatMap(\.steps).filter { $0.directives.isSuperset(of: [.dataLoss, .rebuild]) }
        if !leavesOut.isEmpty {
            let names = Set(leavesOut.map(\.name)).sorted().joined(separator: ", ")
            blocks.append(
                .notes([.note("\(names) may also delete rows of the tables it rebuilds; the run reports how many")]))
        }
        let notes = Self.stepNotes { plans[$0]?.steps ?? [] }
        if !notes.isEmpty { blocks.append(.notes(notes.map { .note($0) })) }
        let warnings = Self.warnings(plans)
        if !warnings.isEmpty { blocks.append(.notes(warnings.map { .warning($0) })) }
        return blocks
    }

    private func table(_ plans: [DatabaseName: DatabasePlan]) -> Table {
        let steps = DatabaseName.allCases.flatMap { database in
            (plans[database].map { Array(zip($0.steps, $0.losesData)) } ?? []).map { (database, $0, $1) }
        }
        return Table(
            [
                Column("Database"), Column("Direction"), Column("Migration"), Column("SQL", key: "origin"),
                Column("Data loss", key: "dataLoss"),
            ],
            rows: steps.map { database, step, losesData in
                [
                    .text(database.rawValue), .text(step.direction.rawValue), .text(step.name),
                    .text(step.origin == .file ? "from the store" : folder != nil ? "the folder's" : "this build's"),
                    .text(losesData.map { $0 ? "yes" : "no" } ?? "unknown"),
                ]
            }, whenEmpty: "")
    }

    /// Explains losses that their names do not explain.
    package static func warnings(_ plans: [DatabaseName: DatabasePlan]) -> [String] {
        var warnings: [String] = []
        if plans[.chat]?.losses.contains(where: \.unhidesProfiles) == true {
            warnings.append(
                "hidden profiles become visible: their passwords are deleted, and going up again does not hide them"
            )
        }
        if plans[.agent]?.losses.contains(where: \.isOfAgentProfiles) == true {
            warnings.append(
                "the agent's profiles are deleted: going up again does not restore those without a connection; only the "
                    + "backup does")
        }
        return warnings
            + DatabaseName.allCases.flatMap { database in
                (plans[database]?.uncopied ?? []).map { $0.sentence(in: database) }
                    + (plans[database]?.removed ?? []).map { $0.sentence(in: database) }
                    + [plans[database]?.downFault?.warningOfDownFault()].compactMap(\.self)
            }
    }

    /// Shows SQL that this build does not contain before the user confirms it.
    private static func foreignScripts(_ plans: [DatabaseName: DatabasePlan]) -> [Block] {
        DatabaseName.allCases.flatMap { plans[$0]?.steps ?? [] }.filter { $0.origin == .file }.flatMap {
            step in
            [Block.heading("\(step.name), from the store"), .verbatim(step.script.text, language: "sql")]
        }
    }
}

extension UncopiedColumns {
    /// The warning about these columns of a database.
    fileprivate func sentence(in database: DatabaseName) -> String {
        let columns = columns.map { "\(table).\($0)" }.joined(separator: ", ")
        return "\(migration) does not keep the values of \(columns) in the \(database) database: it makes the table "
            + "again without copying them, or drops the columns and adds them again"
    }
}

extension DatabasePlan {
    /// Whether each step loses data. Rows that a declared rebuild omits cannot be counted beforehand: it counts as a
    /// loss. Nil if a step may lose rows or values that could not be counted, or overwrites values.
    var losesData: [Bool?] {
        zip(zip(steps, stepLosses), stepsWithUnknownLoss).map { pair, isUnknown -> Bool? in
            let (step, losses) = pair
            if losses.contains(where: { $0.rows > 0 }) { return true }
            if step.directives.isSuperset(of: [.dataLoss, .rebuild]) { return true }
            return isUnknown || overwritten.contains { $0.migration == step.name } ? nil : false
        }
    }
}

extension IntentRecord {
    /// The record in JSON.
    package var shown: JSONValue {
        [
            "startedAt": .string(startedAt), "creates": .bool(creates), "copiedFrom": JSONValue(copiedFrom),
            "agent": ["from": JSONValue(courses[.agent]?.from), "to": JSONValue(courses[.agent]?.to)],
            "chat": ["from": JSONValue(courses[.chat]?.from), "to": JSONValue(courses[.chat]?.to)],
            "backup": JSONValue(backup),
        ]
    }
}

extension Loss {
    /// Whether it makes hidden profiles visible, in the chat database.
    package var unhidesProfiles: Bool {
        table == "users" && ["view_pwd_hash", "view_pwd_salt"].contains(column) && rows > 0
    }

    /// Whether it deletes the profiles of the agent database.
    fileprivate var isOfAgentProfiles: Bool { table == "users" && kind == .table && rows > 0 }
}

/// The losses of a plan or a run, for people: tables and columns with data first, the number of those without after. Those
/// alone are no data that is lost, so they have no heading.
package enum LossBlocks {
    /// Empty without losses.
    package static func blocks(_ heading: String, _ losses: (DatabaseName) -> [Loss]) -> [Block] {
        let all = DatabaseName.allCases.flatMap { database in losses(database).map { (database, $0) } }
        let full = all.filter { $0.1.rows > 0 }
        let empty = all.map(\.1).filter { $0.rows == 0 }
        if full.isEmpty { return empty.isEmpty ? [] : [.paragraph("Removed without data: \(counted(empty))")] }
        let others: [Block] = empty.isEmpty ? [] : [.paragraph("and \(counted(empty))")]
        return [.heading(heading), .table(table(full))] + others
    }

    /// A clause for each table or column with data, where no table can be shown.
    package static func clauses(_ losses: (DatabaseName) -> [Loss]) -> [String] {
        DatabaseName.allCases.flatMap { database in
            losses(database).filter { $0.rows > 0 }.map { loss in
                let what = loss.column.map { "the column \($0) of \(loss.table)" } ?? loss.table
                let rows = ChatDBReports.counted(loss.rows, loss.kind == .rows ? "deleted row" : "row")
                return "\(what) in the \(database) database, \(rows)"
            }
        }
    }

    private static func table(_ losses: [(DatabaseName, Loss)]) -> Table {
        Table(
            [
                Column("Database"), Column("Table", shrinking: .end), Column("Column", shrinking: .end),
                Column("Rows", alignment: .right),
            ],
            rows: losses.map { database, loss in
                [
                    .text(database.rawValue), .text(loss.table),
                    loss.column.map { .text($0) } ?? .text(loss.kind == .rows ? "(rows)" : "(the whole table)"),
                    .count(loss.rows),
                ]
            }, whenEmpty: "")
    }

    /// `1 empty table, 2 columns with only default values`. A column without a default has only NULL then.
    private static func counted(_ losses: [Loss]) -> String {
        let columns = losses.count { $0.column != nil }
        let parts = [
            (losses.count - columns, ChatDBReports.counted(losses.count - columns, "empty table")),
            (columns, ChatDBReports.counted(columns, "column") + " with only default values"),
        ]
        return parts.filter { $0.0 > 0 }.map(\.1).joined(separator: ", ")
    }
}
