import ArgumentParser
import ChatDBKit

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check a store for damage and broken rules. Changes nothing without --fix.",
        discussion: """
            Checks the files, the schema, each database, both together, and the rules. Shows the id (docs/checks.md), \
            severity and count of each finding, examples by number, and what to do. Exits with 1 if a finding is an \
            error. --fix repairs the findings that need no decision: it shows them, asks for confirmation, backs the \
            store up, and repairs each database in one transaction. Works on a store of any version, and on a single \
            database. For a store of SimpleX Chat, it runs the checks that apply to it.

            Examples:
              chatdb check
              chatdb check -d ~/Downloads/simplex --format json | jq '.findings[].id'
              chatdb check --fix --dry-run
              chatdb check --fix --backup-dir ~/backups
            """)

    @OptionGroup var store: StoreOptions

    @OptionGroup var folder: MigrationsFolderOptions

    @Flag(help: "Repair what chatdb can repair, after a backup.")
    var fix = false

    @OptionGroup var undo: UndoOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if !fix, undo.noBackup || undo.backupDir != nil || consent.yes || consent.dryRun {
            throw ValidationError("--yes, --dry-run, --backup-dir and --no-backup require --fix")
        }
    }

    func run() throws {
        if fix, folder.migrationsDir != nil { throw NoRepairOfFolder() }
        let output = try output.output()
        Signals.interruptsAskToStop()
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        if fix { try store.requireWritableOwn() }
        let engine = try store.engine()
        let build = try folder.migrationsForReading(of: location, with: { engine }, output)
        let found = try CheckedStore.check(location, with: engine, build: build, output)
        for note in found.context.unusedMigrations(in: folder.migrationsDir) { output.note(note) }
        if fix, found.status.readable.values.contains(where: \.isOfOtherMigrations) {
            output.note("--fix repairs chatdb's own stores only, so it changes nothing in this one")
        }
        let report = fix ? try repair(found, output) : CheckReport(found: found, given)
        try output.write(report)
        report.note(to: output)
        if !report.found.isOK { throw Answer(status: .no) }
    }

    /// The options for the commands in remedies.
    private var given: GivenOptions {
        var options = store.repeated
        options.migrationsDir = folder.migrationsDir
        return options
    }

    private func repair(_ found: CheckedStore, _ output: Output) throws -> CheckReport {
        let acts = StoreRepair.acts(on: found.checkup.findings)
        let location = found.context.location
        let session = try StoreSession(store, output)
        return try ConfirmedChange(consent, output).run(
            read: { try found.refuseDamaged() },
            decide: { _ in
                if found.checkup.findings.contains(where: \.hasRepair) {
                    try session.requireWritable(found.status)
                }
                guard !acts.isEmpty else {
                    var report = CheckReport(found: found, store.repeated)
                    report.hadNothingToRepair = true
                    return .stop(report)
                }
                return .ask(
                    .init(
                        text: "Repair \(acts.count) of \(counted(found.checkup.findings.count, "finding"))?",
                        shown: CheckFixPlan(acts: acts)))
            },
            preview: { _ in
                CheckReport(
                    found: found, planned: CheckFixPlan(acts: acts), kept: undo.kept(nil, of: location),
                    store.repeated)
            },
            write: { _ in
                // The chat database's lock first: an app that creates a profile holds it until both are committed.
                let (repaired, backup) = try session.writeBoth(committing: .agentFirst, backingUp: undo) {
                    chat, agent, backup in
                    (
                        try StoreRepair.repair(found.checkup.findings, lost: found.lost, chat: chat, agent: agent),
                        backup
                    )
                }
                let after = try CheckedStore.check(
                    location, with: store.engine(), build: found.context.build, output)
                return CheckReport(
                    found: after, repaired: repaired, of: found.checkup.findings, backup: backup,
                    kept: undo.kept(backup, of: location), store.repeated)
            })
    }
}

/// A repair of a store whose migrations are in a folder.
private struct NoRepairOfFolder: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "usage", "--fix repairs chatdb's own stores, and cannot be used with --migrations-dir",
            hint: "\(.check) says what to do about each finding", exit: .usage)
    }
}

extension CheckedStore {
    /// Checks a store, and shows the progress. Ctrl-C stops the check.
    static func check(
        _ location: StoreLocation, with engine: any StorageEngine, build: [DatabaseName: [Migration]]? = nil,
        _ output: Output
    ) throws -> CheckedStore {
        try shown(output) {
            try check(location, with: engine, build: build, cancellation: Signals.cancellation, progress: $0)
        }
    }

    /// The same for an open store.
    static func check(
        _ store: Store, _ status: StoreStatus, _ context: StoreContext, _ output: Output
    ) throws -> CheckedStore {
        try shown(output) { try check(store, status, context, cancellation: Signals.cancellation, progress: $0) }
    }

    private static func shown(
        _ output: Output, _ check: (_ progress: @escaping (Int) -> Void) throws -> CheckedStore
    ) throws -> CheckedStore {
        let bar = output.progress("checking the store", total: Int64(StoreCheck.all.count))
        defer { bar.finish() }
        return try check { bar.update(Int64($0)) }
    }

    /// chatdb repairs nothing in a damaged file: every write may make it worse. It never writes another program's store,
    /// whose findings have no repair.
    func refuseDamaged() throws {
        guard status.kind != .simplex else { return }
        for database in DatabaseName.allCases {
            let damage = checkup.findings.first { $0.id == StoreCheck.damageID(database) }
            guard let damage else { continue }
            let problems =
                damage.damage.isEmpty
                ? KnownNames.shown(damage.sample.map(\.description)) : KnownNames.shown(damage.damage)
            var report = MigrationError.damaged(database, problems: problems).report
            report.state = "Nothing was changed."
            throw report
        }
    }
}

extension CheckReport {
    /// Writes to standard error what does not fit into CSV.
    fileprivate func note(to output: Output) {
        if output.format == .csv, let damageNote { output.note(damageNote) }
        if !repaired.isEmpty || planned != nil { kept.note(to: output, of: .repair) }
    }
}
