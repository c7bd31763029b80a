import ChatDBEngine
import ChatDBSchema

/// Edited files of applied migrations that no run accepts, because the schema of the database does not fit them.
/// Rule: docs/migrations.md, "Edited migrations".
extension StoreContext {
    /// The error of a run that would accept the edited files of a database. Nil if a run may accept them, if no file was
    /// edited, and if the files cannot make a schema. Changes nothing.
    package func refusalOfEdits(of part: FoundDatabase) -> MigrationError? {
        try? refusalOfEdits(of: part, StoreSchemas(self)) { try liveStructure(of: part.name) }
    }

    /// The same, with the schemas of a run. Reads and makes no schema if no file was edited.
    ///
    /// - Parameter structure: reads the schema of the database, without chatdb's internal tables.
    func refusalOfEdits(
        of part: FoundDatabase, _ schemas: StoreSchemas, _ structure: () throws -> DatabaseStructure
    ) throws -> MigrationError? {
        // The files do not have the schema after an empty one.
        guard part.kind == .chatdb, !part.edits.all.isEmpty, part.edits.emptied.isEmpty else { return nil }
        let structure = try structure()
        if structure.tables.isEmpty { return nil }
        let schemas = try schemas.of(part.name)
        if hasNoTable(of: part, structure, schemas) { return .otherTables(part.name, part.edits.all) }
        let later = try? migrations(missingIn: part.applied, of: part.name, for: structure, schemas)
        guard let last = later?.max() else { return nil }
        let version = max(last, part.applied.map(\.name).max() ?? "")
        return .editedVersion(part.name, part.edits.all, fitting: version)
    }

    /// Whether the files of the applied migrations create tables, and the database has none of them.
    private func hasNoTable(
        of part: FoundDatabase, _ structure: DatabaseStructure, _ schemas: VersionSchemas
    ) -> Bool {
        let applied = (build[part.name] ?? []).named(part.applied.namesAsApplied)
        guard let made = try? schemas.structure(after: applied), !made.tables.isEmpty,
            let undone = namesInUnknownDowns(of: part)
        else { return false }
        let syntax = location.syntax
        let tables = Set(made.tables.keys.map { syntax.key($0) })
        return tables.isDisjoint(with: structure.tables.keys.map { syntax.key($0) }) && tables.isDisjoint(with: undone)
    }

    /// The keys of the names in the down SQL of the migrations that the build lacks. A migration that it lacks may have
    /// renamed or dropped a table, and its down SQL then names this table. Nil if a migration has no down SQL that chatdb
    /// can read.
    private func namesInUnknownDowns(of part: FoundDatabase) -> Set<String>? {
        let unknown = Set(part.unknown)
        var names: Set<String> = []
        for entry in part.applied where unknown.contains(entry.name) {
            guard let down = entry.down,
                let script = try? MigrationScript(storedDown: down, of: entry.name, syntax: location.syntax),
                let facts = try? script.facts
            else { return nil }
            for fact in facts { names.formUnion(fact.names) }
        }
        return names
    }
}

extension FoundStore {
    /// The plan of a run. If the run accepts edited files, it throws `emptiedMigration` if one of them is empty, and
    /// `otherTables` or `editedVersion` if the schema of a database does not fit them.
    ///
    /// - Parameter structure: reads the schema of a database. It is called only if a file was edited.
    func planOfRun(
        in context: StoreContext, _ options: MigrationOptions, _ schemas: StoreSchemas,
        _ structure: (DatabaseName) throws -> DatabaseStructure
    ) throws -> StorePlan {
        func refusal(_ database: DatabaseName) throws -> MigrationError? {
            // A database that is completed first has another schema then.
            guard !willHaveCompleted, let part = parts[database] else { return nil }
            return try context.refusalOfEdits(of: part, schemas) { try structure(database) }
        }
        var plan: StorePlan
        do {
            plan = try self.plan(in: context, options)
        } catch {
            guard let known = error as? MigrationError, case .editedMigration = known else { throw error }
            throw try context.databases.compactMap(refusal).first ?? known
        }
        let edits = EditedNames(joining: plan.databases.values.map(\.edits))
        if options.acceptsEdited, !edits.emptied.isEmpty { throw MigrationError.edited(edits) }
        for database in DatabaseName.allCases where plan.databases[database]?.edits.all.isEmpty == false {
            guard let refusal = try refusal(database) else { continue }
            if options.acceptsEdited { throw refusal }
            if case .otherTables = refusal { plan.databases[database]?.edits.haveOtherTables(than: database) }
        }
        return plan
    }
}
