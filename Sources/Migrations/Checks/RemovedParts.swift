import ChatDBEngine
import ChatDBSchema

extension MigrationStep {
    /// Whether it may remove indexes and triggers with their table or view. A way down has to make the schema of an
    /// earlier version, and the tests show what chatdb's own migrations remove.
    var mayRemoveParts: Bool {
        guard direction == .up, let migration, !MigrationSource.ownChecksums.contains(migration.checksum),
            let facts = try? script.facts
        else { return false }
        return facts.contains { !$0.dropped.isEmpty || $0.names.isSuperset(of: ["drop", "view"]) }
    }

    /// What the step removes without naming it, by the schemas before and after it; sorted by table. An index of another
    /// name that does the same, or a UNIQUE or PRIMARY KEY of the table, replaces an index.
    func removedParts(
        from before: DatabaseStructure, to after: DatabaseStructure
    ) throws(MigrationFileError) -> [RemovedParts] {
        let (facts, syntax) = (try script.facts, script.syntax)
        let renames = Renames(reading: facts, syntax: syntax, of: before)
        let now = Array(after.tables.keys) + Array(after.views.keys)
        let keys = Set(now.map(syntax.key))
        let left = Set((Array(after.indexes.keys) + Array(after.triggers.keys)).map(syntax.key))
        func newName(_ table: String) -> String { renames.name(of: table, among: now) }
        func isNamed(_ object: String, _ name: String) -> Bool {
            facts.contains {
                $0.names.isSuperset(of: [object, syntax.key(name)]) && !$0.names.isDisjoint(with: ["drop", "alter"])
            }
        }
        func isRemoved(_ object: String, _ name: String, of table: String) -> Bool {
            !left.contains(syntax.key(name)) && keys.contains(syntax.key(newName(table))) && !isNamed(object, name)
        }
        func isReplaced(_ index: IndexStructure) -> Bool {
            var moved = index
            moved.table = newName(index.table)
            if after.indexes.values.contains(moved) { return true }
            guard index.unique, index.condition == nil, let table = after.tables[moved.table] else { return false }
            return table.unique.contains(index.columns) || table.primaryKey == index.columns
        }
        let indexes = before.indexes.filter { isRemoved("index", $0.key, of: $0.value.table) && !isReplaced($0.value) }
        let triggers = before.triggers.filter { isRemoved("trigger", $0.key, of: $0.value.table) }
        let tables = Set(indexes.values.map(\.table) + triggers.values.map(\.table))
        return tables.sorted().map { table in
            RemovedParts(
                migration: name, table: table, indexes: indexes.filter { $0.value.table == table }.keys.sorted(),
                triggers: triggers.filter { $0.value.table == table }.keys.sorted())
        }
    }
}

extension LossReader {
    /// The indexes and triggers that the steps of a plan remove without naming them, by the schemas that the migrations
    /// make in memory.
    func removedParts(by plan: DatabasePlan, in database: DatabaseName) throws -> [RemovedParts] {
        guard plan.steps.contains(where: \.mayRemoveParts) else { return [] }
        let build = context.build[database] ?? []
        let schemas = try schemas.of(database)
        var applied = plan.applied
        var found: [RemovedParts] = []
        for step in plan.steps {
            let before = build.named(applied)
            applied.append(step.name)
            guard step.mayRemoveParts else { continue }
            found += try step.removedParts(
                from: schemas.structure(after: before), to: schemas.structure(after: build.named(applied)))
        }
        return found
    }
}
