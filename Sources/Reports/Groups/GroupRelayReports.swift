package import ChatDBKit

/// The relays of a channel; in JSON the same document as that of `group show`.
package struct GroupRelaysReport: Report {
    package let show: GroupShowReport

    package init(show: GroupShowReport) {
        self.show = show
    }

    package var json: JSONValue { show.json }

    package var document: Document {
        let (info, group) = (show.info, show.info.summary.group)
        var blocks: [Block] = [
            .heading(
                "Relays of \(group.calledName)"
                    + (info.summary.progressClause.map { ": \($0)\(show.unreachedClause)\(removed)" } ?? "")),
            .table(
                ChannelRelayRow.table(
                    show.relays,
                    whenEmpty: group.isChannel
                        ? "no relays known" : "\(group.calledName) is a group, and has no relays")),
        ]
        blocks += show.lostConnectionNotes
        blocks += show.incompleteRows
        blocks += show.membersOnly
        return Document(blocks)
    }

    /// How many of the listed relays were removed, a clause: they do not count among those of the channel.
    private var removed: String {
        let count = show.relays.count(where: \.isRemoved)
        return count == 0 ? "" : ", \(count) removed"
    }

    package var csvTable: Table {
        ChannelRelayRow.csvTable(show.relays + ChannelRelayRow.incompleteRows(of: show.info))
    }
}

/// The new state of a relay of a channel.
package struct GroupRelayReport: Report {
    package let user: User
    package let group: GroupSummary
    package let relay: ChannelRelay
    /// The relay before the change; nil for one that was added.
    package let before: ChannelRelay?
    /// The earlier row of a relay that was added again, which no longer counts; nil for any other change.
    private let replaced: ChannelRelay?
    /// For such a relay, the relays that the channel could get instead, and never had.
    private let others: [ChatRelay]
    /// The members that were the added relay before, whose rows were lost, and whose memberships have ended.
    private let ended: [GroupMember]
    /// The number of soft-deleted relays that were removed, because no channel referred to them any longer.
    private let purged: Int
    /// Whether the profile has connections, and none with this relay, which was asked.
    private let lacksConnection: Bool
    /// The options for the next command.
    package let given: GivenOptions
    /// Nil for a command without a dry run.
    package var isApplied: Bool?
    /// What a removal would do to the channel, a sentence with a blank before it; empty for any other change.
    var plannedSentence = ""
    /// What a removal has done to the channel; empty for any other change.
    var madeNotes: [Note] = []

    package init(
        user: User, group: GroupSummary, relay: ChannelRelay, before: ChannelRelay?,
        replaced: ChannelRelay? = nil, others: [ChatRelay] = [], ended: [GroupMember] = [], purged: Int = 0,
        lacksConnection: Bool = false, given: GivenOptions, isApplied: Bool? = nil
    ) {
        self.user = user
        self.group = group
        self.relay = relay
        self.before = before
        self.replaced = replaced
        self.others = others
        self.ended = ended
        self.purged = purged
        self.lacksConnection = lacksConnection
        self.given = given
        self.isApplied = isApplied
    }

    package var json: JSONValue {
        .object(
            [
                .init("user", user.reference), .init("group", group.json), .init("relay", relay.json),
                .init("from", JSONValue(before?.groupRelay.status.text)),
            ] + (isApplied.map { [.init("applied", .bool($0))] } ?? []))
    }

    package var document: Document {
        let (name, channel) = (relay.relay.calledName, group.group.calledName)
        let was =
            before.map { old in
                let (old, new) = (old.groupRelay, relay.groupRelay)
                return old.status == new.status && old.relayLink != new.relayLink
                    ? " Its link was added." : " It was \(old.status.shownWord)."
            } ?? ""
        let status = relay.groupRelay.status.shownWord
        let sentence =
            switch (before == nil, isApplied) {
            case (true, _): "The relay \(name) was added to the channel \(channel) of \(user.name)\(again)"
            case (_, nil): "The relay \(name) of the channel \(channel) is \(status).\(was)"
            case (_, true?): "The relay \(name) was taken out of the channel \(channel) of \(user.name).\(was)"
            case (_, false?): "The relay \(name) would be taken out of the channel \(channel) of \(user.name)."
            }
        let progress = group.progressText.map { " Active relays: \($0)." } ?? ""
        let notes = connectionNotes + (next.map { [Note.note($0)] } ?? madeNotes) + otherNotes
        return [.paragraph(sentence + (isApplied == false ? plannedSentence : progress)), .notes(notes)]
    }

    /// That the channel had the relay before, and that its earlier row or member no longer counts.
    private var again: String {
        if !ended.isEmpty {
            let numbers = ended.map { "\($0.id)" }.joined(separator: ", ")
            let memberships =
                ended.count == 1
                ? "The membership of its member \(numbers), whose row was lost, has ended."
                : "The memberships of its members \(numbers), whose rows were lost, have ended."
            return " again. \(memberships)\(GroupRelayRemovalReport.sentence(ofPurged: purged))"
        }
        guard let old = replaced?.groupRelay else { return "." }
        return " again. Its row \(old.id) (\(old.status.shownName)) no longer counts."
    }

    /// The relays that the channel could get instead of one that left or refused it, or was removed.
    private var otherNotes: [Note] {
        guard let old = replaced?.groupRelay, !others.isEmpty else { return [] }
        let names = others.prefix(3).map { "id:\($0.id) (\($0.calledName))" }.joined(separator: ", ")
        let past =
            old.status == .rejected
            ? "had refused the channel"
            : replaced?.memberStatus == .removed ? "was removed from the channel" : "had left the channel"
        let never = others.count == 1 ? "another enabled relay was" : "other enabled relays were"
        let more = others.count > 3 ? ", …" : ""
        return [.note("the relay \(past) before; \(never) never in it: \(names)\(more)")]
    }

    /// That the step is only a word in the store. A store without an app has no connection, and needs no such note.
    private var connectionNotes: [Note] {
        guard lacksConnection else { return [] }
        return [
            .note(
                """
                the profile has connections, but none with this relay: the command sent nothing, and only recorded the \
                status. If an app uses the store, the channel does not reach the relay
                """)
        ]
    }

    /// The next step of the relay.
    private var next: String? {
        if isApplied != nil { return nil }
        let words = ["id:\(group.group.id)", "row:\(relay.groupRelay.id)"]
        let step: Hint? =
            switch relay.groupRelay.status {
            case .new:
                """
                an app that uses the store invites the relay when it runs, and no command is needed; \
                for a program without an app, \(HintedCommand(.groupRelayInvite, words)) records that the owner has \
                invited the relay
                """
            case .invited:
                """
                \(HintedCommand(.groupRelayAccept, words + ["--link", "LINK"])) records that the relay has accepted; \
                run it when the relay has sent its link for the channel
                """
            case .accepted, .acknowledgedRoster:
                "\(HintedCommand(.groupRelayActivate, words)) records that it relays the channel"
            default: nil
            }
        return step.map { given.text($0) }
    }

    package var csvTable: Table { ChannelRelayRow.fields.csv([ChannelRelayRow(relay)]) }
}
