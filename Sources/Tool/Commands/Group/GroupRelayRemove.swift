import ArgumentParser
import ChatDBKit

struct GroupRelayRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a relay out of a channel: it is inactive there, and no longer a member.",
        discussion: """
            Asks for confirmation, because the step cannot be taken back: chatdb group relay add adds the relay again, \
            as a new member. The rows of the relay and of its membership stay. This command only changes the store; \
            the app informs the relay. The profile keeps the relay for other channels.

            Examples:
              chatdb group relay remove news 'my relay'
              chatdb group relay remove news 'my relay' --dry-run
              chatdb group relay remove id:3 relay.example.org -u alice --yes
            """)

    @OptionGroup var named: GroupRelayArgument
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let report = try StoreSession(named.profile.store, output).confirm(
            consent, output, plan: { try planned(in: $0) },
            question: { planned in
                let (group, isActive) = (planned.group, planned.relay.groupRelay.status == .active)
                let left = group.progress.active - (isActive ? 1 : 0)
                let stay = left == 1 ? "1 of its relays stays active." : "\(left) of its relays stay active."
                return .init(
                    text: "Take the relay \(planned.relay.relay.calledName) out of the channel "
                        + "\(group.group.calledName) of \(planned.user.name)? "
                        + (left == 0 ? "No relay of the channel is active then." : stay)
                )
            },
            make: { planned, chat in
                let (user, old) = (planned.user, planned.relay)
                guard try GroupRelaysRepo(chat).find(old.groupRelay.id, of: user.id) == old else {
                    throw PlanOutdated()
                }
                _ = try GroupMembersWriter(chat).remove(old.groupRelay.memberID, of: user.id)
                return GroupRelayReport(
                    user: user, group: try GroupsRepo(chat).get(planned.group.group.id, of: user.id),
                    relay: try GroupRelaysRepo(chat).get(old.groupRelay.id, of: user.id), before: old,
                    given: planned.given, isApplied: true)
            })
        try output.write(report)
    }

    private func planned(in chat: any ReadTransaction) throws -> GroupRelayReport {
        let user = try named.profile.profile(in: chat)
        let group = try GroupFinder.find(named.group, of: user, by: .wholeName, in: chat)
        let relay = try ChannelRelayFinder.find(named.relay, of: group.group, user, by: .wholeName, in: chat)
        let member = try GroupMembersRepo(chat).get(relay.groupRelay.memberID, of: user.id)
        if member.status.isHistory { throw GroupsError.memberGone(member) }
        return GroupRelayReport(
            user: user, group: group, relay: relay, before: relay, given: named.profile.repeated, isApplied: false)
    }
}
