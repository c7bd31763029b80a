/// The options of a run.
public struct MigrationOptions: Sendable {
    /// Whether and where a backup is made before an existing store is changed.
    public enum Backup: Sendable, Hashable {
        /// A backup in this folder; nil means `<prefix>.backups` beside the store.
        case folder(String?)
        /// No backup; the caller must ask for it.
        case none
    }

    /// The consent given.
    public var confirmation: Confirmation = .error
    /// The version to bring the store to.
    public var target: MigrationTarget = .build
    /// Whether a run creates a store that does not exist. If not, its plan is `noStore` or `noFile`.
    public var mayCreate = true
    /// The backup.
    public var backup: Backup = .folder(nil)
    /// The number of backups of the store to keep; nil keeps all.
    public var keepBackups: Int?
    /// Accepts applied migrations that were edited: the ledger gets the checksums and the down SQL of their files.
    public var acceptsEdited = false
    /// Why migrations may be applied out of order: although later ones are applied, as after a merge of two branches.
    /// The ledger notes it. Nil or blank means that they may not.
    public var outOfOrderReason: String?
    /// Turns warnings into errors: drift, dangling references, and edited migrations with nothing pending.
    public var isStrict = false
    /// Skips the check of free disk space.
    public var skipsSpaceCheck = false

    /// The reason, for a run that goes up.
    var effectiveOutOfOrderReason: String? {
        guard !target.goesDown, let reason = outOfOrderReason, reason.contains(where: { !$0.isWhitespace }) else {
            return nil
        }
        return reason
    }

    /// Both databases, to the build's version, without consent to anything.
    public init() {}
}

/// Consent to a plan, as a value: the same engine serves an app, a script and a terminal.
/// Rule: docs/migrations.md, "Consent".
public enum Confirmation: Sendable {
    /// No consent: a plan with steps throws an error that lists them.
    case error
    /// Consent to applying migrations.
    case yesUp
    /// Consent to applying and undoing migrations.
    case yesUpDown
    /// The answer of a person who is shown the plan.
    case console(ask: @Sendable (StorePlan) throws -> Bool)

    /// Throws unless the plan may be carried out. Creating a missing store needs no consent.
    func check(_ plan: StorePlan) throws {
        let ups = plan.creates ? [] : plan.ups
        let downs = plan.downs
        if ups.isEmpty, downs.isEmpty {
            // The option that accepts edited files is the consent; a person is shown how they differ.
            if case .console(let ask) = self, !plan.acceptedEdits.isEmpty, try !ask(plan) {
                throw MigrationError.declined
            }
            return
        }
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
