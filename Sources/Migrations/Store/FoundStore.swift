import ChatDBEngine
import ChatDBSchema

/// The facts about a store, read without changing it.
package struct FoundStore: Sendable {
    /// The existing databases.
    let parts: [DatabaseName: FoundDatabase]
    /// The record of an interrupted run; nil without one.
    let interrupted: IntentRecord?

    /// Whether no database exists.
    var isAbsent: Bool { parts.isEmpty }

    /// Reads the databases of a context. Refuses a store with one database missing, unless an interrupted run was
    /// creating it.
    static func read(_ context: StoreContext) throws -> FoundStore {
        let opened = try OpenedStore.open(context)
        opened.close()
        return opened.found
    }

    /// Whether nothing suggests that a run is between its two commits.
    var fitsTogether: Bool {
        guard interrupted == nil else { return false }
        guard let chat = parts[.chat], let agent = parts[.agent] else { return true }
        return chat.identity == agent.identity
    }

    /// The record of an interrupted run, and the databases to read; refuses what no command can read.
    static func databases(
        of context: StoreContext
    ) throws -> (record: IntentRecord?, databases: [DatabaseName]) {
        let location = context.location
        try RestoreRecord.refuse(at: location)
        let record = try IntentRecord.read(at: location)
        if let record, context.only != nil,
            record.courses.keys.contains(where: { $0 != context.only })
        {
            // No run of one file completes that of a pair.
            try context.refuseHalfOfPair()
            throw MigrationError.interruptedMigration(record, reason: .concernsBoth)
        }
        if let record, record.creates { return (record, []) }
        let existing = try context.existing()
        let missing = context.databases.filter { !existing.contains($0) }
        if missing.count == context.databases.count {
            if location.server != nil { return (record, []) }
            guard FileState(at: location.folder) == .notRegular(.directory) else {
                throw MigrationError.noFolder(path: location.folder)
            }
            for database in missing { try context.refuseStrayFiles(of: database) }
            return (record, [])
        }
        if let one = missing.first {
            throw MigrationError.incompleteStore(missing: one, path: location.path(of: one))
        }
        return (record, context.databases)
    }

    init(parts: [DatabaseName: FoundDatabase], interrupted: IntentRecord?) {
        self.parts = parts
        self.interrupted = interrupted
    }

    /// Refuses databases that chatdb did not make, two databases that do not belong together, and those that lost the
    /// row of their table `store`: chatdb would not restore the backup of a run.
    func refuseStrangers(_ databases: [DatabaseName]) throws(MigrationError) {
        for database in databases {
            guard let part = parts[database] else { continue }
            guard part.kind == .chatdb else {
                throw part.kind == .simplex ? .readOnlyStore : .notOurs(database, path: part.path)
            }
        }
        guard interrupted == nil else { return }
        if let chat = parts[.chat], let agent = parts[.agent], chat.identity != agent.identity {
            throw .mismatchedPair(chat: chat.identity, agent: agent.identity)
        }
        let lost = databases.compactMap { parts[$0] }.first { $0.identity == nil }
        if let lost { throw .lostStoreRow(lost.name, path: lost.path) }
    }

    /// Refuses to change a store that was moved: two copies that both change would break the encryption of their
    /// conversations.
    func refuseMoved() throws(MigrationError) {
        for database in DatabaseName.allCases {
            if let place = parts[database]?.movedTo { throw .moved(to: place) }
        }
    }
}

extension FoundStore {
    /// The commits that the recorded run completed.
    func progress(of record: IntentRecord) -> IntentRecord.Progress {
        record.progress(parts.mapValues(\.place))
    }

    /// Why this build cannot complete the recorded run; nil when it can.
    func whyNotCompletable(_ record: IntentRecord, build: [DatabaseName: [Migration]]) -> InterruptedRunReason? {
        switch progress(of: record) {
        case .nothing, .everything:
            return nil
        case .unexplained:
            return .unexplained
        case .agentOnly:
            do {
                _ = try completion(of: record, build: build)
                return nil
            } catch {
                return .lacksMigrations(to: record.courses[.chat]?.to)
            }
        }
    }

    /// The remaining steps of the recorded run, for each database that it did not commit.
    func completions(of record: IntentRecord, build: [DatabaseName: [Migration]]) throws -> [DatabaseName: DatabasePlan]
    {
        guard progress(of: record) == .agentOnly else { return [:] }
        return [.chat: try completion(of: record, build: build)]
    }

    /// Whether an interrupted run has committed at least one database.
    var willHaveCompleted: Bool {
        guard let interrupted, !interrupted.creates else { return false }
        return [.agentOnly, .everything].contains(progress(of: interrupted))
    }

    /// The steps that bring the chat database to the version that the agent database already has.
    func completion(of record: IntentRecord, build: [DatabaseName: [Migration]]) throws -> DatabasePlan {
        let known = build[.chat] ?? []
        let ledger = parts[.chat]?.applied ?? []
        guard let course = record.courses[.chat] else {
            return DatabasePlan(nothingFor: ledger)
        }
        var target = known.prefix { migration in course.to.map { migration.name <= $0 } ?? false }
        if record.outOfOrderReason != nil {
            // The run may have applied only some of those that the database lacks.
            let names = Set(ledger.map(\.name) + course.steps)
            target = target.filter { names.contains($0.name) }[...]
            guard names.isSubset(of: target.map(\.name)) else {
                throw MigrationError.unknownTarget(course.to ?? "", last: known.last?.name)
            }
        }
        guard target.last?.name == course.to else {
            throw MigrationError.unknownTarget(course.to ?? "", last: known.last?.name)
        }
        let steps = try Planner.steps(to: target, from: ledger, known: known, outOfOrder: record.outOfOrderReason)
        var plan = DatabasePlan(steps: steps, from: ledger)
        plan.accepted = try EditedMigrations.accepted(ledger, known).filter { course.accepted[$0.name] == $0.checksum }
        return plan
    }

    /// The ledgers after the completion of an interrupted run.
    func ledgersAfterCompletion(build: [DatabaseName: [Migration]]) -> [DatabaseName: [LedgerEntry]] {
        var ledgers = parts.mapValues(\.applied)
        guard let record = interrupted, !record.creates, progress(of: record) == .agentOnly,
            let plan = try? completion(of: record, build: build)
        else { return ledgers }
        let steps = plan.steps
        let accepted = Dictionary(plan.accepted.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let (made, undone) = (steps.compactMap(\.migration), Set(steps.filter { $0.direction == .down }.map(\.name)))
        ledgers[.chat] = ledgers[.chat]?.filter { !undone.contains($0.name) }.map { entry in
            accepted[entry.name].map { entry.accepting(checksum: $0.checksum, down: $0.down) } ?? entry
        }
        ledgers[.chat] = ledgers[.chat]?.adding(
            made.map { migration in
                LedgerEntry(
                    name: migration.name, appliedAt: record.startedAt, down: migration.down?.text,
                    checksum: migration.checksum)
            })
        return ledgers
    }
}

extension FoundStore {
    /// The plan for the store, without losses. Opens no database; it only checks which files exist.
    func plan(in context: StoreContext, _ options: MigrationOptions) throws -> StorePlan {
        try interrupted?.refuseCopy()
        if isAbsent, interrupted == nil {
            if options.target.goesDown || !options.mayCreate { throw MigrationError.absent(context.location) }
            // What an interrupted creation left is removed first.
            try context.refuseLonelyMaking()
        }
        try refuseStrangers(context.databases)
        try context.refuseHalf(parts.values)
        // The interrupted run is completed first; the plan starts from the result.
        var completes: [DatabaseName: DatabasePlan] = [:]
        if let record = interrupted, !record.creates {
            try refuseUncompletable(record, context)
            completes = try completions(of: record, build: context.build)
        }
        var plan = StorePlan(
            databases: try databasePlans(context, options), creates: isAbsent, interrupted: interrupted,
            completes: completes)
        plan.isUndone = interrupted.map { !$0.creates && progress(of: $0) == .nothing } ?? false
        return plan
    }

    /// Refuses an interrupted run that this build cannot complete.
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
        // The caller counted steps from the version before the completion.
        if options.target.isRelative, willHaveCompleted { return ledgers.mapValues(DatabasePlan.init(nothingFor:)) }
        let plans = try DatabasePlan.all(
            for: options.target, ledgers: ledgers, build: context.concernedBuild,
            outOfOrder: options.effectiveOutOfOrderReason, acceptsEdited: options.acceptsEdited)
        let edits = EditedNames(joining: plans.values.map(\.edits))
        let isPending = plans.values.contains { !$0.steps.isEmpty }
        if !edits.all.isEmpty, !options.acceptsEdited, options.isStrict || isPending {
            throw MigrationError.edited(edits)
        }
        return plans
    }
}

extension StoreContext {
    /// Refuses one database of a pair that was adopted, when the other one was not named: a run would know neither of
    /// the lock nor of an interrupted run of the pair.
    func refuseHalf(_ parts: some Collection<FoundDatabase>) throws(MigrationError) {
        guard location.databases.count == 1, let part = parts.first, let partner = part.partner else { return }
        // The option may name the file as the other database.
        throw .halfOfPair(part.database ?? part.name, path: location.path(of: part.name), partner: partner)
    }

    /// Refuses to create one database beside an existing other one: a new id would keep the two apart for ever. Does
    /// not open the other one.
    func refuseLonelyMaking() throws(MigrationError) {
        guard let only, let other = DatabaseName.allCases.first(where: { $0 != only }),
            try existing().contains(other)
        else { return }
        throw .wouldNotBelong(only, other: location.path(of: other))
    }
}

extension MigrationOptions {
    /// To this build's version, accepting edited migrations: the gate's options.
    static var leniently: MigrationOptions {
        var options = MigrationOptions()
        options.acceptsEdited = true
        return options
    }
}

extension StorePlan {
    /// A plan without steps for a store.
    init(nothingToDoFor view: FoundStore) {
        self.init(
            databases: view.parts.mapValues { DatabasePlan(nothingFor: $0.applied) }, creates: false, interrupted: nil)
    }
}

extension IntentRecord {
    /// Throws `interruptedMigration` for a copy, which no migration completes.
    func refuseCopy() throws(MigrationError) {
        if copiedFrom != nil { throw .interruptedMigration(self, reason: .comesFirst) }
    }
}
