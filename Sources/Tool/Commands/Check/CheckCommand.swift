import ArgumentParser
import ChatDBKit

struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Check a store: files, schema, the two databases together, and the rules. Changes nothing without --fix.",
        discussion: """
            Each finding has an id (docs/checks.md), how bad it is, how many there are, some of them by number, and what \
            to do. With an error among them it ends with 1. --fix mends those about which nobody has to decide: it \
            shows them, asks, backs the store up, and mends them in one transaction of each database. Works on a store \
            of any version, and on one database alone; of a store of SimpleX Chat it checks what holds for it too.

            Examples:
              chatdb check
              chatdb check -d ~/Downloads/somebody --format json | jq '.findings[].id'
              chatdb check --fix --backup-dir ~/backups
            """)

    @OptionGroup var store: StoreOptions

    @Flag(help: "Mend what can be mended, after a backup.")
    var fix = false

    @OptionGroup var undo: UndoOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func validate() throws {
        if !fix, undo.noBackup || undo.backupDir != nil || yes {
            throw ValidationError("--yes, --backup-dir and --no-backup are for --fix")
        }
    }

    func run() throws {
        let output = try output.output()
        Signals.interruptsAskToStop()
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        let found = try CheckedStore.check(location, with: store.engine, output)
        let report = fix ? try mend(found, output) : CheckReport(found: found, store.repeated)
        try output.write(report)
        if !report.found.isOK { throw Answer(status: .no) }
    }

    private func mend(_ found: CheckedStore, _ output: Output) throws -> CheckReport {
        let acts = StoreRepair.acts(on: found.checkup.findings)
        return try ConfirmedChange(output: output, yes: yes).run(
            read: { try found.refuseDamaged() },
            decide: { _ in
                guard !acts.isEmpty else { return .stop(CheckReport(found: found, store.repeated)) }
                try StoreGate(found.context).check()
                return .ask(
                    .init(
                        text: "Mend \(acts.count) of \(found.checkup.findings.count) findings?",
                        shown: CheckFixPlan(acts: acts)))
            },
            write: { _ in
                let backup = try undo.backUp(store, output)
                let mended = try StoreSession.write(store, output) { store in
                    // The chat database's lock first: an app that makes a profile holds it until both are committed.
                    try store.writeBoth(committing: .agentFirst) { chat, agent in
                        try StoreRepair.repair(found.checkup.findings, lost: found.lost, chat: chat, agent: agent)
                    }
                }
                let after = try CheckedStore.check(found.context.location, with: store.engine, output)
                return CheckReport(found: after, mended: mended, backup: backup, store.repeated)
            })
    }
}
