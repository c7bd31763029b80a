package import ChatDBKit

/// The differences between a profile or a file, and another one.
package struct PresetDiffReport: Report {
    package enum Side {
        case profile(User)
        case file(String)
    }

    package let from: Side
    package let other: String
    package let diff: PresetDiff

    package init(from: Side, other: String, diff: PresetDiff) {
        self.from = from
        self.other = other
        self.diff = diff
    }

    package var json: JSONValue {
        [
            "mode": "diff", "user": user?.reference ?? .null, "file": JSONValue(file), "with": .string(other),
            "changes": .array(diff.changes.map(\.json)), "unchanged": JSONValue(diff.unchanged),
            "notCompared": JSONValue(diff.notCompared.map(\.rawValue)),
            "entriesNotCompared": .object(
                PresetChange.Kind.allCases.compactMap { kind in
                    diff.entriesNotCompared[kind].map { JSONValue.Member(kind.rawValue, JSONValue($0)) }
                }), "applied": false,
        ]
    }

    package var document: Document {
        [
            .heading("From \(user?.name ?? file ?? "") to \(other)"),
            .table(
                PresetChange.listed().table(
                    diff.changes,
                    whenEmpty: diff.notCompared.isEmpty ? "no differences" : "no differences in what was compared")),
            .paragraph("\(diff.unchanged) \(diff.unchanged == 1 ? "entry is" : "entries are") the same"),
            .notes(notes.map { .note($0) }),
        ]
    }

    /// What is not compared, and why.
    private var notes: [String] {
        diff.notCompared.map { "\($0.plural) are not compared, because only one side has them" }
            + [entriesNotCompared].compactMap(\.self)
    }

    /// The numbers of operators' relays and servers that are not compared, a sentence; nil if there are none.
    private var entriesNotCompared: String? {
        let all = diff.entriesNotCompared.values.reduce(0, +)
        if all == 0 { return nil }
        let relays = diff.entriesNotCompared[.relay] ?? 0
        let counts = [(relays, "relay"), (all - relays, "server")].filter { $0.0 > 0 }
        let named = counts.map { "\($0) \($1)\($0 == 1 ? "" : "s")" }.joined(separator: " and ")
        return "\(named) of operators \(all == 1 ? "is" : "are") not compared, because only one side has operators"
    }

    package var csvTable: Table { PresetChange.reported.csv(diff.changes) }

    private var user: User? { if case .profile(let user) = from { user } else { nil } }

    private var file: String? { if case .file(let name) = from { name } else { nil } }
}

extension PresetChange.Kind {
    /// Several of the kind, in sentences.
    fileprivate var plural: String {
        switch self {
        case .operator: "operators"
        case .smpServer: "SMP servers"
        case .xftpServer: "XFTP servers"
        case .relay: "relays"
        }
    }
}
