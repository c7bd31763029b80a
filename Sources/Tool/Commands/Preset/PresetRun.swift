import ArgumentParser
import ChatDBKit

/// The options for carrying out a plan.
struct PresetRunOptions: ParsableArguments {
    @OptionGroup var consent: ConsentOptions

    @Flag(
        name: [.customLong("no-before"), .customLong("no-backup")],
        help: "Do not keep a copy of the previous configuration.")
    var noBefore = false

    @Flag(help: "With --dry-run: exit with 1 if there is something to change.")
    var exitCode = false

    func validate() throws {
        if exitCode, !consent.dryRun { throw ValidationError("--exit-code requires --dry-run") }
    }
}

/// Shows what a preset changes in a profile, asks, and makes exactly those changes.
struct PresetRun {
    let mode: String
    let profile: ProfileOptions
    let options: PresetRunOptions
    /// Whether standard input is the file of the command.
    var readsFile = false
    /// The decision about conflicts, which an import has.
    var onConflict: PresetImportOptions.OnConflict?
    /// The permission to write a store of SimpleX Chat; nil for a sync, because the app keeps its presets itself.
    var simplex: SimplexWriting?
    let plan: (_ user: UserID, _ chat: any ReadTransaction, _ isSimplex: Bool) throws -> PresetPlan

    func run(_ output: Output) throws {
        let session = try StoreSession(profile.store, output, simplex: simplex)
        try ConfirmedChange(options.consent, readsFile: readsFile, output).run(
            read: { () -> PresetPlanReport in
                var found = try session.readToWrite { try planned(of: $0, isSimplex: session.isSimplex) }
                let (plan, user) = (found.plan, found.user.id)
                found.simplex =
                    plan.blocking.isEmpty && plan.changesAnything
                    ? try session.rehearse { _ = try plan.apply(to: user, in: $0) } : session.nothingToWrite
                return found
            },
            decide: { planned in
                guard planned.plan.blocking.isEmpty, planned.plan.changesAnything else {
                    return .stop(try write(planned, to: output))
                }
                return .ask(
                    .init(
                        text: "Make these changes to \(planned.user.name)?", shown: planned,
                        warnings: planned.shownWarnings, audience: .readersOfText))
            },
            preview: { planned in
                try write(planned, to: output)
                if options.exitCode { throw Answer(status: .no) }
            },
            write: { try carryOut($0.plan, for: $0.user, session, output).write(to: output) })
    }

    /// Writes a plan as the answer. Throws if conflicts prevent it, or leave nothing of an import unless the user chose
    /// to skip them.
    private func write(_ planned: PresetPlanReport, to output: Output) throws {
        try planned.write(to: output)
        if !planned.plan.blocking.isEmpty { throw PresetError.presetConflicts(planned.plan.blocking) }
        guard let onConflict, planned.plan.isAllInConflict else { return }
        if onConflict != .skip { throw PresetError.presetConflicts(planned.plan.changes) }
        output.note("everything in the file is in conflict; nothing was changed")
    }

    private func planned(of store: Store, isSimplex: Bool) throws -> PresetPlanReport {
        try store.read { chat in
            let user = try profile.profile(in: chat)
            let plan = try plan(user.id, chat, isSimplex)
            if options.consent.dryRun, plan.losesAnything, keepsBefore(plan, isSimplex), plan.blocking.isEmpty {
                try PresetBefore.check(of: user, in: chat, profile.store)
            }
            var report = PresetPlanReport(mode: mode, user: user, plan: plan)
            report.skipsConflicts = onConflict == .skip
            report.given = profile.repeated(for: user)
            // With --yes the warnings come after the change.
            if options.consent.dryRun || !options.consent.yes {
                report.warnings = try warnings(of: plan, for: user.id, in: chat)
            }
            return report
        }
    }

    /// Whether the configuration from before is kept in a file: of an import always, of a sync if it removes or
    /// overwrites something.
    private func keepsBefore(_ plan: PresetPlan, _ isSimplex: Bool) -> Bool {
        // An archive stays as it is.
        if options.noBefore || profile.store.archive != nil { return false }
        let isImport = onConflict != nil
        // What an import adds to a store of SimpleX Chat, its backup takes back.
        return plan.losesAnything || isImport && plan.changesAnything && !isSimplex
    }

    /// Keeps the configuration from before. An import that only adds entries goes on without a file that could not be
    /// read back, because it loses nothing.
    private func keepBefore(
        _ plan: PresetPlan, of user: User, in chat: any ReadTransaction, _ output: Output
    ) throws -> PresetBefore? {
        do {
            return try PresetBefore.keep(of: user, in: chat, profile.store, output)
        } catch let error as CannotKeepBefore where !plan.losesAnything {
            output.note("the previous configuration is not kept, because a file could not restore it: \(error.problem)")
            return nil
        }
    }

    /// The problems that validation would find after the plan, and does not find now.
    private func warnings(of plan: PresetPlan, for user: UserID, in chat: any ReadTransaction) throws -> [String] {
        guard plan.changesAnything, plan.blocking.isEmpty else { return [] }
        let allProfiles = try ServersRepo(chat).allProfiles()
        return UserServersValidation(
            of: plan.applied(to: allProfiles, for: user), asking: user, hidden: profile.others
        ).newTexts(since: UserServersValidation(of: allProfiles, asking: user, hidden: profile.others))
    }

    /// Makes the changes that were shown. Leaves the store alone if it changed meanwhile, or after a request to stop.
    /// Returns the copy of the old configuration and the problems that validation finds since.
    private func carryOut(
        _ plan: PresetPlan, for user: User, _ session: StoreSession, _ output: Output
    ) throws -> PresetPlanReport {
        var report = try session.write(
            keeping: .configuration,
            { chat, copy in
                if keepsBefore(plan, session.isSimplex) { copy = try keepBefore(plan, of: user, in: chat, output) }
                let warnings = try warnings(of: plan, for: user.id, in: chat)
                guard try plan.apply(to: user.id, in: chat) else { throw PlanOutdated() }
                return PresetPlanReport(
                    mode: mode, user: user, plan: plan, isApplied: true, before: copy, warnings: warnings)
            }, isUndone: { isUndone(plan, of: user, output) })
        report.skipsConflicts = onConflict == .skip
        report.given = profile.repeated(for: user)
        report.wasShown = options.consent.hasShownPlan(on: output)
        report.simplex = session.effect
        return report
    }
}

extension PresetRun {
    /// Whether, after a commit that failed, everything is known to be unchanged.
    private func isUndone(_ plan: PresetPlan, of user: User, _ output: Output) -> Bool {
        let found = try? StoreSession(profile.store, output).read { store in
            try store.read { try plan.isCurrent(for: user.id, in: $0) }
        }
        return found == true
    }
}

extension PresetPlan {
    /// Whether the plan removes or overwrites something.
    var losesAnything: Bool {
        changes.contains { [.update, .remove, .softDelete].contains($0.action) }
    }
}

extension PresetPlanReport {
    /// Writes the answer. Standard error has the warnings, and what does not fit into CSV.
    func write(to output: Output) throws {
        try output.write(self)
        if output.format == .csv {
            for note in notes { output.note(note) }
            for command in next { output.note("to add the password, and to enable the server: \(command)") }
            if let before {
                output.note(
                    before.isBackup
                        ? "a backup of the store is in \(before.path); to restore it, which takes back everything that "
                            + "was changed since:"
                        : "the previous configuration is in \(before.contents); to restore it:")
                output.note(before.command)
            }
        }
        simplex?.note(to: output)
        for warning in shownWarnings { output.warn(warning) }
    }
}
