import ChatDBKit

/// Shows what a preset changes in all profiles, asks, and makes exactly those changes: in all profiles, or in none.
struct PresetSyncAll {
    let preset: PresetFile
    let profile: ProfileOptions
    let options: PresetRunOptions
    /// Whether standard input is the file of the command.
    var readsFile = false
    let seed: SeedOption

    func run(_ output: Output) throws {
        let session = try StoreSession(profile.store, output)
        try ConfirmedChange(options.consent, readsFile: readsFile, output).run(
            read: { try session.readToWrite { store in try store.read { try planned(in: $0) } } },
            decide: { planned in
                guard planned.changesAnything else { return .stop(try planned.write(to: output)) }
                return .ask(
                    .init(
                        text: "Make these changes to \(counted(planned.plans.count, "profile"))?", shown: planned,
                        audience: .readersOfText))
            },
            preview: { planned in
                try planned.write(to: output)
                if options.exitCode, planned.changesAnything { throw Answer(status: .no) }
            },
            write: { planned in
                var done = try carryOut(planned, session, output)
                if options.consent.hasShownPlan(on: output) { done.sumUp() }
                try done.write(to: output)
            })
    }

    private func planned(in chat: any ReadTransaction) throws -> PresetSyncAllReport {
        let users = try UsersRepo(chat).all(hidden: try profile.hidden.choice(in: chat))
        let plans = try users.map { user in
            let plan = try PresetSync.plan(preset, for: user.id, in: chat, seed: seed.value(of: user.id, in: chat))
            if options.consent.dryRun, keepsBefore(plan) { try PresetBefore.check(of: user, in: chat, profile.store) }
            return PresetPlanReport(mode: "sync", user: user, plan: plan)
        }
        return PresetSyncAllReport(plans: plans)
    }

    private func keepsBefore(_ plan: PresetPlan) -> Bool { plan.losesAnything && !options.noBefore }

    /// Makes the changes that were shown, in one transaction.
    private func carryOut(
        _ planned: PresetSyncAllReport, _ session: StoreSession, _ output: Output
    ) throws -> PresetSyncAllReport {
        var copies: [PresetBefore] = []
        var isCommitting = false
        do {
            return try session.write { store in
                try store.write { chat in
                    let before = try validation(in: chat)
                    for shown in planned.plans where keepsBefore(shown.plan) {
                        // A backup has the configuration of all profiles.
                        let backup = copies.first.flatMap { $0.isBackup ? $0 : nil }
                        copies.append(try backup ?? PresetBefore.keep(of: shown.user, in: chat, profile.store, output))
                    }
                    let plans = planned.plans.map { (plan: $0.plan, user: $0.user.id) }
                    guard try PresetPlan.apply(plans, in: chat) else { throw PlanOutdated() }
                    let warnings = try validation(in: chat).newTexts(since: before)
                    try StoppedOnRequest.check()
                    isCommitting = true
                    return applied(planned, copies, warnings)
                }
            }
        } catch {
            // After a commit that failed, the copies may be needed.
            if !isCommitting { for copy in copies { _ = copy.remove() } }
            guard isCommitting, !copies.isEmpty else { throw error }
            let places = Set(copies.map(\.path)).sorted()
            throw ErrorReport(error).adding(places.map { "the configuration from before is in \($0)" })
        }
    }

    private func validation(in chat: any ReadTransaction) throws -> UserServersValidation {
        try UserServersValidation.now(asking: nil, hidden: profile.others, in: chat)
    }

    private func applied(
        _ planned: PresetSyncAllReport, _ copies: [PresetBefore], _ warnings: [String]
    ) -> PresetSyncAllReport {
        var copies = copies[...]
        let plans = planned.plans.map { shown in
            var plan = shown
            plan.isApplied = true
            if keepsBefore(shown.plan) { plan.before = copies.popFirst() }
            return plan
        }
        return PresetSyncAllReport(plans: plans, isApplied: true, warnings: warnings)
    }
}

/// The changes that a preset makes in each profile.
struct PresetSyncAllReport: Report {
    var plans: [PresetPlanReport]
    var isApplied = false
    /// The problems that validation finds since the change, in all profiles.
    var warnings: [String] = []

    /// Leaves out of the answer what the reader has just seen.
    mutating func sumUp() {
        for index in plans.indices { plans[index].wasShown = true }
    }

    var changesAnything: Bool { plans.contains { $0.plan.changesAnything } }

    /// Writes the answer. Standard error has the warnings.
    func write(to output: Output) throws {
        try output.write(self)
        for warning in warnings { output.warn(warning) }
    }

    var json: JSONValue {
        let own = ["mode", "applied", "warnings"]
        return [
            "mode": "sync",
            "profiles": .array(
                plans.map { .object(($0.json.members ?? []).filter { !own.contains($0.name) }) }),
            "applied": .bool(isApplied), "warnings": JSONValue(warnings),
        ]
    }

    var document: Document {
        if plans.isEmpty { return [.paragraph("no profiles")] }
        return Document(plans.flatMap(\.document.blocks))
    }

    /// The changes of all profiles, with the profile of each.
    var csvTable: Table {
        let rows = plans.flatMap { plan in plan.plan.changes.map { (user: plan.user, change: $0) } }
        let table = PresetChange.reported.csv(rows.map(\.change))
        return Table(
            [Column("userId", key: "userId"), Column("profile")] + table.columns,
            rows: zip(rows, table.rows).map { [.number($0.user.id.rawValue), .text($0.user.name)] + $1 },
            whenEmpty: "")
    }
}
