import ChatDBKit
import ChatDBReports

/// `presets`: relays, servers and operators as a document.
enum PresetMethods {
    private static let preset = Parameter.any(
        "preset", "The preset: the JSON document, or a text in any format that chatdb reads.")
    private static let mode = Parameter<PresetImportOptions.Mode>.word(
        "mode", "How entries that the preset lacks are treated."
    )
    .or(.merge)
    private static let onConflict = Parameter<PresetImportOptions.OnConflict>.word(
        "onConflict", "How names that are taken, and servers with another key hash, are treated."
    ).or(.fail)
    private static let setsEnabled = Parameter.flag(
        "setEnabled", "Whether existing entries are enabled as in the preset."
    )
    .or(false)
    private static let changesOperators = Parameter.flag("operators", "Whether operators are changed.").or(true)
    private static let trustsOperators = Parameter.flag(
        "trustOperators", "Whether what the preset says about operators is believed."
    ).or(false)
    private static let customOnly = Parameter.flag("customOnly", "Whether only custom entries are exported.").or(false)
    private static let enabledOnly = Parameter.flag("enabledOnly", "Whether only enabled entries are exported.").or(
        false)

    private static let changes = Shape.array(
        .members([
            "action": .text, "kind": .text, "name": .nullable(.text), "address": .nullable(.text),
            "fields": Shapes.changedFields, "channelsUsing": .nullable(.integer), "reason": .nullable(.text),
        ]))

    static let all: [RequestMethod] = [
        .ofProfile(
            "presets.export", "Exports the relays, servers and operators of a profile. No answer has a password.",
            [customOnly, enabledOnly],
            result: .members(["user": Shapes.profile, "preset": .map(.any), "notes": .array(.text)])
        ) { call, user, chat in
            let selection = PresetSelection(
                kinds: Set(PresetSelection.Kind.allCases), customOnly: try call[customOnly],
                enabledOnly: try call[enabledOnly])
            let export = try PresetExport(of: user.id, in: chat, hidden: .shown, selection).file()
            return PlainAnswer([
                "user": user.reference,
                "preset": export.file.json(PresetDisclosure(secrets: false, testResults: false)),
                "notes": JSONValue(export.notes),
            ])
        },
        .ofProfile(
            "presets.diff", "Compares a profile with a preset.", [preset],
            result: .members([
                "mode": .word(["diff"]), "user": .nullable(Shapes.profile), "file": .nullable(.text), "with": .text,
                "changes": changes, "unchanged": .integer, "applied": .flag, "notCompared?": .any,
                "entriesNotCompared?": .any,
            ])
        ) { call, user, chat in
            let own = try PresetExport(of: user.id, in: chat, hidden: .shown).file().file
            return PresetDiffReport(
                from: .profile(user), other: "preset",
                diff: PresetDiff(from: own, to: try read(try call[preset]), asImport: true))
        },
        .changing(
            "presets.import",
            "Imports relays and servers into a profile. Without a fingerprint, shows the changes.",
            [
                preset, mode, onConflict, setsEnabled, changesOperators, trustsOperators, Fingerprint.parameter,
            ],
            result: .members([
                "mode": .text, "user": Shapes.profile, "changes": changes, "unchanged": .integer,
                "notes": .array(.text), "before": .nullable(.any), "warnings": .array(.text),
            ]).and(Shapes.consent)
        ) { call, user, chat in
            let options = PresetImportOptions(
                mode: try call[mode], onConflict: try call[onConflict], setsEnabled: try call[setsEnabled],
                changesOperators: try call[changesOperators], trustsOperators: try call[trustsOperators])
            let plan = try PresetImport.plan(try read(try call[preset]), options, for: user.id, in: chat)
            let shown = PresetPlanReport(mode: options.mode.rawValue, user: user, plan: plan)
            guard let fingerprint = try call[Fingerprint.parameter] else { return Fingerprint.shown(shown.json) }
            try Fingerprint.require(fingerprint, of: shown.json)
            if !plan.blocking.isEmpty { throw PresetError.presetConflicts(plan.blocking) }
            let before = try UserServersValidation.now(asking: user.id, hidden: call.hidden, in: chat)
            guard try plan.apply(to: user.id, in: chat) else { throw ServiceError.planOutdated }
            let after = try UserServersValidation.now(asking: user.id, hidden: call.hidden, in: chat)
            return Fingerprint.made(
                PresetPlanReport(
                    mode: options.mode.rawValue, user: user, plan: plan, isApplied: true,
                    warnings: after.newTexts(since: before)
                ).json)
        },
    ]

    /// A preset that a request has as a document or as a text.
    private static func read(_ value: JSONValue) throws -> PresetFile {
        try PresetFile.read((value.stringValue ?? value.text(.compact)).utf8).file
    }
}
