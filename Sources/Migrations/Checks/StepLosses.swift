import ChatDBSchema

extension DatabasePlan {
    /// For each step, those of `losses` that its statements cause: it drops the table or the column, rebuilds the table
    /// without the column, or deletes rows of the table. Follows names through ALTER TABLE … RENAME.
    public var stepLosses: [[Loss]] {
        var names = OriginalNames()
        return steps.map { step in
            var found: [Loss] = []
            for statement in (try? step.script.facts) ?? [] {
                for loss in losses where names.isLost(loss, by: statement) && !found.contains(loss) {
                    found.append(loss)
                }
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

    private func original(_ table: String) -> String { tables[table.lowercased()] ?? table.lowercased() }

    /// The words after ALTER TABLE without the name of the schema.
    private func alteration(_ statement: StatementFacts) -> [String]? {
        guard let words = statement.alteration, words.count > 2 else { return nil }
        return words[1] == "." ? Array(words.dropFirst(2)) : words
    }

    func isLost(_ loss: Loss, by statement: StatementFacts) -> Bool {
        let table = loss.table.lowercased()
        switch loss.kind {
        case .table: return statement.dropped.map(original) == table
        case .rows: return (statement.deletion?.table).map(original) == table
        case .column:
            if statement.dropped.map(original) == table { return true }
            guard let words = alteration(statement), original(words[0]) == table, words[1].uppercased() == "DROP",
                let column = words.last?.lowercased()
            else { return false }
            return (columns[table]?[column] ?? column) == loss.column?.lowercased()
        }
    }

    mutating func follow(_ statement: StatementFacts) {
        guard let words = alteration(statement), words.count > 3, words[1].uppercased() == "RENAME" else { return }
        let table = original(words[0])
        if words[2].uppercased() == "TO" {
            tables[words[3].lowercased()] = table
        } else if let old = words.dropLast(2).last?.lowercased(), let new = words.last?.lowercased() {
            columns[table, default: [:]][new] = columns[table]?[old] ?? old
        }
    }
}
