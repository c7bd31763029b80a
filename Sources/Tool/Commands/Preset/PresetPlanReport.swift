import ChatDBKit

/// What a preset changes in a profile, as a diff.
struct PresetPlanReport: Report {
    let mode: String
    let user: User
    let plan: PresetPlan
    var isApplied = false
    /// Where what was there before is kept; nil when nothing of it went.
    var before: PresetBefore?
    /// What validation finds since the change and did not find before; of a plan, what it would find.
    var warnings: [String] = []

    /// The same for people, who may not take what would be for what is.
    var told: [String] { isApplied ? warnings : warnings.map { "after the change: \($0)" } }

    /// Writes the answer. What a table of comma-separated values has no place for goes to standard error, as do the
    /// warnings.
    func tell(_ output: Output) throws {
        try output.write(self)
        if output.format == .csv {
            for note in notes { output.note(note) }
            if let before {
                output.note("the previous configuration is in \(before.path), with passwords; to restore it:")
                output.note(before.command)
            }
        }
        for warning in told { output.warn(warning) }
    }

    private var notes: [String] {
        switch plan.otherSwitches {
        case 0: plan.notes
        case 1:
            plan.notes + [
                "1 entry is enabled or disabled otherwise in the file, and stays as it is (see --set-enabled)"
            ]
        case let count:
            plan.notes + [
                "\(count) entries are enabled or disabled otherwise in the file, and stay as they are (see --set-enabled)"
            ]
        }
    }

    var json: JSONValue {
        [
            "mode": .string(mode), "user": user.reference, "changes": .array(plan.changes.map(\.json)),
            "unchanged": JSONValue(plan.unchanged), "applied": .bool(isApplied), "notes": JSONValue(notes),
            "before": before?.json ?? .null, "warnings": JSONValue(warnings),
        ]
    }

    var document: Document {
        var document: Document = [
            .heading(isApplied ? "Changed in \(user.name)" : "To change in \(user.name)"),
            .table(PresetChangeTable.table(plan.changes, whenEmpty: "nothing: \(nothing)")),
            .paragraph(summary),
            .notes(notes.map { .note($0) }),
        ]
        if let before {
            document.blocks += [
                .paragraph("The previous configuration is in \(before.path), with passwords. To restore it:"),
                .verbatim(before.command, language: "sh"),
            ]
        }
        return document
    }

    var csvTable: Table { PresetChangeTable.csv(plan.changes) }

    /// Why there is nothing to change.
    private var nothing: String {
        if plan.unchanged == 0 { return "the file has no entries" }
        return mode == "sync" ? "the profile matches the preset" : "the profile has all entries already"
    }

    /// `2 added, 1 changed, = 14 entries stay as they are`, or `2 to add, …` as long as nothing was done.
    private var summary: String {
        let words: [(action: PresetChange.Action, done: String, planned: String)] = [
            (.add, "added", "to add"), (.update, "changed", "to change"), (.restore, "restored", "to restore"),
            (.remove, "removed", "to remove"), (.softDelete, "soft-deleted", "to soft-delete"),
            (.conflict, "in conflict", "in conflict"),
        ]
        let parts = words.compactMap { word in
            let count = plan.changes.count { $0.action == word.action }
            return count == 0 ? nil : "\(count) \(isApplied ? word.done : word.planned)"
        }
        let stay = "= \(plan.unchanged) \(plan.unchanged == 1 ? "entry stays as it is" : "entries stay as they are")"
        return (parts + [stay]).joined(separator: ", ")
    }
}

/// Changes as rows.
enum PresetChangeTable {
    static func table(_ changes: [PresetChange], whenEmpty: String) -> Table {
        Table(
            [
                Column("", key: "action"), Column("Kind"), Column("Name", shrinking: .wrapped),
                Column("Address", shrinking: .middle), Column("Change", shrinking: .wrapped),
            ],
            rows: changes.map(\.cells), whenEmpty: whenEmpty)
    }

    static func csv(_ changes: [PresetChange]) -> Table {
        Table(
            ["action", "kind", "name", "address", "change", "channelsUsing", "reason"].map { Column($0, key: $0) },
            rows: changes.map { change in
                [
                    .text(change.action.rawValue), .text(change.kind.rawValue), .text(change.name),
                    .text(change.address), .text(change.fieldsText), .count(change.channelsUsing),
                    .text(change.reason),
                ]
            }, whenEmpty: "")
    }
}

extension PresetChange {
    fileprivate var sign: Cell {
        switch action {
        case .add: .text(reason == nil ? "+" : "+!", .good)
        case .update: "~"
        case .remove: .text("-", .bad)
        case .softDelete: "◌"
        case .restore: reason == nil ? "↺" : "↺!"
        case .conflict: .text("!", .bad)
        }
    }

    var cells: [Cell] {
        var parts = fields.isEmpty ? [] : [fieldsText]
        if let channelsUsing, channelsUsing > 0 {
            parts.append("used by \(channelsUsing) \(channelsUsing == 1 ? "channel" : "channels")")
        }
        if let reason { parts.append(reason) }
        return [sign, .text(kind.shown), .text(name), .text(address), .text(parts.joined(separator: ", "))]
    }

    /// `enabled: no → yes`, a clause for each field.
    var fieldsText: String {
        fields.map { field in
            let from = field.from == .none ? "" : "\(field.from.shown) → "
            return "\(field.name): \(from)\(field.to.shown)"
        }.joined(separator: ", ")
    }

    /// The change in JSON.
    var json: JSONValue {
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
        case .text(let text): text.isEmpty ? "none" : text
        case .texts(let texts): texts.isEmpty ? "none" : texts.joined(separator: ", ")
        case .secret: "(secret)"
        }
    }
}
