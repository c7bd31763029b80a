import ChatDBEngine
import ChatDBSchema

/// The schemas of both databases of a store, built once, at first use.
final class StoreSchemas {
    private let context: StoreContext
    private var schemas: [DatabaseName: VersionSchemas] = [:]

    init(_ context: StoreContext) {
        self.context = context
    }

    /// The schemas of one database's history.
    func of(_ database: DatabaseName) throws(StoreError) -> VersionSchemas {
        if let known = schemas[database] { return known }
        let new = try VersionSchemas(engine: context.engine, of: database)
        schemas[database] = new
        return new
    }
}

/// Finds the losses of a plan: the parts of the database that the target version's schema does not have. This also
/// covers down SQL that this build does not have.
struct LossReader {
    let context: StoreContext
    let schemas: StoreSchemas
    /// The databases that a run has already opened, each inside its transaction.
    var connections: [DatabaseName: any MigrationConnection] = [:]
    /// The schemas that the down SQL of the plan makes in memory, where they are known. SQL that does not make the schema
    /// of the target loses something else than the difference of the two versions.
    var results: [DatabaseName: DatabaseStructure] = [:]

    /// The losses to which a run needs consent: a migration up loses only what its directives declare.
    func expectedLosses(of plan: DatabasePlan, in database: DatabaseName) throws -> [Loss] {
        let loses = plan.steps.contains { $0.direction == .down || $0.directives.contains(.dataLoss) }
        return loses ? try losses(of: plan, in: database) : []
    }

    /// Tables and columns that are dropped, with the number of rows that have data in them, including those without
    /// rows. Then the rows deleted from the remaining tables.
    func losses(of plan: DatabasePlan, in database: DatabaseName) throws -> [Loss] {
        let (losses, kept) = try comparing(plan, in: database) { comparison, live, transaction in
            let losses = comparison.withoutKept(try comparison.losses(in: transaction), by: plan)
            let gone = Set(losses.filter { $0.kind == .table }.map(\.table))
            let kept = live.tables.filter { $0.value.virtualDefinition == nil && !gone.contains($0.key) }
            return (losses, Array(kept.keys))
        }
        let deleted = try DeletedRows(of: plan.steps, tables: kept)
        if deleted.isEmpty { return losses }
        let connection = try context.engine.open(context.location.path(of: database), as: .untrusted)
        defer { try? connection.close() }
        return losses + (try connection.read { try deleted.losses(in: $0) })
    }

    /// The plan with the columns whose values its steps do not copy or overwrite, although the target version has them.
    func withUnkept(_ plan: DatabasePlan, in database: DatabaseName) throws -> DatabasePlan {
        let unkept = try comparing(plan, in: database) { comparison, _, transaction in
            try comparison.unkept(by: plan.steps, in: transaction)
        }
        var found = plan
        found.uncopied = unkept.uncopied
        found.overwritten = unkept.overwritten
        return found
    }

    private func comparing<T>(
        _ plan: DatabasePlan, in database: DatabaseName,
        _ body: (LossComparison, DatabaseStructure, any ReadTransaction) throws -> T
    ) throws -> T {
        let build = context.build[database] ?? []
        let schemas = try schemas.of(database)
        let (before, after) = (build.allNamed(plan.applied), build.named(plan.appliedAfter))
        try schemas.prepare(after: [after] + (before.map { [$0] } ?? []))
        let target = try results[database] ?? schemas.structure(after: after)
        let version = try before.map { try schemas.structure(after: $0) }
        return try reading(database) { live, transaction in
            let comparison = try LossComparison(live: live, version: version, target: target, steps: plan.steps)
            return try body(comparison, live, transaction)
        }
    }

    /// The differences of a database from the schema that this build's files make of its version; nil if the build does
    /// not have all of its migrations.
    func differences(from plan: DatabasePlan, in database: DatabaseName) throws -> [StructureDifference]? {
        guard let migrations = (context.build[database] ?? []).allNamed(plan.applied) else { return nil }
        let expected = try schemas.of(database).structure(after: migrations)
        return try reading(database) { live, _ in live.differences(from: expected) }
    }

    /// The same for a database whose files are not accepted as edited. Makes no schema if the definitions are those recorded
    /// for the newest version. Nil also if the files cannot make the schema.
    func drift(of plan: DatabasePlan, in database: DatabaseName) throws -> [StructureDifference]? {
        let build = context.build[database] ?? []
        guard let migrations = build.allNamed(plan.applied) else { return nil }
        return try reading(database) { live, transaction in
            if migrations.count == build.count,
                try NewestSchema.isConfirmed(database, migrations, inside: transaction)
            {
                return []
            }
            return try expected(after: migrations, in: database).map(live.differences(from:))
        }
    }

    /// The differences of the schema that the down SQL makes from that of the target version, without those of objects in
    /// which the database differs from its version. A run with such differences is refused.
    func wrongResult(of plan: DatabasePlan, in database: DatabaseName) throws -> [StructureDifference] {
        guard let result = results[database] else { return [] }
        let target = try schemas.of(database).structure(after: (context.build[database] ?? []).named(plan.appliedAfter))
        return result.differences(from: target).filter { difference in
            !plan.differences.contains { $0.object == difference.object && $0.name == difference.name }
        }
    }

    /// The schema after these migrations; nil if a file of them fails.
    private func expected(after migrations: [Migration], in database: DatabaseName) throws -> DatabaseStructure? {
        do {
            return try schemas.of(database).structure(after: migrations)
        } catch is MigrationError {
            return nil
        } catch is MigrationFileError {
            return nil
        }
    }

    private func reading<T>(
        _ database: DatabaseName, _ body: (DatabaseStructure, any ReadTransaction) throws -> T
    ) throws -> T {
        if let connection = connections[database] {
            return try body(try connection.structure().withoutLedger, connection)
        }
        let connection = try context.engine.open(context.location.path(of: database), as: .untrusted)
        defer { try? connection.close() }
        let live = try connection.structure().withoutLedger
        return try connection.read { try body(live, $0) }
    }
}

extension StorePlan {
    /// The plan with what is read from the databases: its losses, the differences of edited files, and drift. Also with
    /// what its migrations do in memory: parts that they remove without naming them, and faults in their down SQL.
    func examined(by reader: LossReader) throws -> StorePlan {
        var plan = self
        for (database, completion) in completes {
            plan.completes[database] = try reader.withUnkept(completion, in: database)
            plan.completes[database]?.losses = try reader.losses(of: completion, in: database)
            plan.completes[database]?.removed = try reader.removedParts(by: completion, in: database)
        }
        if creates { return plan.withDownFaults(reader) }
        for (database, rest) in databases where !rest.steps.isEmpty {
            let first = plan.completes[database]?.losses ?? []
            // A database that is completed first has another schema then.
            if completes[database] == nil { plan.databases[database] = try reader.withUnkept(rest, in: database) }
            plan.databases[database]?.losses = try reader.losses(of: rest, in: database)
                .filter { $0.kind == .rows || !first.contains($0) }
            plan.databases[database]?.removed = try reader.removedParts(by: rest, in: database)
        }
        for (database, rest) in databases where completes[database] == nil {
            if !rest.accepted.isEmpty {
                plan.databases[database]?.editedSchema = try reader.differences(from: rest, in: database)
            } else {
                // A run with nothing to do needs no schema, so files that cannot make one are no reason to refuse it.
                plan.databases[database]?.drift = try reader.drift(of: rest, in: database)
            }
            if let planned = plan.databases[database] {
                plan.databases[database]?.wrongResult = try reader.wrongResult(of: planned, in: database)
            }
        }
        return plan.withDownFaults(reader)
    }

    private func withDownFaults(_ reader: LossReader) -> StorePlan {
        var plan = self
        for (database, steps) in databases {
            plan.databases[database]?.downFault = reader.downFault(of: steps, in: database)
        }
        return plan
    }
}

extension Confirmation {
    /// Throws unless there is consent to the plan, which is shown with its losses. Returns the plan as it was shown.
    func confirm(_ plan: StorePlan, _ reader: LossReader) throws -> StorePlan {
        let shown = isAsked ? try plan.examined(by: reader) : plan
        try check(shown)
        return shown
    }

    /// Whether a person is shown the plan.
    var isAsked: Bool {
        if case .console = self { return true }
        return false
    }
}

/// A database's schema and the schema after the plan.
struct LossComparison {
    let live: DatabaseStructure
    /// The schema of its version; nil when this build does not know the version.
    private let version: DatabaseStructure?
    private let target: DatabaseStructure
    private let renames: Renames
    /// Names in SQL that can discard parts that are not in the version's schema, as keys.
    private let named: Set<String>
    let syntax: SQLSyntax

    init(
        live: DatabaseStructure, version: DatabaseStructure?, target: DatabaseStructure, steps: [MigrationStep]
    ) throws {
        self.live = live
        self.version = version
        self.target = target
        syntax = steps.syntax
        renames = Renames(reading: try steps.flatMap { try $0.script.facts }, syntax: syntax, of: live)
        // A run up refuses to lose a column without a directive.
        named = try steps.filter { $0.direction == .down || $0.directives.contains(.dataLoss) }
            .reduce(into: []) { names, step in
                for statement in try step.script.facts { names.formUnion(statement.names) }
            }
    }

    /// Sorted by table, then in the order of the columns.
    func losses(in transaction: any ReadTransaction) throws -> [Loss] {
        var losses: [Loss] = []
        for (name, table) in live.tables.sorted(by: { $0.key < $1.key }) where table.virtualDefinition == nil {
            guard let kept = target.tables[renames.name(of: name, among: target.tables.keys)] else {
                if isExtra(table: name), !named.contains(syntax.key(name)) { continue }
                losses.append(
                    Loss(
                        table: name, column: nil,
                        rows: try transaction.count("SELECT count(*) FROM \(identifier: name)")))
                continue
            }
            let names = kept.columns.map(\.name)
            for column in table.columns where column.generated == nil {
                if names.contains(renames.name(of: column.name, in: name, among: names)) { continue }
                if isExtra(column: column.name, of: name), !named.contains(syntax.key(name)) { continue }
                let rows = try transaction.count(
                    "SELECT count(*) FROM \(identifier: name) WHERE \(condition(for: column))")
                losses.append(Loss(table: name, column: column.name, rows: rows))
            }
        }
        return losses
    }

    /// Without the parts outside the version's schema that no statement of the plan drops: the SQL has their names, or
    /// those of their tables, for something else.
    func withoutKept(_ losses: [Loss], by plan: DatabasePlan) -> [Loss] {
        var plan = plan
        plan.losses = losses
        let caused = Set(plan.stepLosses.joined())
        return losses.filter { loss in
            let isOutside = loss.column.map { isExtra(column: $0, of: loss.table) } ?? isExtra(table: loss.table)
            return !isOutside || caused.contains(loss)
        }
    }

    /// Those of the columns of a table that the target has too and that have data, in the order of the table.
    func columnsWithData(
        of name: String, _ columns: Set<String>, in transaction: any ReadTransaction
    ) throws -> [String] {
        guard let table = live.tables[name],
            let kept = target.tables[renames.name(of: name, among: target.tables.keys)]
        else { return [] }
        let names = kept.columns.filter { $0.generated == nil }.map(\.name)
        return try table.columns.filter { column in
            guard column.generated == nil, columns.contains(column.name),
                names.contains(renames.name(of: column.name, in: name, among: names))
            else { return false }
            return try transaction.count(
                "SELECT EXISTS (SELECT 1 FROM \(identifier: name) WHERE \(condition(for: column)))") > 0
        }.map(\.name)
    }

    private func isExtra(table: String) -> Bool { version.map { $0.tables[table] == nil } ?? false }

    private func isExtra(column: String, of table: String) -> Bool {
        guard let columns = version?.tables[table]?.columns else { return isExtra(table: table) }
        return !columns.contains { $0.name == column }
    }

    /// A condition that is true where the column has another value than its default. It compares only with literals: an
    /// expression would be SQL from the file.
    private func condition(for column: ColumnStructure) -> Query {
        switch column.defaultValue.flatMap(SQLLiteral.init) {
        case .text(let text)?: "(\(identifier: column.name) IS NULL OR \(identifier: column.name) <> \(text))"
        case .integer(let number)?: "(\(identifier: column.name) IS NULL OR \(identifier: column.name) <> \(number))"
        case .real(let number)?: "(\(identifier: column.name) IS NULL OR \(identifier: column.name) <> \(number))"
        case nil: "\(identifier: column.name) IS NOT NULL"
        }
    }
}

/// A text or number literal in a column's default.
private enum SQLLiteral {
    case text(String)
    case integer(Int64)
    case real(Double)

    /// - Parameter written: the default. PostgreSQL writes `'a'::text`, `'-1'::integer` and `(-1)`.
    init?(_ written: String) {
        var text = written
        if let cast = written.wholeMatch(of: #/('(?:[^']|'')*')::([a-z ]+)/#) {
            let isText = ["text", "character varying"].contains(String(cast.2))
            text = isText ? String(cast.1) : String(cast.1.dropFirst().dropLast())
        } else if let number = written.wholeMatch(of: #/\((-[0-9.]+)\)/#) {
            text = String(number.1)
        }
        if let number = Int64(text.filter { $0 != " " }) {
            self = .integer(number)
        } else if let number = Double(text.filter { $0 != " " }) {
            self = .real(number)
        } else {
            var lexer = SQLLexer(text)
            guard let token = try? lexer.nextSignificant(), token.kind == .string, let value = lexer.name(of: token),
                (try? lexer.nextSignificant()) == .some(nil)
            else { return nil }
            self = .text(value)
        }
    }
}

/// Counts, before a run, the rows that its DELETE statements find in tables that stay.
///
/// The statements are counted against the database as it is now, although each depends on those before it. So rows that
/// two statements delete can be counted twice, up to the size of the table, and a statement that does not yet fit the
/// schema counts none. The report of the run has the exact numbers.
private struct DeletedRows {
    /// The tables that exist before and after the plan, by their keys.
    private let tables: [String: String]
    private let syntax: SQLSyntax
    private let deletions: [StatementFacts.Deletion]

    init(of steps: [MigrationStep], tables: [String]) throws {
        let syntax = steps.syntax
        self.syntax = syntax
        self.tables = Dictionary(tables.map { (syntax.key($0), $0) }, uniquingKeysWith: { first, _ in first })
        var deletions: [StatementFacts.Deletion] = []
        var named: Set<String> = []
        for step in steps {
            let facts = try step.script.facts
            for fact in facts where fact.deletion == nil && !fact.leavesRows { named.formUnion(fact.names) }
            let isDeclared = step.directives.contains(.dataLoss)
            // A migration that does not declare its deletions may move the rows, and lose none. It loses the rows that
            // are found now if nothing else uses the rows of the table.
            deletions += facts.compactMap(\.deletion).filter { isDeclared || !named.contains(syntax.key($0.table)) }
        }
        self.deletions = deletions
    }

    var isEmpty: Bool { deletions.isEmpty }

    /// Sorted by table, without tables that lose no rows. The statements may come from the file, so they run on a
    /// connection for untrusted files.
    func losses(in transaction: any ReadTransaction) throws -> [Loss] {
        var rows: [String: Int] = [:]
        for deletion in deletions {
            guard let table = tables[syntax.key(deletion.table)] else { continue }
            let all = try transaction.count("SELECT count(*) FROM \(identifier: table)")
            let found = try found(by: deletion, in: transaction) ?? all
            rows[table] = min(all, (rows[table] ?? 0) + found)
        }
        return rows.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Loss(deletedFrom: $0.key, rows: $0.value) }
    }

    /// The number of rows; nil when counting takes too long.
    private func found(by deletion: StatementFacts.Deletion, in transaction: any ReadTransaction) throws(StoreError)
        -> Int?
    {
        do {
            return try transaction.count(.unchecked(sql: "SELECT count(*) FROM \(deletion.rest)"))
        } catch {
            switch error.kind {
            case .sql, .denied: return 0
            case .beyondLimits: return nil
            default: throw error
            }
        }
    }
}
