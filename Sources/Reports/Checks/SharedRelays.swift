import ChatDBKit

/// The order of findings about the same relays of channels. The remedy of the first takes a relay out of its channel, so
/// that the commands of the others would find no relay, or take out the one that was added instead.
enum SharedRelays {
    /// The findings whose remedies take relays out of channels, the first cause first.
    private static let causes = [
        "groupRelayOfOtherProfile", "groupRelayWithoutMember", "connectionWithoutAgent", "connectionDeletedOnOneSide",
        "disabledQueue", "groupRelayWithoutConnection", "unknownRelayStatus", "acceptedRelayWithoutLink",
    ]

    /// The remedy for a finding whose relays, or the relays of whose channels, an earlier finding has. It is nil if none
    /// has.
    static func remedy(for finding: Finding, among findings: [Finding]) -> Hint? {
        let isOfChannels = finding.id == StoreWarning.Kind.channelsWithoutActiveRelay.checkID
        guard isOfChannels || causes.contains(finding.id) else { return nil }
        if isOfChannels { return remedy(ofChannels: finding, among: findings) }
        let relays = Self.relays(of: finding)
        let cause = causes.prefix { $0 != finding.id }.first { id in
            findings.contains { $0.id == id && !relays.isDisjoint(with: Self.relays(of: $0)) }
        }
        return cause.map { first([($0, "the same relays")]) }
    }

    /// The remedy for channels without an active relay. It refers each channel to the first finding about one of its
    /// relays, and has the remedy of its own for the channels without such a finding.
    private static func remedy(ofChannels finding: Finding, among findings: [Finding]) -> Hint? {
        // After a loss, the remedies of the others say to wait. Another relay can be added to the channel meanwhile.
        // A loss without steps would be a dead end.
        let losses = findings.filter { LostRelayAdvice.hasSteps($0, in: .chatdb) }.map(\.id)
        let earlier = losses + (LossCautions.sign(in: findings) == nil ? Self.causes : [])
        var rest = finding.rows
        var causes: [(id: String, subject: String)] = []
        for id in earlier {
            let rows = findings.filter { $0.id == id }.flatMap(\.rows)
            let channels = Set(rows.compactMap { relay(of: $0) == nil ? nil : $0.groupID })
            let concerned = rest.filter { $0.groupID.map(channels.contains) == true }
            if concerned.isEmpty { continue }
            if concerned.count == finding.count { return first([(id, "relays of the same channels")]) }
            rest.removeAll { $0.groupID.map(channels.contains) == true }
            causes.append((id, "relays of \(names(of: concerned))"))
        }
        if causes.isEmpty { return nil }
        // A finding has the numbers of its first rows only.
        let isListed = finding.rows.count == finding.count
        if rest.isEmpty, isListed { return first(causes) }
        let own = Remedies.remedy(for: finding.id, in: .chatdb) ?? ""
        let others = isListed ? names(of: rest) : "the other channels"
        return "\(first(causes)) The rest is about \(others). \(isListed ? SilentChannels.remedy(for: rest) : own)"
    }

    /// The advice to follow the remedies of other findings first, once for all of them.
    private static func first(_ causes: [(id: String, subject: String)]) -> Hint {
        let subjects = causes.map { "\($0.id) is about \($0.subject)" }.joined(separator: ", ")
        let remedies = causes.count == 1 ? "its remedy" : "their remedies in this order"
        return "\(subjects): first follow \(remedies), and then check again."
    }

    /// The names of channels, as the examples of the finding have them.
    private static func names(of rows: [FoundRow]) -> String {
        let most = 5
        let names = rows.prefix(most).map(\.name).joined(separator: ", ")
        return rows.count > most ? "\(names) and \(rows.count - most) more" : names
    }

    /// The rows of the relays that a finding is about.
    private static func relays(of finding: Finding) -> Set<Int64> { Set(finding.rows.compactMap(relay)) }

    private static func relay(of row: FoundRow) -> Int64? {
        if let own = row.ownRelay { return own.hasEnded ? nil : own.row }
        return row.table == "group_relays" ? row.row : nil
    }
}
