import ChatDBKit

// The sentences of a plan about what it leaves out and what it does not know.

extension PlanReport {
    /// That the folder lacks the files of migrations that the plan undoes, for each database. A run without consent to a
    /// way down ends with the same advice.
    var lacking: [String] {
        guard let folder else { return [] }
        return DatabaseName.allCases.compactMap { database in
            let steps = (plan.databases[database]?.steps ?? []).filter(\.isUnknown)
            if steps.isEmpty { return nil }
            let names = steps.map(\.name).sorted().joined(separator: ", ")
            let (are, them) = steps.count == 1 ? ("is", "it") : ("are", "them")
            return "the folder \(joinedPath(folder, database.rawValue)) lacks the files of \(names), which \(are) "
                + "applied: put the files back, unless the plan is to undo \(them)"
        }
    }

    /// What the plan leaves out, what it does in one database alone, what it does not find or count, and what cannot be
    /// undone.
    package var notes: [String] { unused + halves + copied + uncounted + overwritten + withoutDown + untried }

    /// The migrations of both databases that the plan undoes in one of them.
    private var halves: [String] {
        let way = plan.undoesOnlyKnown ? "; --steps \(plan.downs.count + 1) undoes it in both" : ""
        return plan.keptHalves.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { database, names in
            names.map { "\($0) is also applied in the \(database) database, and the plan does not undo it there\(way)" }
        }
    }

    /// The tables and columns that a step may copy before it removes them.
    private var copied: [String] {
        Self.copied([plan.completes, plan.databases]) { name, names, them in
            "\(name) reads \(names) before it removes \(them): the plan counts as lost also what it copies elsewhere"
        }
    }

    /// A sentence for each step that may copy tables and columns with data before it removes them.
    /// - Parameter sentence: makes it from the name of the step, the tables and columns, and `it` or `them`.
    static func copied(
        _ plans: [[DatabaseName: DatabasePlan]], _ sentence: (String, String, String) -> String
    ) -> [String] {
        plans.flatMap(\.values).flatMap { zip($0.steps, $0.stepCopies) }
            .filter { !$0.1.isEmpty }.sorted { $0.0.name < $1.0.name }.map { step, losses in
                let names = losses.map { loss in [loss.table, loss.column].compactMap(\.self).joined(separator: ".") }
                return sentence(step.name, names.joined(separator: ", "), names.count == 1 ? "it" : "them")
            }
    }

    /// The steps that may lose rows, or values that they do not copy.
    private var uncounted: [String] {
        let steps = [plan.completes, plan.databases].flatMap(\.values).flatMap { part in
            zip(part.steps, zip(part.losesData, part.stepsWithUnknownLoss))
        }
        return Set(steps.filter { $0.1.0 == nil && $0.1.1 }.map(\.0.name)).sorted().map {
            "\($0) may lose data that the plan does not count: rows of a table that other statements use too, or values of "
                + "a column"
        }
    }

    /// The columns whose values a step overwrites.
    private var overwritten: [String] {
        let found = [plan.completes, plan.databases].flatMap(\.values).flatMap(\.overwritten)
        return Dictionary(grouping: found, by: \.migration).sorted { $0.key < $1.key }.map { name, tables in
            let columns = tables.flatMap { table in table.columns.map { "\(table.table).\($0)" } }
                .joined(separator: ", ")
            return "\(name) may overwrite values of \(columns); the plan does not count these values"
        }
    }

    /// The user's own migrations that chatdb cannot undo. A new store has nothing to go back to.
    private var withoutDown: [String] {
        guard folder != nil, !plan.creates else { return [] }
        let names = Set(plan.databases.values.flatMap(\.steps).filter(\.cannotBeUndone).map(\.name)).sorted()
        if names.isEmpty { return [] }
        let (have, them) = names.count == 1 ? ("has", "it") : ("have", "them")
        return ["\(names.joined(separator: ", ")) \(have) no down SQL, so chatdb cannot undo \(them)"]
    }

    /// What the plan of a user's own migrations up does not find, and the command that finds it. That command reads plain
    /// stores of files.
    private var untried: [String] {
        guard given.migrationsDir != nil, given.passphrase == nil, given.store.map(ServerStore.isNamed) != true,
            !plan.creates, !plan.ups.isEmpty, plan.downs.isEmpty, ofRefusals.isEmpty
        else { return [] }
        let stores = given.files.isEmpty ? [given.store ?? "STORE"] : given.files
        // The plan of one database does not need the file of the other one.
        let only = plan.databases.count == 1 && given.files.count != 1 ? plan.databases.keys.first : nil
        let words = stores.flatMap { ["--data", $0] } + (only.map { ["--only", $0.rawValue] } ?? [])
        let command = HintedCommand(.migrateVerify, words).text(given)
        return [
            """
            constraints are not tried on the rows (NOT NULL, CHECK, keys, unique indexes, references): \(command) \
            tries them on a copy of the store
            """
        ]
    }
}

extension StorePlan {
    /// Whether the migrations that chatdb was given have every migration that the plan undoes.
    var undoesOnlyKnown: Bool { !databases.values.flatMap(\.steps).contains(where: \.isUnknown) }
}
