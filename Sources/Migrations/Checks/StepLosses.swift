import ChatDBEngine
import ChatDBSchema

extension DatabasePlan {
    /// For each step, those of `losses` that its statements cause: it drops the table or the column, rebuilds the table
    /// without the column, or deletes rows of the table. Follows names through ALTER TABLE … RENAME.
    public var stepLosses: [[Loss]] {
        let named = stepLosses(of: losses) { names, loss, statement in names.isLost(loss, by: statement) }
        // Several steps may rebuild a table. They count as the cause of a lost column only if no statement drops it by
        // its name.
        let dropped = Set(named.joined())
        let unnamed = losses.filter { $0.kind == .column && !dropped.contains($0) }
        let remade = stepLosses(of: unnamed) { names, loss, statement in names.isTableDropped(of: loss, by: statement) }
        return zip(named, remade).map(+)
    }

    /// For each step, whether it may lose data that could not be counted beforehand: it deletes rows of a table that
    /// another statement uses, in an earlier step or, without `data-loss`, in the same step too; or it does not copy the
    /// values of a column. Values that it overwrites are in `overwritten`.
    package var stepsWithUnknownLoss: [Bool] {
        let syntax = steps.syntax
        var used: Set<String> = []
        return steps.map { step -> Bool in
            let facts = (try? step.script.facts) ?? []
            let tables = facts.compactMap(\.deletion).map { syntax.key($0.table) }
            let isDeclared = step.directives.contains(.dataLoss)
            var isUnknown = isDeclared && tables.contains(where: used.contains)
            for fact in facts where fact.deletion == nil {
                // An index changes no rows.
                if fact.leavesRows, fact.names.contains(syntax.key("index")) { continue }
                used.formUnion(fact.names)
            }
            if !isDeclared, tables.contains(where: used.contains) { isUnknown = true }
            return isUnknown || uncopied.contains { $0.migration == step.name }
        }
    }

    /// For each step, those of its lost tables and columns with data that another of its statements reads. It may copy the
    /// data to another place, which no plan follows.
    package var stepCopies: [[Loss]] {
        let syntax = steps.syntax
        return zip(steps, stepLosses).map { step, losses in
            let reading = ((try? step.script.facts) ?? []).filter { fact in
                fact.deletion == nil && !fact.names.isDisjoint(with: ["select", "update"])
                    && fact.names.isDisjoint(with: ["trigger", "view"])
            }
            return losses.filter { loss in
                let names = [loss.table, loss.column].compactMap(\.self).map(syntax.key)
                return loss.kind != .rows && loss.rows > 0 && reading.contains { $0.names.isSuperset(of: names) }
            }
        }
    }

    private func stepLosses(
        of losses: [Loss], _ isLost: (OriginalNames, Loss, StatementFacts) -> Bool
    ) -> [[Loss]] {
        var names = OriginalNames(syntax: steps.syntax)
        return steps.map { step in
            var found: [Loss] = []
            for statement in (try? step.script.facts) ?? [] {
                for loss in losses where isLost(names, loss, statement) && !found.contains(loss) { found.append(loss) }
                names.follow(statement)
            }
            return found
        }
    }
}

/// The names of tables and columns before a run, by their current names; all as keys of the syntax.
private struct OriginalNames {
    let syntax: SQLSyntax
    private var tables: [String: String] = [:]
    private var columns: [String: [String: String]] = [:]
    /// Tables that were dropped. A table that takes such a name stands for the one that had it: the table was made
    /// anew.
    private var dropped: Set<String> = []

    init(syntax: SQLSyntax) { self.syntax = syntax }

    private func original(_ table: String) -> String { tables[syntax.key(table)] ?? syntax.key(table) }

    func isTableDropped(of loss: Loss, by statement: StatementFacts) -> Bool {
        statement.dropped.map(original).contains(syntax.key(loss.table))
    }

    func isLost(_ loss: Loss, by statement: StatementFacts) -> Bool {
        let table = syntax.key(loss.table)
        switch loss.kind {
        case .table: return isTableDropped(of: loss, by: statement)
        case .rows: return (statement.deletion?.table).map(original) == table
        case .column:
            guard case .dropsColumns(let names, let of) = statement.alteration, original(of) == table else {
                return false
            }
            return names.map(syntax.key).contains { (columns[table]?[$0] ?? $0) == loss.column.map(syntax.key) }
        }
    }

    mutating func follow(_ statement: StatementFacts) {
        dropped.formUnion(statement.dropped.map(original))
        switch statement.alteration {
        case .renamesTable(let old, let new):
            let name = syntax.key(new)
            tables[name] = dropped.contains(name) ? name : original(old)
        case .renamesColumn(let old, let table, let new):
            let (table, old) = (original(table), syntax.key(old))
            columns[table, default: [:]][syntax.key(new)] = columns[table]?[old] ?? old
        case .dropsColumns, nil: break
        }
    }
}
