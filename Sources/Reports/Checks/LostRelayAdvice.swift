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

    /// The step for unfinished channels that have only incomplete rows of relays. A loss may be the reason, so it names no
    /// deletion.
    static let ofIncompleteRows: Hint = """
        the rows of the relays are incomplete, and a channel without a relay cannot be completed; \(.check) shows what to \
        do first
        """

    /// The way on without the relays or the members to which rows of channels refer. It is nil for another finding, and
    /// if only other rows are missing.
    static func ofReferences(_ finding: Finding, in kind: FoundDatabase.Kind) -> Hint? {
        guard kind == .chatdb, finding.id == "chatDanglingReference" else { return nil }
        let relays = finding.rows.filter { $0.missing == ["relay"] }
        // If members have lost more, as after a salvage, what is left of them may help to find them.
        let isOfRowsOnly = finding.references.allSatisfy { $0.table == "group_relays" }
        let members = isOfRowsOnly ? finding.rows.filter { $0.missing.contains("member") } : []
        let hints = [
            relays.isEmpty ? nil : ofRelays.naming(relays), members.isEmpty ? nil : ofMembers.naming(members),
        ].compactMap(\.self)
        return hints.isEmpty ? nil : hints.dropFirst().reduce(hints[0]) { "\($0) \($1)" }
    }

    private static let ofRelays: Hint = """
        Relays of channels are lost: \(.restore, "FOLDER") restores a backup from before the loss. Without one, \
        \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") adds another relay to the channel, one that \
        \(.relayList, "--user", "USER") shows. Then \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER") deletes the \
        row of the lost relay, and ends its membership.
        """

    private static let ofMembers: Hint = """
        Relays of channels have lost their members: \(.restore, "FOLDER") restores a backup from before the loss. \
        Without a backup, and without another copy of the store, \
        \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER") deletes the row, and names its relay. Then \
        \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") adds that relay again, or another one.
        """
}
