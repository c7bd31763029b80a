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

    private func stepLosses(
        of losses: [Loss], _ isLost: (OriginalNames, Loss, StatementFacts) -> Bool
    ) -> [[Loss]] {
        var names = OriginalNames()
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

/// The names of tables and columns before a run, by their current names; all lower case.
private struct OriginalNames {
    private var tables: [String: String] = [:]
    private var columns: [String: [String: String]] = [:]
    /// Tables that were dropped. A table that takes such a name stands for the one that had it: the table was made
    /// anew.
    private var dropped: Set<String> = []

    private func original(_ table: String) -> String { tables[table.lowercased()] ?? table.lowercased() }

    /// The words after ALTER TABLE without the name of the schema.
    private func alteration(_ statement: StatementFacts) -> [String]? {
        guard let words = statement.alteration, words.count > 2 else { return nil }
        return words[1] == "." ? Array(words.dropFirst(2)) : words
    }

    func isTableDropped(of loss: Loss, by statement: StatementFacts) -> Bool {
        statement.dropped.map(original) == loss.table.lowercased()
    }

    func isLost(_ loss: Loss, by statement: StatementFacts) -> Bool {
        let table = loss.table.lowercased()
        switch loss.kind {
        case .table: return isTableDropped(of: loss, by: statement)
        case .rows: return (statement.deletion?.table).map(original) == table
        case .column:
            guard let words = alteration(statement), original(words[0]) == table, words[1].uppercased() == "DROP",
                let column = words.last?.lowercased()
            else { return false }
            return (columns[table]?[column] ?? column) == loss.column?.lowercased()
        }
    }

    mutating func follow(_ statement: StatementFacts) {
        if let table = statement.dropped { dropped.insert(original(table)) }
        guard let words = alteration(statement), words.count > 3, words[1].uppercased() == "RENAME" else { return }
        let table = original(words[0])
        if words[2].uppercased() == "TO" {
            let name = words[3].lowercased()
            tables[name] = dropped.contains(name) ? name : table
        } else if let old = words.dropLast(2).last?.lowercased(), let new = words.last?.lowercased() {
            columns[table, default: [:]][new] = columns[table]?[old] ?? old
        }
    }
}
