import ArgumentParser
import ChatDBKit

/// The relays of a channel, one step each.
struct GroupRelayCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Change the relays of a channel, in a store that you operate by hand.",
        discussion: """
            An app takes these steps while it exchanges messages with the relays. These commands send nothing: they \
            only record in the store what has happened. A relay goes forward only: new, connecting, accepted, \
            acknowledged (which may be skipped), active. chatdb group relays lists the relays of a channel. \
            row:3 is the row 3 of that list, and id:3 is the relay with the id 3 in chatdb relay list. A number \
            without a prefix may be either; it is refused if the two differ.

            Examples:
              chatdb group relay add news 'my relay'
              chatdb group relay invite news 'my relay'
              chatdb group relay accept news 'my relay' --link 'https://h.example/c#…'
              chatdb group relay activate news 'my relay'
            """,
        subcommands: [
            GroupRelayAdd.self, GroupRelayInvite.self, GroupRelayAccept.self, GroupRelayAcknowledge.self,
            GroupRelayActivate.self, GroupRelayReject.self, GroupRelayDeactivate.self, GroupRelayRemove.self,
        ])
}

/// A channel and one of its relays.
struct GroupRelayArgument: ParsableArguments {
    @Argument(help: "The channel, by name or id.")
    var group: String

    @Argument(
        help: """
            The relay, by name, address, unique host, its id in chatdb relay list (id:3), or its row in chatdb group \
            relays (row:3).
            """)
    var relay: String

    @OptionGroup var profile: ProfileOptions

    /// Takes a step and writes the answer.
    func step(
        _ options: OutputOptions, to next: RelayStatus,
        _ take: (GroupRelaysWriter, GroupRelayID, UserID) throws -> ChannelRelay
    ) throws {
        let report = try StoreSession(profile.store, options.output()).write { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                let group = try GroupFinder.find(group, of: user, in: chat).group
                let old = try ChannelRelayFinder.find(relay, of: group, user, in: chat)
                if let outdated = try OldRelayRow(old, of: user.id, in: chat) {
                    throw Self.refused(outdated, of: group, to: next)
                }
                let new: ChannelRelay
                do {
                    new = try take(GroupRelaysWriter(chat), old.groupRelay.id, user.id)
                } catch GroupsError.relayStepNotAllowed(let relay, to: let next) {
                    throw Self.refused(relay, of: group, to: next)
                }
                let lost = try? chat.attempt { () throws(StoreError) in
                    try LostRelayConnections(of: group.id, of: user, chat: chat, agent: nil)
                }
                return GroupRelayReport(
                    user: user, group: try GroupsRepo(chat).get(group.id, of: user.id), relay: new, before: old,
                    lacksConnection: lost?.databases[new.groupRelay.memberID] != nil, given: profile.repeated)
            }
        }
        try options.write(report)
    }

    /// The refusal of a step of an old row, which would change nothing for the channel.
    private static func refused(_ old: OldRelayRow, of group: Group, to next: RelayStatus) -> HintedError {
        HintedError(
            GroupsError.relayStepNotAllowed(old.row, to: next),
            message: """
                row:\(old.row.groupRelay.id) is an old row of the relay "\(old.row.relay.calledName)" in the channel \
                "\(group.calledName)", and takes no step; \(old.newerClause)
                """,
            hint: .command(.groupRelays, "id:\(group.id)"))
    }

    /// The refusal of a step, with the name of the channel and the step that is next.
    private static func refused(_ relay: ChannelRelay, of group: Group, to next: RelayStatus) -> HintedError {
        let words = ["id:\(group.id)", "row:\(relay.groupRelay.id)"]
        let status = relay.groupRelay.status
        let step: HintedCommand? =
            switch status {
            case .new: HintedCommand(.groupRelayInvite, words)
            case .invited: HintedCommand(.groupRelayAccept, words + ["--link", "LINK"])
            case _ where relay.lacksLink(for: next): HintedCommand(.groupRelayAccept, words + ["--link", "LINK"])
            case .accepted, .acknowledgedRoster: HintedCommand(.groupRelayActivate, words)
            default: nil
            }
        // A relay that left or refused the channel, or was removed, takes no step any more.
        let isChoosable = relay.relay.isChoosable(isOperatorOff: relay.isOperatorOff)
        let same = isChoosable ? "; with id:\(relay.relay.id), it adds this one again, as a new member" : ""
        let again: Hint? =
            status.isCurrent || status == next
            ? nil : "\(.groupRelayAdd, "id:\(group.id)", "RELAY") adds another relay to the channel\(same)"
        let name = "the relay \"\(relay.relay.calledName)\" (row:\(relay.groupRelay.id))"
        let reason =
            relay.lacksLink(for: next)
            ? "its link for the channel is missing"
            : status.isCurrent ? "the steps have an order" : "takes no step any more"
        return HintedError(
            GroupsError.relayStepNotAllowed(relay, to: next),
            message: status == next
                ? "\(name) is \(status.shownWord) in the channel \"\(group.calledName)\" already"
                : """
                \(name) cannot become \(next.shownWord) in the channel "\(group.calledName)": it is \
                \(status.shownWord) there, and \(reason)
                """,
            hint: step.map { "\($0) is the next step" } ?? again)
    }
}
