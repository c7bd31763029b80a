import ChatDBEngine
import ChatDBSchema

/// A statement that creates a table, an index or a column that the database has already, although its version
/// does not (drift). The schemas of a plan do not have it either, so making them does not find this.
struct ExistingObject {
    /// The migration.
    let step: MigrationStep
    /// The statement.
    let statement: SQLStatement
    /// The error of SQLite.
    let reason: String

    /// The first statement of a plan up that SQLite will refuse for this reason; nil without one. Leaves out a statement if
    /// an earlier one may have dropped or renamed what is in the way. Leaves out triggers and views too: a run refuses all
    /// that the version does not have.
    static func first(in steps: [MigrationStep], drift: [StructureDifference]) throws -> ExistingObject? {
        let extras = Set(drift.filter { $0.kind == .extra }.map { Thing($0.object, SQLSyntax.sqlite.key($0.name)) })
        var (changed, dropsTables): (Set<String>, Bool) = ([], false)
        for step in steps {
            for (statement, facts) in zip(try step.script.statements, try step.script.facts) {
                let words = StatementWords(statement)
                guard let created = words.created else {
                    if words.mayRemove { changed.formUnion(facts.names) }
                    dropsTables = dropsTables || !facts.dropped.isEmpty
                    continue
                }
                // An index goes with its table.
                let mayBeGone = changed.contains(created.place) || created.thing.object == .index && dropsTables
                guard extras.contains(created.thing), !mayBeGone else { continue }
                return ExistingObject(step: step, statement: statement, reason: created.reason)
            }
        }
        return nil
    }

    /// A thing of a schema.
    fileprivate struct Thing: Hashable {
        let object: StructureDifference.Object
        /// The key of its name, as in a difference.
        let key: String

        init(_ object: StructureDifference.Object, _ key: String) {
            self.object = object
            self.key = key
        }
    }

    /// What a statement creates.
    fileprivate struct Creation {
        let thing: Thing
        /// The key of the table of a column, and of the name of another thing.
        let place: String
        /// The error of SQLite if the thing exists.
        let reason: String
    }
}

extension StatementWords {
    /// Whether the statement may remove or rename something of the schema.
    fileprivate var mayRemove: Bool { ["DROP", "ALTER"].contains(words.first) }

    /// The thing that the statement creates; nil if it creates none, none of these, or only one that does not exist.
    fileprivate var created: ExistingObject.Creation? {
        if let added = addedColumn {
            let table = SQLSyntax.sqlite.key(added.table)
            return ExistingObject.Creation(
                thing: .init(.column, "\(table).\(SQLSyntax.sqlite.key(added.column))"), place: table,
                reason: "duplicate column name: \(added.column)")
        }
        guard words.count > 3, words[0] == "CREATE" else { return nil }
        let place = ["UNIQUE", "VIRTUAL"].contains(words[1]) ? 2 : 1
        let objects: [String: StructureDifference.Object] = ["TABLE": .table, "INDEX": .index]
        guard let object = objects[words[place]], words[place + 1] != "IF" else { return nil }
        let isQualified = words.count > place + 3 && words[place + 2] == "."
        guard !isQualified || names[place + 1].map(SQLSyntax.sqlite.key) == "main",
            let name = names[isQualified ? place + 3 : place + 1]
        else { return nil }
        let key = SQLSyntax.sqlite.key(name)
        return ExistingObject.Creation(
            thing: .init(object, key), place: key, reason: "\(object.rawValue) \(name) already exists")
    }

    /// The column that the statement adds, and its table.
    private var addedColumn: (table: String, column: String)? {
        guard let (table, rest) = addition, let first = rest.first else { return nil }
        let place = words[first] == "COLUMN" ? first + 1 : first
        guard names.indices.contains(place), let column = names[place] else { return nil }
        return (table, column)
    }
}

extension StoreContext {
    /// The error with which a run ends because a step creates what the database has already; nil without such a step,
    /// and if the steps cannot be read: the run reports that.
    func refusedCreation(in database: DatabaseName, by plan: DatabasePlan) -> MigrationError? {
        guard plan.direction == .up, plan.steps.syntax == .sqlite,
            let existing = (try? ExistingObject.first(in: plan.steps, drift: plan.differences)) ?? nil
        else { return nil }
        let failure = StatementFailure(statement: existing.statement, cause: StoreError(.sql, existing.reason))
        return .migrationFailed(FailedStatement(failure, of: existing.step, database))
    }
}
