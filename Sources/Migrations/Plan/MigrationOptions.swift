/// How a run goes about it.
public struct MigrationOptions: Sendable {
    /// Whether and where a backup is made before an existing store is changed.
    public enum Backup: Sendable, Hashable {
        /// In this folder; nil is `<prefix>.backups` beside the store.
        case folder(String?)
        /// None. Must be asked for.
        case none
    }

    /// The consent given.
    public var confirmation: Confirmation = .error
    /// The version to bring the store to.
    public var target: MigrationTarget = .build
    /// The backup.
    public var backup: Backup = .folder(nil)
    /// How many backups of the store to keep; nil is all.
    public var keepBackups: Int?
    /// Goes on though applied migrations were edited.
    public var acceptsEdited = false
    /// Refuses what is otherwise a warning: drift, references to nothing, edited migrations with nothing pending.
    public var isStrict = false
    /// Does not ask whether there is room on the disk.
    public var skipsSpaceCheck = false

    /// Both databases, to the build's version, without consent to anything.
    public init() {}
}
