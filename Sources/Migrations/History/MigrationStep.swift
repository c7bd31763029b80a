import ChatDBEngine

/// One migration that a run applies or undoes.
public struct MigrationStep: Sendable, Hashable {
    /// Up or down.
    public enum Direction: String, Sendable, Hashable, Codable {
        /// Applies the migration.
        case up
        /// Undoes it.
        case down
    }

    /// The source of the SQL.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// This build's own.
        case build
        /// The text stored in the database: this build does not have the migration, or has no SQL that undoes it.
        case file
    }

    /// The migration's name.
    public let name: String
    /// Up or down.
    public let direction: Direction
    /// The source of the SQL.
    public let origin: Origin
    /// The SQL.
    public let script: MigrationScript
    /// The directives of the SQL.
    public let directives: Set<MigrationDirective>
    /// What the ledger will note about it: that it is applied out of order, and why. Nil for nothing.
    public let note: String?
    /// The migration that an up step records in the ledger; nil for a down step.
    let migration: Migration?
    /// Whether it undoes a migration with other SQL than the ledger has: the file was edited after the migration was
    /// applied.
    package var differsFromLedger = false

    /// Whether the migrations that chatdb was given lack this one. Always false for an up step.
    package var isUnknown = false

    /// Whether its SQL is that of chatdb's own migration, which the tests of this build try.
    var isOwn: Bool {
        (MigrationSource.own[script.syntax] ?? [:]).values.joined().contains { own in
            own.name == name && script.text == (direction == .up ? own.up.text : own.down?.text)
        }
    }

    /// Whether it applies a migration without down SQL.
    package var cannotBeUndone: Bool { migration.map { $0.down == nil } ?? false }

    /// Throws when the SQL is not fit to run: nothing is planned with it.
    static func up(_ migration: Migration, note: String? = nil) throws(MigrationFileError) -> MigrationStep {
        MigrationStep(
            name: migration.name, direction: .up, origin: .build, script: migration.up,
            directives: try migration.up.directives, note: note, migration: migration)
    }

    /// Throws when the SQL is not fit to run: nothing is planned with it.
    static func down(
        _ name: String, _ script: MigrationScript, from origin: Origin, differsFromLedger: Bool = false,
        isUnknown: Bool = false
    ) throws(MigrationFileError) -> MigrationStep {
        MigrationStep(
            name: name, direction: .down, origin: origin, script: script, directives: try script.directives, note: nil,
            migration: nil, differsFromLedger: differsFromLedger, isUnknown: isUnknown)
    }
}

extension [MigrationStep] {
    /// The syntax of the steps: all migrations of a database are written for its engine.
    var syntax: SQLSyntax { first?.script.syntax ?? .sqlite }
}
