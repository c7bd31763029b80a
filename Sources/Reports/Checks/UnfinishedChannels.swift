import ChatDBKit

/// The remedies for unfinished channels: each kind of channel needs another step.
struct UnfinishedChannels {
    private let rows: [FoundRow]
    /// Whether the finding has more channels than rows.
    private let isCut: Bool

    /// Nil for another finding, and for one that does not say which channels it is about.
    init?(_ finding: Finding, besides others: Set<Int64> = []) {
        guard finding.id == "unfinishedChannel", !finding.rows.isEmpty else { return nil }
        rows = finding.rows.filter { !others.contains($0.row) }
        isCut = finding.count > finding.rows.count
    }

    /// The remedy if some of the channels have lost the rows of their relays: another finding has the steps for these.
    /// It is nil if there are none, and for another finding.
    static func remedy(for finding: Finding, among findings: [Finding]) -> Hint? {
        let id = StoreWarning.Kind.channelsWithoutRelay.checkID
        let rows = findings.first { $0.id == id }?.rows ?? []
        let lost = Set(rows.filter { !$0.lostMembers.isEmpty }.map(\.row))
        guard let rest = UnfinishedChannels(finding, besides: lost) else { return nil }
        let concerned = finding.rows.filter { lost.contains($0.row) }
        if concerned.isEmpty { return nil }
        let first: Hint = "\(id) is about relays of \(concerned.names): first follow its remedy, and then check again."
        return rest.rows.isEmpty ? first : "\(first) The rest is about other channels. \(rest.remedy)"
    }

    /// The step that a channel needs, by what it lacks.
    private enum Step: CaseIterable {
        case finish
        case finishWithLink
        case addRelay

        init(for row: FoundRow) {
            self = row.missing.contains("relay") ? .addRelay : row.missing.contains("link") ? .finishWithLink : .finish
        }

        var command: HintedCommand {
            switch self {
            case .finish: HintedCommand(.groupFinish, ["GROUP", "--user", "USER"])
            case .finishWithLink: HintedCommand(.groupFinish, ["GROUP", "--link", "LINK", "--user", "USER"])
            case .addRelay: HintedCommand(.groupRelayAdd, ["GROUP", "RELAY", "--user", "USER"])
            }
        }

        /// What the command does.
        var act: String { self == .addRelay ? "adds a relay to" : "completes" }

        /// What one channel lacks.
        var reason: String {
            switch self {
            case .finish: "has relays and a link"
            case .finishWithLink: "lacks only a link"
            case .addRelay: "has no relay"
            }
        }

        /// What several channels lack.
        var reasons: String {
            switch self {
            case .finish: "have relays and a link"
            case .finishWithLink: "lack only a link"
            case .addRelay: "have no relay"
            }
        }
    }

    /// The remedy without the numbers of channels.
    static let general = joined(
        Step.allCases.flatMap { step -> [Hint] in
            let own: Hint = "\(step.command) \(step.act) a channel that \(step.reason)."
            return step == .addRelay ? [LostRelayAdvice.beforeDeletion, own] : [own]
        } + ["\(cancel) deletes a channel instead."])

    /// The steps of the channels of the finding.
    var remedy: Hint {
        let kinds = Step.allCases.map { step in (step: step, rows: rows.filter { Step(for: $0) == step }) }
            .filter { !$0.rows.isEmpty }
        let withoutRelay = kinds.filter { $0.step == .addRelay }.flatMap(\.rows)
        // Before the deletion: a person may follow the first advice, and a backup may have the whole channel.
        return Self.joined(
            (withoutRelay.isEmpty ? [] : [naming(withoutRelay, LostRelayAdvice.beforeDeletion)])
                + kinds.map { named($0.rows, $0.step) }
                + [naming(rows, "\(Self.cancel) deletes \(instead) instead.")])
    }

    private static let cancel = HintedCommand(.groupCancel, ["GROUP", "--user", "USER"])

    private var instead: String { rows.count == 1 && !isCut ? "it" : "one of them" }

    /// The step for channels of one kind, with their numbers.
    private func named(_ rows: [FoundRow], _ step: Step) -> Hint {
        if rows.count == 1, !isCut {
            return naming(rows, "\(step.command) \(step.act) \(rows[0].name), which \(step.reason).")
        }
        return "\(step.command) \(step.act) each of \(listed(rows)), which \(step.reasons)."
    }

    /// The hint with the numbers of the channel, if there is one only.
    private func naming(_ rows: [FoundRow], _ hint: Hint) -> Hint {
        rows.count == 1 && !isCut ? hint.naming(rows[0]) : hint
    }

    /// The channels as commands take them: `groups id:1, id:2 and id:5`. Of many, the first ten.
    private func listed(_ rows: [FoundRow]) -> String {
        let numbers = rows.prefix(FoundRows.mostShown).map { "id:\($0.row)" }
        if isCut || numbers.count < rows.count { return "groups \(numbers.joined(separator: ", ")), …" }
        return "groups \(numbers.dropLast().joined(separator: ", ")) and \(numbers.last ?? "")"
    }

    private static func joined(_ hints: [Hint]) -> Hint {
        Hint(hints.enumerated().flatMap { place, hint in (place == 0 ? [] : [.text(" ")]) + hint.parts })
    }
}
