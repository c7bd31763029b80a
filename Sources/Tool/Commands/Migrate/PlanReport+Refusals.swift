import Engine
import Migrations
import Schema

// What a plan shows of the rule that rows go only where a migration says so, before anybody agrees to it.

extension PlanReport {
    /// Tables that go with rows in them although no migration that names them says so, sorted: the run is refused.
    static func unannounced(_ plan: DatabasePlan) -> [String] {
        let tables = plan.losses.filter { $0.kind == .table && $0.rows > 0 }.map(\.table)
        return tables.filter { table in
            let steps = plan.steps.filter { $0.names(table) }
            return !steps.isEmpty && !steps.contains { $0.directives.contains(.dataLoss) }
        }.sorted()
    }

    var refusals: [Block] {
        let notes = DatabaseName.allCases.compactMap { database -> Note? in
            let tables = plan.databases[database].map(Self.unannounced) ?? []
            if tables.isEmpty { return nil }
            return .warning(
                "the run will be refused: rows of \(tables.joined(separator: ", ")) in the \(database) database would go, and "
                    + "no migration says so (-- chatdb: data-loss)")
        }
        return notes.isEmpty ? [] : [.notes(notes)]
    }
}

extension MigrationStep {
    /// Whether a statement names the table; SQL that cannot be read names nothing.
    fileprivate func names(_ table: String) -> Bool {
        guard let statements = try? script.statements else { return false }
        return statements.contains { statement in
            var lexer = SQLLexer(statement.text)
            while let token = try? lexer.nextSignificant() {
                if lexer.name(of: token)?.lowercased() == table.lowercased() { return true }
            }
            return false
        }
    }
}
