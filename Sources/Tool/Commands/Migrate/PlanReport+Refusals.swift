import ChatDBKit

// The part of a plan about the rule that a migration has to declare the rows it deletes.

extension PlanReport {
    /// Tables with rows that the plan deletes although no migration that names them declares it, sorted: the run is
    /// refused.
    static func unannounced(_ plan: DatabasePlan) -> [String] {
        let tables = plan.losses.filter { $0.kind == .table && $0.rows > 0 }.map(\.table)
        return tables.filter { table in
            var names: Set<String> = [table.lowercased()]
            let steps = plan.steps.filter { $0.names(anyOf: &names) }
            return !steps.isEmpty && !steps.contains { $0.directives.contains(.dataLoss) }
        }.sorted()
    }

    /// The exit status of a run with this consent if it is known beforehand to be refused; nil if not. A dry run
    /// without consent (nil) is not refused.
    func refusal(_ mode: ConfirmationMode?) -> ExitStatus? {
        let isCovered =
            switch mode {
            case .error: plan.creates || plan.ups.isEmpty && plan.downs.isEmpty
            case .yesUp: plan.downs.isEmpty
            case .yesUpDown, .console, nil: true
            }
        if !isCovered { return .wrongVersion }
        return plan.databases.values.contains { !Self.unannounced($0).isEmpty || $0.losesColumn } ? .invalidData : nil
    }

    var refusals: [Block] {
        let notes = DatabaseName.allCases.compactMap { database -> Note? in
            let tables = plan.databases[database].map(Self.unannounced) ?? []
            if tables.isEmpty { return nil }
            return .warning(
                "the run will be refused: it would delete rows of \(tables.joined(separator: ", ")) in the "
                    + "\(database) database, and no migration declares that (-- chatdb: data-loss)")
        }
        return notes.isEmpty ? [] : [.notes(notes)]
    }
}

extension DatabasePlan {
    /// Whether migrations up delete a column with values, and none of them declares it.
    fileprivate var losesColumn: Bool {
        let lost = zip(steps, stepLosses).flatMap { step, losses in
            losses.filter { $0.kind == .column && $0.rows > 0 }.map { (loss: $0, step: step) }
        }
        return Dictionary(grouping: lost, by: \.loss).values.contains { given in
            given.allSatisfy { $0.step.direction == .up && !$0.step.directives.contains(.dataLoss) }
        }
    }
}

extension MigrationStep {
    /// Whether a statement names the table. ALTER TABLE … RENAME TO adds to its names. SQL that cannot be parsed names
    /// nothing.
    fileprivate func names(anyOf names: inout Set<String>) -> Bool {
        guard let statements = try? script.statements else { return false }
        var isNamed = false
        for statement in statements {
            let words = statement.words
            if !names.isDisjoint(with: words) { isNamed = true }
            if words.count > 5, words[0] == "alter", words[3] == "rename", words[4] == "to", names.contains(words[2]) {
                names.insert(words[5])
            }
        }
        return isNamed
    }
}

extension SQLStatement {
    /// Its words and names in lower case, up to the first that cannot be parsed.
    fileprivate var words: [String] {
        var lexer = SQLLexer(text)
        var words: [String] = []
        while let token = try? lexer.nextSignificant() {
            words.append((lexer.name(of: token) ?? lexer.text(of: token)).lowercased())
        }
        return words
    }
}
