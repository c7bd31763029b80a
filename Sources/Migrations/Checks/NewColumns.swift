import ChatDBEngine
import ChatDBSchema

/// A statement that adds a column. SQLite refuses it for a table with rows if the column may not be NULL and has no
/// default, or if the default is not constant. The schemas of a plan have no rows, so making them does not find this.
struct NewColumn {
    /// The migration.
    let step: MigrationStep
    /// The statement.
    let statement: SQLStatement
    /// The table, as the statement writes it.
    let table: String
    /// The column, with all that follows its name.
    let definition: String

    /// Those of a plan whose tables have the rows of the store when the statement runs: up to the first statement that
    /// may delete or insert rows.
    static func all(in steps: [MigrationStep]) throws -> [NewColumn] {
        var found: [NewColumn] = []
        for step in steps {
            for (statement, facts) in zip(try step.script.statements, try step.script.facts) {
                if let (table, definition) = column(of: statement) {
                    found.append(
                        NewColumn(step: step, statement: statement, table: table, definition: definition))
                }
                let words = statement.text.split(whereSeparator: \.isWhitespace).prefix(2).map { $0.uppercased() }
                guard facts.leavesRows || words == ["CREATE", "TABLE"] else { return found }
            }
        }
        return found
    }

    /// The table to which a statement adds a column, and the definition of the column; nil for any other statement.
    private static func column(of statement: SQLStatement) -> (table: String, definition: String)? {
        let words = StatementWords(statement)
        guard let (table, rest) = words.addition else { return nil }
        guard let first = rest.first(where: { words.words[$0] != "COLUMN" }) else { return nil }
        return (table, String(decoding: Array(statement.text.utf8)[words.starts[first]...], as: UTF8.self))
    }

    /// The error with which SQLite refuses such a column in a table with rows, from a table in memory; nil if it adds the
    /// column. All errors that depend on the columns of the table itself are left out.
    func refusal(by engine: any StorageEngine) throws -> StoreError? {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        for text in ["CREATE TABLE t (chatdb)", "INSERT INTO t VALUES (1)", "ALTER TABLE t ADD COLUMN \(definition)"] {
            do {
                try connection.execute(statement: text, rebuild: false, protected: Ledger.tables) { _ in }
            } catch let error as StoreError {
                return Self.refusals.contains { error.message.contains($0) } ? error : nil
            }
        }
        return nil
    }

    /// The messages of SQLite.
    private static let refusals = [
        "Cannot add a NOT NULL column with default value NULL", "Cannot add a column with non-constant default",
    ]
}

extension StoreContext {
    /// The error with which a run ends because a step adds such a column to a table with rows; nil without such a step.
    /// Nil too if the steps or the table cannot be read: the run reports that.
    func refusedColumn(of database: DatabaseName, after plan: DatabasePlan) -> MigrationError? {
        guard plan.direction == .up, plan.steps.syntax == .sqlite, isOfFolder,
            let columns = try? NewColumn.all(in: plan.steps), !columns.isEmpty,
            let connection = try? openFound(database).connection
        else { return nil }
        defer { try? connection.close() }
        for column in columns {
            guard let cause = try? column.refusal(by: engine) else { continue }
            let query: Query = "SELECT EXISTS (SELECT 1 FROM \(identifier: column.table))"
            guard (try? connection.read { try $0.count(query) }) == 1 else { continue }
            let failure = StatementFailure(statement: column.statement, cause: cause)
            return .migrationFailed(FailedStatement(failure, of: column.step, database))
        }
        return nil
    }
}
