import ChatDBEngine
import ChatDBSchema

/// Tries the steps of a plan down in memory, on the schema that a database has. The build need not have its migrations.
///
/// Another person may have written the down SQL in a database, and the user has not consented to it before a plan. So
/// the trial changes the schema of an empty database, and compiles all other statements without running them.
/// Rule: docs/migrations.md, "The plan".
struct StoredDownTrial {
    let engine: any StorageEngine
    let database: DatabaseName

    /// Throws `migrationFailed` for the first statement that fails. Throws nothing if the schema of the database cannot be
    /// made again, or has a view or trigger that lacks a table in the copy, or if a column with a check or a reference
    /// cannot be dropped: the SQL may still run on the database itself. Returns the schema that results; nil if the trial
    /// does not know it.
    func run(_ steps: [MigrationStep], on structure: DatabaseStructure) throws -> DatabaseStructure? {
        let connection = try engine.scratch()
        defer { connection.close() }
        try connection.begin()
        guard (try? make(structure, on: connection)) != nil else { return nil }
        // The copy lacks the tables of the engine and of chatdb. If a view or trigger needs one, the engine refuses to
        // rename a table of the copy.
        guard (try? connection.brokenDefinitions())?.isEmpty == true else { return nil }
        var isExact = try connection.structure().differences(from: structure).isEmpty
        for step in steps {
            let isRebuild = step.directives.contains(.rebuild)
            for (statement, facts) in zip(try step.script.statements, try step.script.facts) {
                // The trial cannot know what later statements find after such a table was made.
                if isTableOfRows(statement, facts) { return nil }
                // The tables of the engine can be missing in memory.
                if facts.names.contains(where: { $0.hasPrefix("sqlite_") }) {
                    if changesSchema(statement) { isExact = false }
                    continue
                }
                let text = changesSchema(statement) ? statement.text : "EXPLAIN \(statement.text)"
                do {
                    try execute(text, isRebuild, on: connection)
                } catch let cause as StoreError where cause.kind == .sql {
                    if lacksDroppedColumn(cause) { return nil }
                    let failure = StatementFailure(statement: statement, cause: cause)
                    throw MigrationError.migrationFailed(FailedStatement(failure, of: step, database))
                }
            }
        }
        return isExact ? try connection.structure() : nil
    }

    private func make(_ structure: DatabaseStructure, on connection: any MigrationConnection) throws {
        for statement in try SQLStatements.split(SchemaText.sql(of: structure)) {
            try execute(statement.text, false, on: connection)
        }
    }

    private func execute(_ text: String, _ isRebuild: Bool, on connection: any MigrationConnection) throws {
        try connection.execute(statement: text, rebuild: isRebuild, protected: Ledger.tables) { _ in }
    }

    /// Whether the engine refused to drop a column because a check or a reference of its table needs it. In the copy,
    /// these stand behind the columns. In the database, they may stand at the column, and are dropped with it.
    private func lacksDroppedColumn(_ cause: StoreError) -> Bool {
        cause.message.hasPrefix("error in table ") && cause.message.contains(" after drop column: ")
    }

    private func changesSchema(_ statement: SQLStatement) -> Bool {
        ["CREATE", "DROP", "ALTER"].contains { begins(statement, with: [$0]) }
    }

    /// Whether the statement may be `CREATE TABLE … AS SELECT`, which runs a query.
    private func isTableOfRows(_ statement: SQLStatement, _ facts: StatementFacts) -> Bool {
        begins(statement, with: ["CREATE", "TABLE"]) && facts.names.contains(SQLSyntax.sqlite.key("AS"))
    }

    private func begins(_ statement: SQLStatement, with words: [String]) -> Bool {
        var lexer = SQLLexer(statement.text)
        return words.allSatisfy { word in
            guard let token = try? lexer.nextSignificant() else { return false }
            return lexer.isWord(token, word)
        }
    }
}
