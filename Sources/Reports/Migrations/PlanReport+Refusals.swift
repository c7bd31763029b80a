package import ChatDBKit

// The part of a plan about the rule that a migration has to declare the data it loses.

extension PlanReport {
    /// Tables of which the plan deletes rows or the values of a column although no migration declares it, sorted: the run
    /// is refused.
    package static func unannounced(_ plan: DatabasePlan) -> [String] {
        Set(plan.undeclaredLosses.map(\.loss.table)).sorted()
    }

    package var refusals: [Block] { undeclared.isEmpty ? [] : [.notes(undeclared.map { .warning($0) })] }

    /// The same in sentences, with the columns.
    var undeclared: [String] {
        DatabaseName.allCases.flatMap { database -> [String] in
            let losses = plan.databases[database]?.undeclaredLosses.map(\.loss) ?? []
            let tables = Set(losses.filter { $0.kind != .column }.map(\.table)).sorted()
            let columns = losses.compactMap { loss in loss.column.map { "\(loss.table).\($0)" } }
            return [("delete rows of", tables), ("drop values of", columns)].filter { !$1.isEmpty }.map { act, names in
                "the run will be refused: it would \(act) \(names.joined(separator: ", ")) in the \(database) database, "
                    + "and no migration declares that (-- chatdb: data-loss)"
            }
        }
    }
}
