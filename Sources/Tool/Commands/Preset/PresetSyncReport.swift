import Repos
import Schema

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
            .paragraph("= \(plan.unchanged) \(plan.unchanged == 1 ? "entry stays" : "entries stay") as they are"),
            .notes(plan.notes.map { .note($0) }),
        ]
    }

    var csvTable: Table {
        Table(
            ["action", "kind", "name", "address", "change", "channelsUsing", "reason"].map { Column($0, key: $0) },
            rows: plan.changes.map { change in
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
        case .add: .text("+", .good)
        case .update: "~"
        case .remove: .text("-", .bad)
        case .softDelete: "◌"
        case .restore: "↺"
        case .conflict: .text("!", .bad)
        }
    }

    fileprivate var cells: [Cell] {
        var parts = fields.isEmpty ? [] : [fieldsText]
        if let channelsUsing, channelsUsing > 0 {
            parts.append("used by \(channelsUsing) \(channelsUsing == 1 ? "channel" : "channels")")
        }
        if let reason { parts.append(reason) }
        return [sign, .text(kind.shown), .text(name), .text(address), .text(parts.joined(separator: ", "))]
    }

    /// `enabled: no → yes`, a clause for each field.
    fileprivate var fieldsText: String {
        fields.map { field in
            let from = field.from == .none ? "" : "\(field.from.shown) → "
            return "\(field.name): \(from)\(field.to.shown)"
        }.joined(separator: ", ")
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
