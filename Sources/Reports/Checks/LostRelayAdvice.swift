import ChatDBKit

/// The advice about channels that may have lost their relays. A channel without rows of relays looks like one that never
/// had any, but its deletion would remove what the loss has left. So the advice comes before a command that deletes.
enum LostRelayAdvice {
    /// How to see that a channel lost its rows of relays, and what to do then: a clause that begins with "if".
    /// - Parameter channel: the arguments that name the channel and its profile.
    static func ofRows(_ channel: [String]) -> Hint {
        """
        if \(HintedCommand(.groupMembers, channel)) shows members with the role relay, the channel has lost its rows of \
        relays: do not delete it, and restore a backup from before the loss with \(.restore, "FOLDER")
        """
    }

    /// The same as a sentence, about the channel of a finding.
    static let sentence: Hint = capitalized(ofRows(["GROUP", "--user", "USER"]))

    /// The way to add a relay again that a profile has lost, for a finding about references to missing rows. It is nil
    /// for any other finding, and if no row of a channel refers to a lost relay.
    static func remedy(for finding: Finding) -> Hint? {
        let isOfRelays = finding.sample.contains { $0.description.hasSuffix(" in chat_relays") }
        guard finding.id == "chatDanglingReference", isOfRelays else { return nil }
        return """
            Without a backup, \(.groupRelays, "GROUP", "--user", "USER") shows the relay that a channel has lost, \
            \(.relayAdd, "ADDRESS", "--name", "NAME", "--user", "USER") adds it to the profile again, and \
            \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") to the channel, as a new member.
            """
    }

    private static func capitalized(_ clause: Hint) -> Hint {
        guard case .text(let first)? = clause.parts.first else { return clause }
        let text = first.prefix(1).uppercased() + first.dropFirst()
        return "\(Hint([.text(text)] + clause.parts.dropFirst()))."
    }
}
