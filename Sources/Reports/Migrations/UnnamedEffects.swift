package import ChatDBKit

// What a migration does although no statement says so: it removes indexes and triggers, or cannot be undone.

extension RemovedParts {
    /// The warning about a migration that has not run yet.
    package func sentence(in database: DatabaseName) -> String {
        "\(migration) removes \(names) of \(table) in the \(database) database: it drops \(table) and makes it again "
            + "without them; if they are to go, it should name them in DROP INDEX and DROP TRIGGER before that"
    }

    /// The warning about a migration that has run.
    func pastSentence(in database: DatabaseName) -> String {
        "\(migration) removed \(names) of \(table) in the \(database) database: it dropped \(table) and made it again "
            + "without them; if they are needed, write a migration that creates them again"
    }

    /// `index a, index b, trigger c`
    private var names: String {
        (indexes.map { "index \($0)" } + triggers.map { "trigger \($0)" }).joined(separator: ", ")
    }
}

extension MigrationError {
    /// The warning about this fault in the down SQL of migrations up.
    /// - Parameter place: where it was found.
    package func warningOfDownFault(triedOn place: String = "in memory") -> String {
        let advice =
            switch self {
            case .lostRows: "; if that is intended, the down file must declare it: -- chatdb: data-loss"
            case .madeDanglingReferences:
                "; a migration that deletes rows must also delete or change the rows that refer to them"
            case .wrongResult(_, _, let differences): differences.adviceOnForms.map { "; \($0)" } ?? ""
            default: ""
            }
        return "going down again would fail, as a try \(place) shows: \(info.message)\(advice)"
    }
}

extension [StructureDifference] {
    /// What an author of down SQL should know that makes a table or column in another form; nil for other differences.
    package var adviceOnForms: String? {
        let areOfForms = contains { $0.kind == .different && [.table, .column].contains($0.object) }
        return areOfForms ? StructureDifference.adviceOnForms : nil
    }
}

extension StructureDifference {
    /// What an author of down SQL should know that makes a table or column in another form.
    package static let adviceOnForms = """
        SQLite's ALTER TABLE adds no column that is NOT NULL without a default, and adds each column at the end: to make \
        what is expected, it may have to rebuild the table (-- chatdb: rebuild)
        """
}
