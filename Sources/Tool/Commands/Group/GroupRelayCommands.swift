import ArgumentParser
import ChatDBKit

/// The relays of a channel, one step each.
struct GroupRelayCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relay", abstract: "Change the relays of a channel, in a store that you operate by hand.",
        discussion: """
            An app takes these steps while it exchanges messages with the relays. These commands send nothing: they \
            only record in the store what has happened. A relay goes forward only: new, invited, accepted, \
            acknowledged (which may be skipped), active. chatdb group relays lists the relays of a channel.

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

    @Argument(help: "The relay, by name, address, unique host, or the id that chatdb group relays lists.")
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
                let new = try take(GroupRelaysWriter(chat), old.groupRelay.id, user.id)
                return GroupRelayReport(
                    user: user, group: try GroupsRepo(chat).get(group.id, of: user.id), relay: new, before: old,
                    given: profile.repeated)
            }
        }
        try options.write(report)
    }
}

/// The new state of a relay of a channel.
struct GroupRelayReport: Report {
    let user: User
    let group: GroupSummary
    let relay: ChannelRelay
    /// The relay before the change; nil for one that was added.
    let before: ChannelRelay?
    /// The options for the next command.
    let given: GivenOptions
    /// Nil for a command without a dry run.
    var isApplied: Bool?

    var json: JSONValue {
        .object(
            [
                .init("user", user.reference), .init("group", group.json), .init("relay", relay.json),
                .init("from", JSONValue(before?.groupRelay.status.text)),
            ] + (isApplied.map { [.init("applied", .bool($0))] } ?? []))
    }

    var document: Document {
        let (name, channel) = (relay.relay.calledName, group.group.calledName)
        let was = before.map { " It was \($0.groupRelay.status.shownName.lowercased())." } ?? ""
        let status = relay.groupRelay.status.shownName.lowercased()
        let sentence =
            switch (before == nil, isApplied) {
            case (true, _): "The relay \(name) was added to the channel \(channel) of \(user.name)."
            case (_, nil): "The relay \(name) of the channel \(channel) is \(status).\(was)"
            case (_, true?): "The relay \(name) was taken out of the channel \(channel) of \(user.name).\(was)"
            case (_, false?): "The relay \(name) would be taken out of the channel \(channel) of \(user.name)."
            }
        let progress = " Active relays: \(group.progress.active) of \(group.progress.total)."
        return [
            .paragraph(sentence + (isApplied == false ? "" : progress)), .notes(next.map { [.note($0)] } ?? []),
        ]
    }

    /// The next step of the relay.
    private var next: String? {
        if isApplied != nil { return nil }
        let words = ["id:\(group.group.id)", "id:\(relay.groupRelay.id)"]
        let step: (CommandName, [String], String)? =
            switch relay.groupRelay.status {
            case .new: (.groupRelayInvite, [], "records that the owner has invited the relay")
            case .invited: (.groupRelayAccept, ["--link", "LINK"], "records that the relay has accepted")
            case .accepted, .acknowledgedRoster: (.groupRelayActivate, [], "records that it relays the channel")
            default: nil
            }
        return step.map { given.text("\(HintedCommand($0.0, words + $0.1)) \($0.2)") }
    }

    var csvTable: Table { ChannelRelayRow.fields.csv([ChannelRelayRow(relay)]) }
}
