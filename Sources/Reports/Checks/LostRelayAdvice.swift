import ChatDBKit

/// The advice about channels that may have lost their relays, for the findings of a check and for lists of groups.
enum LostRelayAdvice {
    /// How to see that a channel without a relay lost the rows of its relays, and what to do then.
    static let lostRows: Hint = """
        If \(.groupMembers, "GROUP", "--user", "USER") shows members with the role relay, the channel has lost its rows \
        of relays: \(.restore, "FOLDER") restores a backup from before the loss.
        """

    /// The same before a deletion of channels that have no relay.
    static let beforeDeletion: Hint = "\(lostRows) Do not delete it in that case."

    /// The step for unfinished channels without a relay in lists and in the answer about one channel.
    ///
    /// - Parameters:
    ///   - channel: the channel, for a command.
    ///   - cancel: what deletes such a channel.
    static func inList(_ channel: String = "GROUP", orElse cancel: Hint) -> Hint {
        """
        a channel without a relay cannot be completed; if \(.groupMembers, channel) shows members with the role relay, \
        it has lost its rows of relays, and \(.restore, "FOLDER") restores a backup from before the loss; if not, \
        \(.groupRelayAdd, channel, "RELAY") adds a relay, or \(cancel)
        """
    }

    /// The way on without the relays to which rows of channels refer. It is nil for another finding, and if other rows
    /// are missing only.
    static func ofReferences(_ finding: Finding, in kind: FoundDatabase.Kind) -> Hint? {
        guard kind == .chatdb, finding.id == "chatDanglingReference",
            finding.sample.contains(where: { $0.description.hasSuffix("chat_relay_id in chat_relays") })
        else { return nil }
        return """
            Relays of channels are lost: \(.restore, "FOLDER") restores a backup from before the loss. Without one, \
            \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") adds another relay to the channel. Then \
            \(.groupRelays, "GROUP", "--user", "USER") shows the id of the row that lacks its relay, \
            and \(.groupRelayRemove, "GROUP", "RELAY", "--user", "USER") with that id deletes the row and ends the \
            membership of the lost relay.
            """
    }
}
