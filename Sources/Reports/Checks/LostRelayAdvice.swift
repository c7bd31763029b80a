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
        let members = lostMembers(finding)
        let (served, others) = (relays.filter { $0.hasUsableRelay }, relays.filter { !$0.hasUsableRelay })
        let hints = [
            relays.isEmpty ? nil : ofRelays, others.isEmpty ? nil : ofLastRelays.naming(others),
            served.isEmpty ? nil : ofServed(served), members.isEmpty ? nil : ofMembers.naming(members),
        ].compactMap(\.self)
        return hints.isEmpty ? nil : hints.dropFirst().reduce(hints[0]) { "\($0) \($1)" }
    }

    /// The rows of relays that have lost only their members, in a finding of references. If other rows lost the members
    /// too, as after a salvage, what is left of them may help to find them, and the list is empty.
    private static func lostMembers(_ finding: Finding) -> [FoundRow] {
        guard finding.references.allSatisfy({ $0.table == "group_relays" }) else { return [] }
        return finding.rows.filter { $0.missing.contains("member") }
    }

    /// Whether the rows of a finding about members of relays are those for whose lost members `chatDanglingReference`
    /// has a remedy.
    static func isOfSameMembers(_ finding: Finding, among findings: [Finding]) -> Bool {
        guard finding.id == "groupRelayWithoutMember", finding.rows.count == finding.count,
            let lost = findings.first(where: { $0.id == "chatDanglingReference" })
        else { return false }
        return Set(finding.rows.map(\.row)).isSubset(of: lostMembers(lost).map(\.row))
    }

    private static let ofRelays: Hint = """
        Relays of channels are lost: \(.restore, "FOLDER") restores a backup from before the loss.
        """

    /// The way on for channels that have no other relay.
    private static let ofLastRelays: Hint = """
        Without one, \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") adds another relay to the channel: \
        \(RelayChoice.clause). Then \
        \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER") deletes the row of the lost relay, and ends its membership.
        """

    /// The way on for channels that have another relay.
    private static func ofServed(_ rows: [FoundRow]) -> Hint {
        let remove: Hint = """
            Without a backup, \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER") deletes the row of the lost relay, and \
            ends its membership.
            """
        let have = Set(rows.map(\.groupID)).count == 1 ? "The channel has" : "These channels have"
        return "\(remove.naming(rows)) \(have) another relay already."
    }

    private static let ofMembers: Hint = """
        Relays of channels have lost their members: \(.restore, "FOLDER") restores a backup from before the loss. \
        Without a backup, and without another copy of the store, \
        \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER") deletes the row, and names its relay. Then \
        \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER") adds that relay again, or another one.
        """
}
