import ArgumentParser
import ChatDBKit

struct GroupSetLink: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-link", abstract: "Set the link that a group or channel of the profile publishes.",
        discussion: """
            Only an owner sets the link, and no other group of the profile may have it. chatdb asks for confirmation \
            before it replaces another link, or with --no-link leaves the group without one: people who have the old \
            link may no longer find the group. --no-link also removes the key of a lost link. This command only changes \
            the store.

            Examples:
              chatdb group set-link news 'https://h.example/c#…'
              chatdb group set-link news 'https://h.example/c#…' --dry-run
              chatdb group set-link id:3 --no-link --user alice --yes
            """)

    @Argument(help: "The group or channel, by name or id.")
    var group: String

    @Argument(help: "The link. Quote it, because it contains #.")
    var link: String?

    @Flag(help: "Leave the group without a link.")
    var noLink = false

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (link != nil) == noLink { throw ValidationError("specify either a link or --no-link") }
    }

    func run() throws {
        let output = try output.output()
        let report = try StoreSession(profile.store, output).confirm(
            consent, output, plan: { try planned(in: $0) }, question: { $0.question.map { .init(text: $0) } },
            make: { planned, chat in
                let (user, old) = (planned.user, planned.group)
                guard try GroupsRepo(chat).find(old.group.id, of: user.id) == old,
                    try GroupsRepo(chat).linkKey(of: old.group.id) == planned.formerKey
                else { throw PlanOutdated() }
                let new = planned.isChanged ? try set(old.group.id, of: user, in: chat) : old
                return GroupLinkReport(
                    user: user, group: new, link: new.group.link, from: old.group.link, formerKey: planned.formerKey,
                    isApplied: true)
            })
        try output.write(report)
    }

    private func set(_ id: GroupID, of user: User, in chat: any WriteTransaction) throws -> GroupSummary {
        try GroupsWriter(chat).setLink(id, to: link, of: user.id)
    }

    private func planned(in chat: any ReadTransaction) throws -> GroupLinkReport {
        let user = try profile.profile(in: chat)
        let found = try GroupFinder.find(group, of: user, in: chat)
        try ChannelRelayFinder.requireOwner(of: found.group)
        if let link { try GroupsRepo(chat).requirePublishable(link, for: found.group) }
        return GroupLinkReport(
            user: user, group: found, link: try link.map { try GroupLinkArgument.parse($0).text },
            from: found.group.link, formerKey: try GroupsRepo(chat).linkKey(of: found.group.id), isApplied: false)
    }
}
