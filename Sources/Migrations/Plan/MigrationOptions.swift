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

/// Consent to a plan, as a value: the same engine serves an app, a script and a terminal.
/// Rule: docs/migrations.md, "Consent".
public enum Confirmation: Sendable {
    /// To nothing: a plan that would do something is an error that lists it.
    case error
    /// To going up.
    case yesUp
    /// To going up and down.
    case yesUpDown
    /// To what somebody says when shown the plan.
    case console(ask: @Sendable (StorePlan) throws -> Bool)

    /// Throws unless the plan may be carried out. Making a store that is not there needs no consent.
    func check(_ plan: StorePlan) throws {
        let ups = plan.creates ? [] : plan.ups
        let downs = plan.downs
        if ups.isEmpty, downs.isEmpty { return }
        switch self {
        case .yesUpDown:
            return
        case .yesUp:
            if !downs.isEmpty { throw MigrationError.needsDowngrade(downs) }
        case .error:
            throw downs.isEmpty ? MigrationError.needsUpgrade(ups) : MigrationError.needsDowngrade(downs)
        case .console(let ask):
            if try !ask(plan) { throw MigrationError.declined }
        }
    }
}
