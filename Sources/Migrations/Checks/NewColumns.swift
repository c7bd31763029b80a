import ChatDBEngine
import ChatDBSchema

/// A statement that adds a column which may not be NULL and has no default. SQLite refuses it for a table with rows. The
/// schemas of a plan have no rows, so making them does not find this.
struct NewColumn {
    /// The migration.
    let step: MigrationStep
    /// The statement.
    let statement: SQLStatement
    /// The table, as the statement writes it.
    let table: String

    /// Those of a plan whose tables have the rows of the store when the statement runs: up to the first statement that
    /// may delete or insert rows.
    static func all(in steps: [MigrationStep]) throws -> [NewColumn] {
        var found: [NewColumn] = []
        for step in steps {
            for (statement, facts) in zip(try step.script.statements, try step.script.facts) {
                if let table = table(of: statement) {
                    found.append(NewColumn(step: step, statement: statement, table: table))
                }
                let words = statement.text.split(whereSeparator: \.isWhitespace).prefix(2).map { $0.uppercased() }
                guard facts.leavesRows || words == ["CREATE", "TABLE"] else { return found }
            }
        }
        return found
    }

    /// The table to which a statement adds such a column; nil for any other statement.
    private static func table(of statement: SQLStatement) -> String? {
        // Without what is in parentheses, such as a CHECK.
        let words = StatementWords(statement)
        guard let (table, places) = words.addition else { return nil }
        let rest = words.words[places]
        // A generated column has a value, and DEFAULT may be the action of a reference.
        guard !rest.contains("DEFAULT"), !rest.contains("AS"), !rest.contains("GENERATED") else { return nil }
        return zip(rest, rest.dropFirst()).contains { $0 == ("NOT", "NULL") } ? table : nil
    }
}

extension StoreContext {
    /// The error with which a run ends because a step adds such a column to a table with rows; nil without such a step.
    /// Nil too if the steps or the table cannot be read: the run reports that.
    func refusedColumn(of database: DatabaseName, after plan: DatabasePlan) -> MigrationError? {
        guard !hasOwnMigrations, plan.direction == .up, plan.steps.syntax == .sqlite,
            let columns = try? NewColumn.all(in: plan.steps), !columns.isEmpty,
            let connection = try? openFound(database).connection
        else { return nil }
        defer { try? connection.close() }
        let refused = columns.first { column in
            let query: Query = "SELECT EXISTS (SELECT 1 FROM \(identifier: column.table))"
            return (try? connection.read { try $0.count(query) }) == 1
        }
        guard let refused else { return nil }
        let cause = StoreError(.sql, "Cannot add a NOT NULL column with default value NULL")
        let failure = StatementFailure(statement: refused.statement, cause: cause)
        return .migrationFailed(FailedStatement(failure, of: refused.step, database))
    }
}
