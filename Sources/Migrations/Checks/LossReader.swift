import ChatDBEngine
import ChatDBSchema

/// The schemas of both databases of a store, made once, and only where somebody asks for them.
final class StoreSchemas {
    private let context: StoreContext
    private var schemas: [DatabaseName: VersionSchemas] = [:]

    init(_ context: StoreContext) {
        self.context = context
    }

    /// The schemas of one database's history.
    func of(_ database: DatabaseName) throws(StoreError) -> VersionSchemas {
        if let known = schemas[database] { return known }
        let new = try VersionSchemas(context.build[database] ?? [], engine: context.engine)
        schemas[database] = new
        return new
    }
}

/// Finds what a plan throws away: what the database has and the schema of the target version has not. So it is known
/// also for down SQL this build has never seen.
struct LossReader {
    let context: StoreContext
    let schemas: StoreSchemas
    /// The databases that a run has open already, each inside its transaction.
    var connections: [DatabaseName: any MigrationConnection] = [:]

    /// Tables and columns that go, with how many rows have something in them; those without rows are told too. Then the
    /// rows that are deleted from tables that stay.
    func losses(of plan: DatabasePlan, in database: DatabaseName) throws -> [Loss] {
        let build = context.build[database] ?? []
        let schemas = try schemas.of(database)
        let (known, count) = (build.count(upTo: plan.from), build.count(upTo: plan.to))
        let isKnown = plan.from == nil || build.contains { $0.name == plan.from }
        try schemas.prepare(after: [count, known])
        let target = try schemas.structure(after: count)
        let version = isKnown ? try schemas.structure(after: known) : nil
        let (losses, kept) = try reading(database) { live, transaction in
            let comparison = try LossComparison(live: live, version: version, target: target, steps: plan.steps)
            let losses = try comparison.losses(in: transaction)
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
    /// The plan with what gets lost, which has to be looked up in the databases.
    func withLosses(_ reader: LossReader) throws -> StorePlan {
        var plan = self
        for (database, completion) in completes {
            plan.completes[database]?.losses = try reader.losses(of: completion, in: database)
        }
        if creates { return plan }
        for (database, rest) in databases where !rest.steps.isEmpty {
            let first = plan.completes[database]?.losses ?? []
            plan.databases[database]?.losses = try reader.losses(of: rest, in: database)
                .filter { $0.kind == .rows || !first.contains($0) }
        }
        return plan
    }
}

extension Confirmation {
    /// Throws unless there is consent to the plan, which is shown with what gets lost. Answers the plan as it was shown.
    func confirm(_ plan: StorePlan, _ reader: LossReader) throws -> StorePlan {
        let shown = isAsked ? try plan.withLosses(reader) : plan
        try check(shown)
        return shown
    }

    /// Whether somebody is shown the plan.
    var isAsked: Bool {
        if case .console = self { return true }
        return false
    }
}

/// A database's schema beside the one it is going to have.
struct LossComparison {
    private let live: DatabaseStructure
    /// The schema of the version it is at; nil when this build does not know it.
    private let version: DatabaseStructure?
    private let target: DatabaseStructure
    private let renames: Renames
    /// Names in SQL that can throw away what is none of the version's; lower case.
    private let named: Set<String>

    init(
        live: DatabaseStructure, version: DatabaseStructure?, target: DatabaseStructure, steps: [MigrationStep]
    ) throws {
        self.live = live
        self.version = version
        self.target = target
        renames = Renames(reading: try steps.flatMap { try $0.script.facts }, of: live)
        // Going up, a run refuses to lose a column that no directive gives up.
        named = try steps.filter { $0.direction == .down || $0.directives.contains(.dataLoss) }
            .reduce(into: []) { names, step in
                for statement in try step.script.facts { names.formUnion(statement.names) }
            }
    }

    /// By table, then in the order of the columns.
    func losses(in transaction: any ReadTransaction) throws -> [Loss] {
        var losses: [Loss] = []
        for (name, table) in live.tables.sorted(by: { $0.key < $1.key }) where table.virtualDefinition == nil {
            guard let kept = target.tables[renames.name(of: name, among: target.tables.keys)] else {
                if isExtra(table: name), !named.contains(name.lowercased()) { continue }
                losses.append(
                    Loss(
                        table: name, column: nil,
                        rows: try transaction.count("SELECT count(*) FROM \(identifier: name)")))
                continue
            }
            let names = kept.columns.map(\.name)
            for column in table.columns where column.generated == nil {
                if names.contains(renames.name(of: column.name, in: name, among: names)) { continue }
                if isExtra(column: column.name, of: name), !named.contains(name.lowercased()) { continue }
                let rows = try transaction.count(
                    "SELECT count(*) FROM \(identifier: name) WHERE \(condition(for: column))")
                losses.append(Loss(table: name, column: column.name, rows: rows))
            }
        }
        return losses
    }

    private func isExtra(table: String) -> Bool { version.map { $0.tables[table] == nil } ?? false }

    private func isExtra(column: String, of table: String) -> Bool {
        guard let columns = version?.tables[table]?.columns else { return isExtra(table: table) }
        return !columns.contains { $0.name == column }
    }

    /// True where the column holds something else than it has by default. Only a literal is compared with: an expression
    /// would be SQL of the file's making.
    private func condition(for column: ColumnStructure) -> Query {
        switch column.defaultValue.flatMap(SQLLiteral.init) {
        case .text(let text)?: "\(identifier: column.name) IS NOT \(text)"
        case .integer(let number)?: "\(identifier: column.name) IS NOT \(number)"
        case .real(let number)?: "\(identifier: column.name) IS NOT \(number)"
        case nil: "\(identifier: column.name) IS NOT NULL"
        }
    }
}

/// A text or a number, as a default in a schema has it.
private enum SQLLiteral {
    case text(String)
    case integer(Int64)
    case real(Double)

    init?(_ text: String) {
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
/// What a statement finds depends on what those before it have done. So this is what it finds now: of rows that two
/// statements delete more than there are, and nothing of a statement that does not yet fit the schema. A run knows
/// better afterwards, and tells.
private struct DeletedRows {
    /// The tables that are there and stay, by their names in lower case.
    private let tables: [String: String]
    private let deletions: [StatementFacts.Deletion]

    init(of steps: [MigrationStep], tables: [String]) throws {
        self.tables = Dictionary(tables.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        // No other step may lose rows.
        deletions = try steps.filter { $0.directives.contains(.dataLoss) }.flatMap { try $0.script.facts }
            .compactMap(\.deletion)
    }

    var isEmpty: Bool { deletions.isEmpty }

    /// By table; none of a table without such rows. The statements may be of the file's making: they are asked of a
    /// connection for files that anybody may have sent.
    func losses(in transaction: any ReadTransaction) throws -> [Loss] {
        var rows: [String: Int] = [:]
        for deletion in deletions {
            guard let table = tables[deletion.table.lowercased()] else { continue }
            let all = try transaction.count("SELECT count(*) FROM \(identifier: table)")
            let found = try found(by: deletion, in: transaction) ?? all
            rows[table] = min(all, (rows[table] ?? 0) + found)
        }
        return rows.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Loss(deletedFrom: $0.key, rows: $0.value) }
    }

    /// How many rows there are; nil when that takes too long to find out.
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
