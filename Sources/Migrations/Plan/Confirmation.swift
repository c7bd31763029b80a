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
