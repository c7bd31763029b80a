import ChatDBEngine
import ChatDBSchema

extension DatabasePlan {
    /// The losses that no migration of the plan declares, in the order of `losses`; empty when the run need not be
    /// refused, as far as the plan can tell. A migration down declares the columns that it drops by being one.
    public var undeclaredLosses: [UndeclaredLoss] {
        let caused = Array(zip(steps, stepLosses))
        return losses.filter { $0.rows > 0 }.compactMap { loss in
            var causes = caused.filter { $0.1.contains(loss) }.map(\.0)
            switch loss.kind {
            case .rows: break
            case .column:
                if causes.contains(where: { $0.direction == .down }) { return nil }
            case .table:
                // The statement that drops it may have another name for it.
                var names: Set<String> = [steps.syntax.key(loss.table)]
                causes = steps.filter { $0.names(anyOf: &names) }
            }
            guard let first = causes.first, !causes.contains(where: { $0.directives.contains(.dataLoss) }) else {
                return nil
            }
            return UndeclaredLoss(loss: loss, migration: first.name)
        }
    }
}

extension StorePlan {
    /// Throws `undeclaredLoss` if the run would be refused because a migration does not declare what it loses. The plan
    /// needs its losses.
    package func requireDeclaredLosses() throws(MigrationError) {
        for database in DatabaseName.allCases {
            if let first = databases[database]?.undeclaredLosses.first { throw .undeclaredLoss(database, first) }
        }
    }
}

extension MigrationStep {
    /// Whether a statement names the table. ALTER TABLE … RENAME TO adds to its names. SQL that cannot be parsed names
    /// nothing.
    fileprivate func names(anyOf names: inout Set<String>) -> Bool {
        guard let facts = try? script.facts else { return false }
        var isNamed = false
        for statement in facts {
            if !names.isDisjoint(with: statement.names) { isNamed = true }
            guard case .renamesTable(let old, let new) = statement.alteration else { continue }
            if names.contains(script.syntax.key(old)) { names.insert(script.syntax.key(new)) }
        }
        return isNamed
    }
}
