import ChatDBEngine
import ChatDBSchema

/// Applies the steps of one database in order, and collects their effects: the tables written and the losses, under the
/// names from before the run.
struct AppliedSteps {
    private let database: DatabaseName
    private let connection: any MigrationConnection
    private let cancellation: Cancellation
    /// The facts from before, under the current names of tables and columns.
    private(set) var before: CheckedDatabase
    /// Tables that the steps have written.
    private(set) var touched: Set<String> = []
    /// The tables that each step has written, under all names that they have had since.
    private(set) var written: [WrittenTables] = []
    /// The losses of the steps.
    private(set) var losses = ActualLosses()
    /// The indexes and triggers that the steps have removed without naming them.
    private(set) var removed: [RemovedParts] = []
    /// The tables from before the run that still exist, under their names at that time.
    private var alive: Set<String>
    /// The renames since the start of the run.
    private var renames: Renames

    init(
        to database: DatabaseName, _ before: CheckedDatabase, on connection: any MigrationConnection,
        _ cancellation: Cancellation
    ) {
        self.database = database
        self.connection = connection
        self.cancellation = cancellation
        self.before = before
        alive = Set(before.structure.tables.keys)
        renames = Renames(of: alive)
    }

    /// Applies or undoes one migration and updates the ledger. Refuses undeclared losses.
    mutating func perform(_ step: MigrationStep, progress: @escaping (StatementProgress) -> Void) throws {
        var counts = try RowCounts(connection)
        let structure = step.mayRemoveParts ? try connection.structure() : nil
        let numbers = try step.keepsNumbers ? connection.lastNumbers() : [:]
        try Self.run(step, of: database, on: connection, cancellation, progress: progress) { effect in
            try counts.note(effect)
        } after: { effect in
            try counts.follow(effect)
        }
        if !numbers.isEmpty { try connection.setLastNumbers(numbers) }
        if step.directives.contains(.dataLoss) {
            try noteRows(counts, step)
        } else {
            try counts.check(database, migration: step.name)
        }
        try noteColumns(counts, step)
        if let structure { removed += try step.removedParts(from: structure, to: connection.structure()) }
        for (old, new) in counts.alterations { renames.follow(from: old, to: new) }
        let tables = try counts.touched()
        touched.formUnion(tables)
        let now = try connection.columns()
        written.append(WrittenTables(migration: step.name, tables: tables))
        for index in written.indices { written[index].add(counts.renames, now) }
        alive = alive.filter { now[renames.name(of: $0, among: now.keys)] != nil }
        if !counts.renames.isEmpty { before = before.renamed(counts.renames, now) }
    }

    /// Runs the statements of one migration and updates the ledger; `before` and `after` receive the tables that each
    /// statement touches.
    static func run(
        _ step: MigrationStep, of database: DatabaseName, on connection: any MigrationConnection,
        _ cancellation: Cancellation, progress: @escaping (StatementProgress) -> Void,
        before: (StatementEffect) throws -> Void = { _ in },
        after: (StatementEffect) throws -> Void = { _ in }
    ) throws {
        do {
            try MigrationScripts.run(step.script, on: connection, progress: progress) { _, effect in
                try cancellation.check()
                try before(effect)
            } after: { _, effect in
                try after(effect)
            }
        } catch let failure as StatementFailure {
            if failure.cause.kind == .interrupted, cancellation.isRequested { throw MigrationError.interrupted }
            throw MigrationError.migrationFailed(FailedStatement(failure, of: step, database))
        }
        if let migration = step.migration {
            try Ledger.add(migration, note: step.note, in: connection)
        } else {
            try Ledger.remove(step.name, in: connection)
        }
    }

    /// The rows that a migration may lose because of its directives.
    private mutating func noteRows(_ counts: RowCounts, _ step: MigrationStep) throws {
        let rebuilt = step.directives.contains(.rebuild) ? try step.script.rebuiltTables() : []
        let (shorter, gone) = try counts.lost()
        for (table, rows) in shorter {
            guard let name = nameBefore(table) else { continue }
            losses.deleted[name, default: 0] += rows
            // The plan says that it cannot count these rows.
            if !rebuilt.contains(table.lowercased()) { losses.countable[name, default: 0] += rows }
        }
        for (table, rows) in gone {
            if let name = nameBefore(table) { losses.tables[name, default: 0] += rows }
        }
    }

    private mutating func noteColumns(_ counts: RowCounts, _ step: MigrationStep) throws {
        for (table, column) in try counts.lostColumns() {
            // The plan already shows the losses of a migration down.
            guard step.direction == .down || step.directives.contains(.dataLoss) else {
                let isDrift = before.drift?.contains { $0.kind == .extra && $0.name == "\(table).\(column)" } == true
                throw MigrationError.lostColumn(
                    database, migration: step.name, table: table, column: column, isDrift: isDrift)
            }
            guard let name = nameBefore(table), let columns = before.structure.tables[name]?.columns else { continue }
            let old = columns.first { renames.name(of: $0.name, in: name, among: [column]) == column }
            if let old { losses.columns.insert(.init(table: name, column: old.name)) }
        }
    }

    /// The name of a table before the run; nil for one that the run created.
    private func nameBefore(_ table: String) -> String? {
        let name = renames.original(of: table)
        return alive.contains(name) ? name : nil
    }

    /// Throws `lostMore` when the steps have lost more than these losses. Numbers of rows, and objects that a later
    /// step recreated, count only if the losses were shown.
    func requireLosses(in consented: [Loss], wereShown: Bool) throws {
        try (wereShown ? losses : lossesAtTheEnd()).requireIn(consented, counts: wereShown, of: database)
    }

    /// The losses at the end, without objects that a later step recreated.
    private func lossesAtTheEnd() throws -> ActualLosses {
        let now = try connection.columns()
        var left = losses
        left.tables = losses.tables.filter { now[renames.name(of: $0.key, among: now.keys)] == nil }
        left.columns = losses.columns.filter { lost in
            guard let columns = now[renames.name(of: lost.table, among: now.keys)] else { return true }
            return !columns.contains(renames.name(of: lost.column, in: lost.table, among: columns))
        }
        return left
    }
}

extension MigrationStep {
    /// Whether the tables that it makes again go on with their numbers: it drops a table, and says nothing about the
    /// numbers itself. Rule: docs/migrations.md, "Rebuilding a table".
    fileprivate var keepsNumbers: Bool {
        guard let facts = try? script.facts else { return false }
        return facts.contains { !$0.dropped.isEmpty } && !facts.contains { $0.names.contains("sqlite_sequence") }
    }
}
