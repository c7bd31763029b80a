/// One migration that a run applies or undoes.
public struct MigrationStep: Sendable, Hashable {
    /// Up or down.
    public enum Direction: String, Sendable, Hashable, Codable {
        /// Applies the migration.
        case up
        /// Undoes it.
        case down
    }

    /// Whose SQL is run.
    public enum Origin: String, Sendable, Hashable, Codable {
        /// This build's own.
        case build
        /// The text stored in the database: this build has never seen the migration.
        case file
    }

    /// The migration's name.
    public let name: String
    /// Up or down.
    public let direction: Direction
    /// Whose SQL.
    public let origin: Origin
    /// The SQL.
    public let script: MigrationScript
    /// What an up leaves in the ledger; nil for a down.
    let migration: Migration?

    static func up(_ migration: Migration) -> MigrationStep {
        MigrationStep(
            name: migration.name, direction: .up, origin: .build, script: migration.up, migration: migration)
    }

    static func down(_ name: String, _ script: MigrationScript, from origin: Origin) -> MigrationStep {
        MigrationStep(name: name, direction: .down, origin: origin, script: script, migration: nil)
    }
}
