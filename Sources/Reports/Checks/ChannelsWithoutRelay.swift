import ChatDBKit

/// The remedies for channels without a relay. A channel that has relays as members has lost its rows of relays, and a
/// backup may have them.
enum ChannelsWithoutRelay {
    /// The remedy without the numbers of channels.
    static let general: Hint = """
        \(unread): add a relay in the app, or with \(add). \(LostRelayAdvice.lostRows) Without a backup, add the relays \
        with the names of these members.
        """

    /// The remedy for a finding. It is nil for another finding, and for one that does not name all channels.
    static func remedy(for finding: Finding, in location: StoreLocation) -> Hint? {
        guard finding.id == StoreWarning.Kind.channelsWithoutRelay.checkID, finding.rows.count == finding.count
        else { return nil }
        let lost = finding.rows.filter { !$0.lostMembers.isEmpty }
        let others = finding.rows.filter(\.lostMembers.isEmpty)
        var remedy: Hint = "\(unread)."
        if !others.isEmpty {
            remedy = """
                \(remedy) Add a relay to \(others.names) in the app, or with \(others.each(add)).\
                \(RelayChoice.ofChannels(others))
                """
        }
        if lost.isEmpty { return remedy }
        remedy = """
            \(remedy) The rows of relays of \(lost.names) are lost, and only the relays as members are left. \
            \(LostMemberSteps.backup(in: location, lost))
            """
        return remedy.with(lines: LostMemberSteps.lines(lost, needsRelay: true))
    }

    private static let unread: Hint = "Subscribers can neither read nor join such a channel"
    private static let add: Hint = "\(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER")"
}

/// Which relays may stand for RELAY in a command that adds a relay to a channel.
enum RelayChoice {
    /// The sentences, with a blank before each, for channels without a relay that serves them: which relay the commands
    /// name, and which may stand for RELAY in the others.
    static func ofChannels(_ rows: [FoundRow]) -> Hint {
        let named = rows.filter { $0.chatRelayID != nil }
        if named.isEmpty { return sentence(rows) }
        let first: Hint =
            named.count == 1
            ? " The named relay is an enabled one that the channel never had."
            : " Each named relay is an enabled one that its channel never had."
        return "\(first) \(others.naming(named))\(sentence(rows))"
    }

    /// A sentence with a blank before it, for the rows whose commands name no relay; empty if all name one.
    static func sentence(_ rows: [FoundRow]) -> Hint {
        let unnamed = rows.filter { $0.chatRelayID == nil }
        return unnamed.isEmpty ? "" : words.naming(unnamed)
    }

    /// The findings about rows of relays whose remedies add a relay to the channel of the row.
    private static let ids: Set<String> = [
        "groupRelayWithoutMember", "groupRelayOfOtherProfile", "acceptedRelayWithoutLink",
        "groupRelayWithoutConnection", "unknownRelayStatus",
    ]

    /// The remedy for one of these findings, with the sentence for the rows whose relay it does not name: the relay is
    /// disabled, soft-deleted or of another profile. Any other remedy is as it was.
    static func explained(in remedy: Hint, for finding: Finding) -> Hint {
        ids.contains(finding.id) ? "\(remedy)\(sentence(finding.rows))" : remedy
    }

    /// Sentences about the relays that may stand for RELAY.
    static let sentences: Hint = """
        RELAY is an enabled relay of \(.relayList, "--user", "USER") that the channel does not have yet. \
        \(.groupRelays, "GROUP", "--user", "USER") shows those that it has. If it has all of them, RELAY is one that is \
        Inactive or Rejected there.
        """

    /// The remedy for a profile without an enabled relay.
    static let forNone: Hint = """
        One of these is enough: \(.relayEnable, "RELAY", "--user", "USER") enables a relay of the profile, \
        \(.operatorEnable, "OPERATOR") an operator with its relays, and \
        \(.relayAdd, "ADDRESS", "--user", "USER") adds another relay. A channel that exists keeps its relays, whether \
        they are on or off.
        """

    /// Two steps: the relay leaves the channel, and it or another one takes its place.
    static let replacing: Hint = """
        Take the relay out of the channel in the app, or with \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER"). \
        Then add it again, or add another one, in the app or with \
        \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER").
        """

    private static let others: Hint = """
        \(.relayList, "--user", "USER") shows the relays; any other enabled one will do, also one that is Inactive or \
        Rejected in the channel.
        """

    private static let words: Hint = """
         \(sentences) \
        \(.relayEnable, "RELAY", "--user", "USER") enables another one.
        """
}
