import ArgumentParser
import Engine
import Repos
import Schema

struct PresetSyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring a profile's preset relays and servers in line with those that ship with chatdb.",
        discussion: """
            New ones are added, names and domains follow, what you enabled and tested stays, and what the operators no \
            longer list goes (a relay that channels use goes out of sight and keeps serving them). Your own relays and \
            servers are left alone. The changes are shown first.

            Examples:
              chatdb preset sync --dry-run
              chatdb preset sync --yes
              chatdb preset sync --dry-run --exit-code --format json
            """)

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var seed: SeedOption
    @OptionGroup var output: OutputOptions

    @Flag(help: "Show the changes, and make none.")
    var dryRun = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "With --dry-run: end with 1 when there is something to change.")
    var exitCode = false

    func validate() throws {
        if exitCode, !dryRun { throw ValidationError("--exit-code belongs to --dry-run") }
    }

    func run() throws {
        let output = try output.output()
        let seed = seed.value(output)
        let preset = try BundledPresets.preset()
        let (user, plan) = try StoreSession.read(profile.store, output) { store in
            try store.read { chat in
                let user = try profile.profile(in: chat)
                return (user, try PresetSync.plan(preset, for: user.id, in: chat, seed: seed))
            }
        }
        guard !dryRun, plan.changesAnything else {
            try output.write(PresetSyncReport(user: user, plan: plan, isApplied: false))
            if dryRun, exitCode, plan.changesAnything { throw Answer(status: .no) }
            return
        }
        if !yes {
            try output.show(PresetSyncReport(user: user, plan: plan, isApplied: false))
            try Consent(yes: false).require("Make these changes to \(user.name)?")
        }
        try apply(preset, to: user, expecting: plan, seed: seed, output)
        try output.write(PresetSyncReport(user: user, plan: plan, isApplied: true))
    }

    /// What is done is what was shown: a store that changed meanwhile is left alone.
    private func apply(
        _ preset: PresetFile, to user: User, expecting plan: PresetPlan, seed: UInt64, _ output: Output
    ) throws {
        try StoreSession.write(profile.store, output) { store in
            try store.write { chat in
                let done = try PresetSync.apply(preset, to: user.id, in: chat, seed: seed)
                guard done == plan else { throw PlanOutdated() }
            }
        }
    }
}

/// Between the plan and its execution somebody else changed the profile.
struct PlanOutdated: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "planOutdated", "the profile was changed by somebody else since the changes were shown",
            state: "Nothing was changed.", hint: "run the command again", exit: .tryAgain)
    }
}
