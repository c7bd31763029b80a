import Engine
import Schema

/// Finds what going down throws away: what the database has and the schema of the target version has not. So it is known
/// also for down SQL this build has never seen.
struct LossReader {
    let migrator: Migrator

    /// Tables and columns that go, with how many rows have something in them; those without rows are told too.
    func losses(of plan: DatabasePlan, in database: DatabaseName) throws -> [Loss] {
        let build = migrator.build[database] ?? []
        let count = plan.to.map { name in build.prefix { $0.name <= name }.count } ?? 0
        let target = try VersionSchemas(build, engine: migrator.engine).structure(after: count)
        let connection = try migrator.engine.open(migrator.location.path(of: database), as: .untrusted)
        defer { try? connection.close() }
        let live = try connection.structure().withoutLedger
        return try connection.read { try losses(from: live, to: target, in: $0) }
    }

    private func losses(
        from live: DatabaseStructure, to target: DatabaseStructure, in transaction: any ReadTransaction
    ) throws -> [Loss] {
        var losses: [Loss] = []
        for (name, table) in live.tables.sorted(by: { $0.key < $1.key }) where table.virtualDefinition == nil {
            guard let kept = target.tables[name] else {
                losses.append(
                    Loss(
                        table: name, column: nil,
                        rows: try transaction.count("SELECT count(*) FROM \(identifier: name)")))
                continue
            }
            let names = Set(kept.columns.map(\.name))
            for column in table.columns where !names.contains(column.name) {
                let rows = try transaction.count(
                    "SELECT count(*) FROM \(identifier: name) WHERE \(condition(for: column))")
                losses.append(Loss(table: name, column: column.name, rows: rows))
            }
        }
        return losses
    }

    /// True where the column holds something else than what it has by default. Only a plain default is compared with:
    /// an expression would be SQL of the file's making.
    private func condition(for column: ColumnStructure) -> Query {
        let number = column.defaultValue.flatMap { Int64($0) }
        if let number { return "\(identifier: column.name) IS NOT \(number)" }
        if column.defaultValue == "''" { return "\(identifier: column.name) IS NOT ''" }
        return "\(identifier: column.name) IS NOT NULL"
    }
}
