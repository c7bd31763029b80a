import ChatDBKit
import Foundation
import Synchronization

/// The common part of `run`, `up` and `down`: consent, progress and the answer.
struct MigrationCommand {
    let output: Output
    /// The folder of the migrations; nil for this build's own.
    var migrationsDir: String?
    /// The options that the commands in its advice repeat.
    var repeated = GivenOptions.none

    /// - Parameter given: the consent on the command line; nil without one. A dry run of a refused run exits with that
    ///   run's status.
    func run(_ migrator: Migrator, mode: ConfirmationMode, given: ConfirmationMode? = nil, dryRun: Bool) throws {
        let unused = migrator.context.unusedMigrations(in: migrationsDir)
        if dryRun {
            migrator.warnOfReplacedStore(output, repeated)
            let plan = try MigrationHint.adding(for: migrator, in: migrationsDir) { try migrator.plan() }
            let lost = migrator.context.databasesWithLostMigrations(in: plan)
            let report = PlanReport(
                plan: plan, folder: migrationsDir, lost: lost,
                errors: migrator.context.refusals(of: plan, isStrict: migrator.options.isStrict), unused: unused,
                given: repeated)
            try report.write(to: output)
            if plan.creates { migrator.warnOfSimilarStore(output) }
            if let status = report.refusal(given) { throw Answer(status: status) }
            return
        }
        Signals.interruptsAskToStop()
        try confirmNewStore(migrator, mode, isGiven: given != nil)
        var migrator = migrator
        let bar = RunProgress(output)
        migrator.options.confirmation = confirmation(mode) { bar.clear() }
        let completed = Mutex<IntentRecord?>(nil)
        migrator.context.progress = { progress in
            if case .completed(let record) = progress { completed.withLock { $0 = record } }
            bar.show(progress)
        }
        let report: MigrationReport
        do {
            report = try MigrationHint.adding(for: migrator, in: migrationsDir) { try migrator.run() }
        } catch {
            bar.finish()
            if given == nil, mode == .error, let refusal = Self.unconfirmed(error) {
                if output.showsPlans, let plan = try? migrator.plan() {
                    try output.show(PlanQuestion(plan: plan, folder: migrationsDir).report)
                }
                throw refusal
            }
            // Without a terminal the rest cannot be confirmed.
            guard let consent = error as? ConsentError, let record = completed.withLock(\.self) else { throw error }
            throw HintedError(consent, state: StoreState.completed(record).sentence, hint: nil)
        }
        bar.finish()
        if !report.plan.isEmpty || report.created || report.completed != nil { CommittedChange.note() }
        for note in unused + RunReport.notes(report, repeated) { output.note(note) }
        let files = migrator.context.location
        let encrypted = files.databases.filter {
            (migrator.context.engine as? SQLiteEngine)?.isEncrypted(files.path(of: $0)) == true
        }
        for warning in RunReport.warnings(report, repeated, encrypted: encrypted) { output.warn(warning) }
        let restore = RestoreCommandLine(
            for: report, of: migrator, migrationsDir: migrationsDir, passphrase: repeated.passphrase)
        try RunReport(
            report: report, restore: restore?.text, store: files, isEncrypted: !encrypted.isEmpty
        ).write(to: output)
        if report.created { migrator.warnOfSimilarStore(output) }
    }

    /// Asks before the run makes a new store where replaced files or backups of a lost one are: the user may not know
    /// that they can be restored. An interrupted run that made the store is completed.
    private func confirmNewStore(_ migrator: Migrator, _ mode: ConfirmationMode, isGiven: Bool) throws {
        let location = migrator.context.location
        let interrupted = (try? IntentRecord.read(at: location)) ?? nil
        guard interrupted == nil, let copies = migrator.hintOfLostStore else { return }
        let question = "Make a new, empty store at \(location.prefix)?"
        // Of both options, --confirm counts.
        let hint: Hint =
            isGiven
            ? "\(copies); --yes in the place of --confirm makes a new, empty store"
            : "\(copies); --yes makes a new, empty store"
        switch mode {
        case .yesUp, .yesUpDown: migrator.warnOfReplacedStore(output, repeated)
        case .error where isGiven:
            throw HintedError(
                ConsentError.confirmationNeeded(question, hasDryRun: true),
                message: "confirmation is required: \(question)", hint: hint)
        case .error, .console:
            guard output.terminal.inputIsTerminal else {
                throw HintedError(ConsentError.confirmationNeeded(question, hasDryRun: true), hint: hint)
            }
            migrator.warnOfReplacedStore(output, repeated)
            let isAgreed = try ConfirmedChange(output: output, yes: false, dryRun: false).ask(.init(text: question))
            if Signals.cancellation.isRequested { throw MigrationError.interrupted }
            if !isAgreed { throw ConsentError.declined }
        }
    }

    /// The refusal of a run that no option confirms and no person can be asked about; nil for other errors.
    private static func unconfirmed(_ error: any Error) -> HintedError? {
        guard let error = error as? any Reportable, ["needsUpgrade", "needsDowngrade"].contains(error.report.code)
        else { return nil }
        let reason = "confirmation is required, and there is no terminal to ask on"
        return HintedError(error, message: "\(error.report.message); \(reason)", hint: nil)
    }

    /// - Parameter clear: clears the line of the terminal before the question.
    func confirmation(
        _ mode: ConfirmationMode, hasDryRun: Bool = true, clear: @escaping @Sendable () -> Void
    ) -> Confirmation {
        switch mode {
        case .error: .error
        case .yesUp: .yesUp
        case .yesUpDown: .yesUpDown
        case .console:
            .console { [format = output.format, color = output.color, migrationsDir] plan in
                clear()
                return try PlanQuestion(plan: plan, folder: migrationsDir)
                    .ask(Output(format, color: color), hasDryRun: hasDryRun)
            }
        }
    }
}

/// Shows a plan and asks whether to carry it out.
struct PlanQuestion {
    let plan: StorePlan
    /// The folder of the migrations; nil for this build's own.
    let folder: String?

    /// The plan as the question shows it.
    var report: PlanReport { PlanReport(plan: plan, folder: folder, namesCommands: false) }

    func ask(_ output: Output, hasDryRun: Bool) throws -> Bool {
        do {
            try plan.requireDeclaredLosses()
        } catch {
            // A question about a run that will be refused needs no answer.
            if output.showsPlans { try output.show(report) }
            throw error
        }
        let answer = try ConfirmedChange(output: output, yes: false, dryRun: false, hasDryRun: hasDryRun)
            .ask(.init(text: text, shown: report, audience: .readersOfText))
        if Signals.cancellation.isRequested { throw MigrationError.interrupted }
        return answer
    }

    private var text: String {
        let count = plan.ups.count + plan.downs.count
        let edits = plan.acceptedEdits.count
        let act = plan.downs.isEmpty ? "Apply" : plan.ups.isEmpty ? "Undo" : "Apply and undo"
        var acts: [String] = []
        if count > 0 || edits == 0 { acts.append("\(act) \(count) migration\(count == 1 ? "" : "s")") }
        if edits > 0 {
            acts.append("\(count > 0 ? "accept" : "Accept") \(edits) edited migration\(edits == 1 ? "" : "s")")
        }
        return acts.joined(separator: ", and ") + "?"
    }
}

extension Migrator {
    /// The hint about replaced files or backups of a lost store, where the run makes a new one; nil if there are none.
    var hintOfLostStore: Hint? {
        guard options.mayCreate, !options.target.goesDown else { return nil }
        return ReplacedStore.hintOfCopies(of: context.location)
    }

    /// Warns if the run makes a new store in the place of one of which replaced files or backups are there.
    func warnOfReplacedStore(_ output: Output, _ given: GivenOptions) {
        guard let copies = hintOfLostStore else { return }
        output.warn("the run makes a new, empty store; \(copies.text(given))")
    }

    /// Warns of stores with a name similar to that of a new one, or of one that a plan would make.
    func warnOfSimilarStore(_ output: Output) {
        if let warning = SimilarStores.warning(of: context.location) { output.warn(warning) }
    }
}

extension RunReport {
    /// Writes the answer. Standard error has what does not fit into CSV.
    func write(to output: Output) throws {
        try output.write(self)
        if [.csv, .json].contains(output.format) { for note in copied { output.note(note) } }
        guard output.format == .csv else { return }
        if let creation { output.note(creation) }
        for clause in LossBlocks.clauses(report.losses) { output.note("deleted: \(clause)") }
        for note in PlanReport.stepNotes(report.steps) { output.note(note) }
        for name in DatabaseName.allCases.flatMap(report.accepted) { output.note("accepted as edited: \(name)") }
        if let restore { output.note("to restore the backup: \(restore)") }
    }
}
