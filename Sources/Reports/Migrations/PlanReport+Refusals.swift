package import ChatDBKit

// The part of a plan about the rule that a migration has to declare the data it loses.

extension PlanReport {
    /// Tables with rows that the plan deletes although no migration declares it, sorted: the run is refused.
    package static func unannounced(_ plan: DatabasePlan) -> [String] {
        Set(plan.undeclaredLosses.filter { $0.loss.kind != .column }.map(\.loss.table)).sorted()
    }

    package var refusals: [Block] {
        let notes = DatabaseName.allCases.flatMap { database -> [Note] in
            guard let plan = plan.databases[database] else { return [] }
            let tables = Self.unannounced(plan)
            let columns = plan.undeclaredLosses.compactMap { undeclared in
                undeclared.loss.column.map { "\(undeclared.loss.table).\($0)" }
            }
            return [("delete rows of", tables), ("drop values of", columns)].filter { !$1.isEmpty }.map { act, names in
                .warning(
                    "the run will be refused: it would \(act) \(names.joined(separator: ", ")) in the "
                        + "\(database) database, and no migration declares that (-- chatdb: data-loss)")
            }
        }
        return notes.isEmpty ? [] : [.notes(notes)]
    }
}
