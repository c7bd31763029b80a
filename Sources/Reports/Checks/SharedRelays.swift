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
        // After a loss, the remedies of the others say to wait. Another relay can be added to the channel meanwhile.
        let ofChannels = ["chatDanglingReference"] + (LossCautions.sign(in: findings) == nil ? causes : [])
        let earlier = isOfChannels ? ofChannels : Array(causes.prefix { $0 != finding.id })
        let (channels, relays) = (Set(finding.rows.compactMap(\.groupID)), Self.relays(of: finding))
        let cause = earlier.first { id in
            findings.contains { other in
                guard other.id == id else { return false }
                if !isOfChannels { return !relays.isDisjoint(with: Self.relays(of: other)) }
                return other.rows.contains { relay(of: $0) != nil && $0.groupID.map(channels.contains) == true }
            }
        }
        let subject = isOfChannels ? "relays of the same channels" : "the same relays"
        return cause.map { "\($0) is about \(subject): first follow its remedy, and then check again." }
    }

    /// The rows of the relays that a finding is about.
    private static func relays(of finding: Finding) -> Set<Int64> { Set(finding.rows.compactMap(relay)) }

    private static func relay(of row: FoundRow) -> Int64? {
        if let own = row.ownRelay { return own.hasEnded ? nil : own.row }
        return row.table == "group_relays" ? row.row : nil
    }
}
