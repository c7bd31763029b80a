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

    /// The way on without the relays or the members to which rows of channels refer: the steps of each channel. It is
    /// nil for another finding, and if only other rows are missing.
    ///
    /// - Parameter others: the remedy for the other rows.
    static func ofReferences(_ finding: Finding, besides others: Hint, in kind: FoundDatabase.Kind) -> Hint? {
        guard kind == .chatdb, finding.id == "chatDanglingReference" else { return nil }
        let (relays, members) = (lostRelays(finding), lostMembers(finding))
        let rows = (relays + members).sorted { ($0.groupID ?? 0, $0.row) < ($1.groupID ?? 0, $1.row) }
        if rows.isEmpty { return nil }
        let what = [
            relays.isEmpty ? nil : "Relays of channels are lost.",
            members.isEmpty ? nil : "Relays of channels have lost their members.",
        ].compactMap(\.self).joined(separator: " ")
        let again: Hint = relays.isEmpty ? "" : " \(known.naming(relays))"
        let lost: Hint = """
            \(what) Without a backup\
            \(members.isEmpty ? "" : ", and without another copy of the store"), follow the steps of each channel.\
            \(again) \(list.naming(rows)) shows the names of the channels.
            """
        let first: Hint = "\(others) \(lost)"
        return first.with(lines: ChannelSteps.lines(rows, details: details, steps: steps))
    }

    /// Whether ``ofReferences(_:besides:in:)`` has steps.
    ///
    /// - Parameter parent: the table of the missing rows; nil for any.
    static func hasSteps(_ finding: Finding, for parent: String? = nil, in kind: FoundDatabase.Kind) -> Bool {
        guard kind == .chatdb, finding.id == "chatDanglingReference" else { return false }
        switch parent {
        case "chat_relays": return !lostRelays(finding).isEmpty
        case "group_members": return !lostMembers(finding).isEmpty
        case nil: return !lostRelays(finding).isEmpty || !lostMembers(finding).isEmpty
        default: return false
        }
    }

    private static let list: Hint = .command(.groupList, "--user", "USER")

    private static let known: Hint = """
        If you know the address of a lost relay, first add the relay to the profile again: \
        \(.relayAdd, "ADDRESS", "--user", "USER").
        """

    /// The lost relays of a channel, and whether the channel has another one.
    private static func details(ofChannel rows: [FoundRow]) -> String {
        let relays = rows.filter { $0.missing == ["relay"] }
        let ids = relays.compactMap(\.lostRelayID).map { "id:\($0)" }.joined(separator: ", ")
        let words = ids.isEmpty ? "" : ", lost relay\(relays.count == 1 ? "" : "s") \(ids)"
        // After a lost member, the relay may be in the channel again.
        let isServed = rows.contains(where: \.hasUsableRelay)
        let other = isServed ? ", has \(relays.isEmpty ? "a" : "another") relay already" : ""
        return words + other
    }

    /// The steps for the rows of a channel.
    private static func steps(ofChannel rows: [FoundRow]) -> [Hint] {
        let relays = rows.filter { $0.missing == ["relay"] }
        let members = rows.filter { $0.missing != ["relay"] }
        var steps: [Hint] = []
        let isServed = rows.contains(where: \.hasUsableRelay)
        if !relays.isEmpty, !isServed { steps.append(ofLastRelays.naming(rows[0])) }
        for row in relays { steps.append(ofRelay.naming(row)) }
        for row in members { steps.append(ofMember.naming(row)) }
        // The first step has added a relay otherwise.
        if relays.isEmpty, !isServed { steps.append(ofMembers.naming(rows[0])) }
        return steps
    }

    /// The rows of relays that have lost their relays and not their members, in a finding of references. No command takes
    /// a relay out of a channel that is lost itself.
    private static func lostRelays(_ finding: Finding) -> [FoundRow] {
        let gone = Set(finding.rows.filter { $0.table == "groups" && $0.missing != ["name"] }.map(\.row))
        return finding.rows.filter { $0.missing == ["relay"] && $0.groupID.map(gone.contains) != true }
    }

    /// The rows of relays that have lost only their members, in a finding of references. If other rows lost the members
    /// too, as after a salvage, what is left of them may help to find them, and the list is empty. Lost names have a
    /// repair of their own.
    private static func lostMembers(_ finding: Finding) -> [FoundRow] {
        let references = finding.references.filter { $0.parent != "display_names" }
        guard references.allSatisfy({ $0.table == "group_relays" }) else { return [] }
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

    private static let ofLastRelays: Hint = """
        Add another relay to the channel: \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER"). \(RelayChoice.sentences) \
        Incomplete rows do not count.
        """

    private static let ofRelay: Hint = """
        Delete the row of the lost relay, which ends its membership: \
        \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER").
        """

    private static let ofMember: Hint = """
        Delete the row of the relay that has lost its member; the answer names the relay: \
        \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER").
        """

    private static let ofMembers: Hint = """
        Add that relay again, or another one: \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER").
        """
}
