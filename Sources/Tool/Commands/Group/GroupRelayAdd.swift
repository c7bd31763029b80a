import ArgumentParser
import ChatDBKit

struct GroupRelayAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a relay to a channel that the profile owns.",
        discussion: """
            The relay becomes a member of the channel with the status new. It is one of the profile's relays, enabled, \
            and not in the channel; a relay that is inactive or rejected there can be added again. If the channel \
            has lost its row of the relay, the membership of the old member ends, and soft-deleted relays without a \
            channel are removed. Does not take row:3, which names a row of a channel.

            Examples:
              chatdb group relay add news 'my relay'
              chatdb group relay add id:3 smp5.simplex.im --user alice --format json
            """)

    @Argument(help: "The channel, by name or id.")
    var group: String

    @Argument(help: "A relay of the profile, by name, address, unique host, or its id in chatdb relay list: id:3.")
    var relay: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).write { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                let channel = try GroupFinder.find(group, of: user, in: chat).group
                try ChannelRelayFinder.requireOwnChannel(channel)
                let chosen = try RelayFinder.find(relay, of: user, in: chat)
                let rows = try GroupRelaysRepo(chat).all(of: channel.id, of: user.id).latest
                let earlier = rows.first { $0.relay.id == chosen.id }
                let had = Set(rows.map(\.relay.id))
                let others = try ChatRelaysRepo(chat).choosable(of: user.id).filter { !had.contains($0.id) }
                let lost = try GroupRelaysRepo(chat).lostMembers(of: chosen, in: channel.id)
                let deleted = try deletedRelays(of: user, in: chat)
                // Other people see the ids of members: they come from the system's random numbers.
                var random = SystemRandomNumberGenerator()
                let added = try GroupRelaysWriter(chat).add(chosen.id, to: channel.id, of: user.id, using: &random)
                return GroupRelayReport(
                    user: user, group: try GroupsRepo(chat).get(channel.id, of: user.id), relay: added, before: nil,
                    replaced: earlier, others: others, ended: lost,
                    purged: deleted - (try deletedRelays(of: user, in: chat)), given: profile.repeated)
            }
        }
        try output.write(report)
    }

    /// The number of soft-deleted relays of the profile.
    private func deletedRelays(of user: User, in chat: any ReadTransaction) throws -> Int {
        try ChatRelaysRepo(chat).all(of: user.id, includingDeleted: true).count(where: \.isDeleted)
    }
}
