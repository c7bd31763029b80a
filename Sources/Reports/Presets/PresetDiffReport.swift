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
            "notCompared": JSONValue(diff.notCompared.map(\.rawValue)), "applied": false,
        ]
    }

    package var document: Document {
        [
            .heading("From \(user?.name ?? file ?? "") to \(other)"),
            .table(PresetChange.listed.table(diff.changes, whenEmpty: "no differences")),
            .paragraph("\(diff.unchanged) \(diff.unchanged == 1 ? "entry is" : "entries are") the same"),
            .notes(diff.notCompared.map { .note("\($0.plural) are not compared, because only one side has them") }),
        ]
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
