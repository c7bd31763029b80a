import ChatDBKit

// What a plan shows of the rule that rows go only where a migration says so, before anybody agrees to it.

extension PlanReport {
    /// Tables that go with rows in them although no migration that names them says so, sorted: the run is refused.
    static func unannounced(_ plan: DatabasePlan) -> [String] {
        let tables = plan.losses.filter { $0.kind == .table && $0.rows > 0 }.map(\.table)
        return tables.filter { table in
            var names: Set<String> = [table.lowercased()]
            let steps = plan.steps.filter { $0.names(anyOf: &names) }
            return !steps.isEmpty && !steps.contains { $0.directives.contains(.dataLoss) }
        }.sorted()
    }

    /// The status that a run with this consent ends with when it is known beforehand that it is refused; nil when it is
    /// not. No consent (nil) is no refusal: a dry run needs none.
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
    /// Whether steps going up throw away a column with values in it, and none of them declares it.
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
    /// Whether a statement names the table, whose names get more with ALTER TABLE … RENAME TO. SQL that cannot be read
    /// names nothing.
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
    /// Its words and names in lower case, up to where it cannot be read.
    fileprivate var words: [String] {
        var lexer = SQLLexer(text)
        var words: [String] = []
        while let token = try? lexer.nextSignificant() {
            words.append((lexer.name(of: token) ?? lexer.text(of: token)).lowercased())
        }
        return words
    }
}
