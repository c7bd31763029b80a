import ChatDBKit

/// The notes of a check about foreign keys that SQLite cannot check. No row is wrong, so they are no finding.
/// Rule: docs/checks.md.
enum ForeignKeyNotes {
    /// A note for each such key, chat first. A database that cannot be read has findings instead.
    static func notes(_ store: Store) -> [String] {
        DatabaseName.allCases.flatMap { database -> [String] in
            let references = (try? store.connection(database).brokenReferences()) ?? []
            return references.map {
                "the \(database) database: \($0.reason); a program that checks foreign keys cannot write the table"
            }
        }
    }
}
