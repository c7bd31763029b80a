import ChatDBEngine
import ChatDBSchema

extension FoundStore {
    /// The plan for the store as it was found, without what gets lost. Reads nothing but the presence of files.
    func plan(in context: StoreContext, _ options: MigrationOptions) throws -> StorePlan {
        if isAbsent, interrupted == nil {
            if options.target.goesDown { throw MigrationError.noStore(path: context.location.prefix) }
            // What an interrupted making left is cleared up first.
            try context.refuseLonelyMaking()
        }
        try refuseStrangers(context.databases)
        // What an interrupted run left is brought to its end first; the plan is for what comes after.
        var completes: [DatabaseName: DatabasePlan] = [:]
        if let record = interrupted, !record.creates {
            try refuseUncompletable(record, context)
            completes = try completions(of: record, build: context.build)
        }
        return StorePlan(
            databases: try databasePlans(context, options), creates: isAbsent, interrupted: interrupted,
            completes: completes)
    }

    /// Refuses a run that this build cannot bring to its end.
    func refuseUncompletable(_ record: IntentRecord, _ context: StoreContext) throws {
        try refuseStrangers(context.databases)
        if let reason = whyNotCompletable(record, build: context.build) {
            throw MigrationError.interruptedMigration(record, reason: reason)
        }
    }

    private func databasePlans(
        _ context: StoreContext, _ options: MigrationOptions
    ) throws -> [DatabaseName: DatabasePlan] {
        let ledgers = ledgersAfterCompletion(build: context.build)
        // Steps were counted from the version that the caller saw, which is not the one after the completion.
        if options.target.isRelative, willHaveCompleted { return ledgers.mapValues(DatabasePlan.init(nothingFor:)) }
        let plans = try DatabasePlan.all(for: options.target, ledgers: ledgers, build: context.concernedBuild)
        let edited = plans.values.flatMap(\.edited).sorted()
        let isPending = plans.values.contains { !$0.steps.isEmpty }
        if !edited.isEmpty, !options.acceptsEdited, options.isStrict || isPending {
            throw MigrationError.editedMigration(edited)
        }
        return plans
    }
}

extension StoreContext {
    /// Refuses to make one database where the other is: a new id would keep the two apart for ever. Does not open the
    /// other one.
    func refuseLonelyMaking() throws(MigrationError) {
        guard let only, let other = DatabaseName.allCases.first(where: { $0 != only }),
            location.state(of: other) != .missing
        else { return }
        throw .wouldNotBelong(only, other: location.path(of: other))
    }
}

extension MigrationOptions {
    /// To this build's version, edited migrations or not: what the gate asks.
    static var leniently: MigrationOptions {
        var options = MigrationOptions()
        options.acceptsEdited = true
        return options
    }
}

extension StorePlan {
    /// No steps for a store.
    init(nothingToDoFor view: FoundStore) {
        self.init(
            databases: view.parts.mapValues { DatabasePlan(nothingFor: $0.applied) }, creates: false, interrupted: nil)
    }
}
