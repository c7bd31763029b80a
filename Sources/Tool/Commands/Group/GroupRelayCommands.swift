import ArgumentParser
import ChatDBKit

/// The relays of a channel, one step each.
struct GroupRelayCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Change the relays of a channel, in a store that you operate by hand.",
        discussion: """
            An app takes these steps while it exchanges messages with the relays. These commands send nothing: they \
            only record in the store what has happened. A relay goes forward only: new, invited, accepted, \
            acknowledged (which may be skipped), active. chatdb group relays lists the relays of a channel. \
            row:3 is the row 3 of that list; add takes a relay of chatdb relay list, so id:3 is its id there.

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

    @Argument(help: "The relay, by name, address, unique host, or the row that chatdb group relays lists: row:3.")
    var relay: String

    @OptionGroup var profile: ProfileOptions

    /// Takes a step and writes the answer.
    func step(
        _ options: OutputOptions, _ take: (GroupRelaysWriter, GroupRelayID, UserID) throws -> ChannelRelay
    ) throws {
        let report = try StoreSession(profile.store, options.output()).write { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                let group = try GroupFinder.find(group, of: user, in: chat).group
                let old = try ChannelRelayFinder.find(relay, of: group, user, in: chat)
                let new: ChannelRelay
                do {
                    new = try take(GroupRelaysWriter(chat), old.groupRelay.id, user.id)
                } catch GroupsError.relayStepNotAllowed(let relay, to: let next) {
                    throw Self.refused(relay, of: group, to: next)
                }
                return GroupRelayReport(
                    user: user, group: try GroupsRepo(chat).get(group.id, of: user.id), relay: new, before: old,
                    given: profile.repeated)
            }
        }
        try options.write(report)
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
        let name = "the relay \"\(relay.relay.calledName)\" (row:\(relay.groupRelay.id))"
        let reason = relay.lacksLink(for: next) ? "its link for the channel is missing" : "the steps have an order"
        return HintedError(
            GroupsError.relayStepNotAllowed(relay, to: next),
            message: status == next
                ? "\(name) is \(status) in the channel \"\(group.calledName)\" already"
                : """
                \(name) cannot become \(next) in the channel "\(group.calledName)": it is \(status) there, and \(reason)
                """,
            hint: step.map { "\($0) is the next step" })
    }
}
