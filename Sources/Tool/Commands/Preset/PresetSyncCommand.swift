import ArgumentParser
import Engine
import Repos
import Schema

struct PresetSyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Bring a profile's preset relays and servers in line with those that ship with chatdb.",
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
        try apply(preset, to: user, expecting: plan, seed: seed)
        try output.write(PresetSyncReport(user: user, plan: plan, isApplied: true))
    }

    /// What is done is what was shown: a store that changed meanwhile is left alone.
    private func apply(_ preset: PresetFile, to user: User, expecting plan: PresetPlan, seed: UInt64) throws {
        try StoreSession.write(profile.store) { store in
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

/// What a sync changes, as a diff.
struct PresetSyncReport: Report {
    let user: User
    let plan: PresetPlan
    let isApplied: Bool

    var json: JSONValue {
        [
            "mode": "sync", "user": user.reference, "changes": .array(plan.changes.map(\.json)),
            "unchanged": JSONValue(plan.unchanged), "applied": .bool(isApplied), "notes": JSONValue(plan.notes),
        ]
    }

    var document: Document {
        let title = isApplied ? "Changed in \(user.name)" : "To change in \(user.name)"
        return [
            .heading(title),
            .table(
                Table(
                    [
                        Column("", key: "action"), Column("Kind"), Column("Name", shrinking: .end),
                        Column("Address", shrinking: .middle), Column("Change", shrinking: .end),
                    ],
                    rows: plan.changes.map(\.cells),
                    whenEmpty: "nothing: the profile is in line with the preset")),
            .notes([.note("\(plan.unchanged) entries stay as they are")] + plan.notes.map { .note($0) }),
        ]
    }
}

extension PresetChange {
    fileprivate var sign: Cell {
        switch action {
        case .add: .text("+", .good)
        case .update: "~"
        case .remove: .text("-", .bad)
        case .softDelete: "◌"
        case .restore: "↺"
        case .conflict: .text("!", .bad)
        }
    }

    fileprivate var cells: [Cell] {
        var parts = fields.map { field in
            field.from == .none ? "\(field.name): \(field.to.shown)" : "\(field.name): \(field.from.shown) → \(field.to.shown)"
        }
        if let channelsUsing, channelsUsing > 0 { parts.append("used by \(channelsUsing) channels") }
        if let reason { parts.append(reason) }
        return [sign, .text(kind.shown), .text(name), .text(address), .text(parts.joined(separator: ", "))]
    }

    /// The change as programs are told of it.
    fileprivate var json: JSONValue {
        [
            "action": .string(action.rawValue), "kind": .string(kind.rawValue), "name": .string(name),
            "address": JSONValue(address),
            "fields": .object(fields.map { .init($0.name, ["from": $0.from.json, "to": $0.to.json]) }),
            "channelsUsing": JSONValue(channelsUsing), "reason": JSONValue(reason),
        ]
    }
}

extension PresetChange.Kind {
    fileprivate var shown: String {
        switch self {
        case .operator: "operator"
        case .smpServer: "SMP server"
        case .xftpServer: "XFTP server"
        case .relay: "relay"
        }
    }
}

extension PresetValue {
    fileprivate var shown: String {
        switch self {
        case .none: "none"
        case .flag(let flag): flag ? "yes" : "no"
        case .text(let text): text
        case .texts(let texts): texts.joined(separator: ", ")
        case .secret: "(secret)"
        }
    }
}
