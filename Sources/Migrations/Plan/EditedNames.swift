package import ChatDBSchema

/// The names of applied migrations whose files were edited afterwards, sorted, by what is known of the edit.
/// Rule: docs/migrations.md, "Edited migrations".
package struct EditedNames: Sendable, Hashable {
    /// All of them.
    package private(set) var all: [String] = []
    /// Those whose up file is empty. No run can make the schema after such a migration.
    package private(set) var emptied: [String] = []
    /// Those whose file differs from the text that was accepted last, and may have the text that the database applied.
    package private(set) var sinceAccepted: [String] = []
    /// Those whose file was edited after the database applied it.
    package private(set) var others: [String] = []

    /// By database, the edited migrations of those databases that have none of the tables of their files. These names are
    /// also in `all`, and in no other list.
    package private(set) var withOtherTables: [DatabaseName: [String]] = [:]

    init() {}

    /// Those of one database.
    init(_ ledger: [LedgerEntry], _ build: [Migration]) {
        for (entry, migration) in EditedMigrations.found(ledger, build) where entry.checksum != migration.checksum {
            all.append(entry.name)
            if migration.isEmpty {
                emptied.append(entry.name)
            } else if entry.isAcceptedEdit {
                sinceAccepted.append(entry.name)
            } else {
                others.append(entry.name)
            }
        }
    }

    /// Those of several databases, each name once, without some of them.
    package init(joining parts: [EditedNames], without names: [String] = []) {
        let names = Set(names)
        func joined(_ kind: KeyPath<EditedNames, [String]>) -> [String] {
            Set(parts.flatMap { $0[keyPath: kind] }).subtracting(names).sorted()
        }
        all = joined(\.all)
        emptied = joined(\.emptied)
        sinceAccepted = joined(\.sinceAccepted)
        others = joined(\.others)
        for part in parts { withOtherTables.merge(part.withOtherTables) { $1 } }
    }

    /// Those of one database that has none of the tables that its files create.
    mutating func haveOtherTables(than database: DatabaseName) {
        (emptied, sinceAccepted, others) = ([], [], [])
        withOtherTables = [database: all]
    }
}

extension Migration {
    /// Whether its up file has nothing but blanks.
    var isEmpty: Bool { up.text.allSatisfy(\.isWhitespace) }
}

extension MigrationError {
    /// The error for edited migrations.
    package static func edited(_ edits: EditedNames) -> MigrationError {
        if !edits.emptied.isEmpty { return .emptiedMigration(edits.emptied) }
        return .editedMigration(edits.all, sinceAccepted: edits.others.isEmpty)
    }
}
