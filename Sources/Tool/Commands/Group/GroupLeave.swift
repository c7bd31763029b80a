import ArgumentParser
import ChatDBKit

struct GroupLeave: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave a group or channel and keep its messages.",
        discussion: """
            Asks for confirmation, because the profile stops receiving messages of the group. The history is \
            preserved. The only owner cannot leave. A profile that relays the channel stops, and refuses to relay it \
            again until an app allows it. This command only changes the store; the app informs the other members.

            Examples:
              chatdb group leave news
              chatdb group leave news --dry-run
              chatdb group leave id:3 --user alice --yes
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let session = try StoreSession(group.profile.store, output)
        let report = try ConfirmedChange(consent, output).run(
            read: { try session.readToWrite { store in try store.read { try planned(in: $0) } } },
            decide: { .ask(.init(text: $0.question)) },
            preview: { $0 },
            write: { planned in
                try session.write { store in try store.write { try leave(planned, in: $0) } }
            })
        try output.write(report)
    }

    private func planned(in chat: any ReadTransaction) throws -> GroupLeaveReport {
        let user = try group.profile.profile(in: chat)
        let found = try GroupFinder.find(group.group, of: user, by: .wholeName, in: chat)
        if let reason = try GroupMembersRepo(chat).reasonToStay(in: found.group) { throw reason }
        let relayed = try RelayedGroupsRepo(chat).find(found.group.id, of: user.id)
        return GroupLeaveReport(
            user: user, group: found, isRelay: relayed.map { $0.status != .rejected } ?? false, isApplied: false)
    }

    /// Leaves the group of the question. Another group may have its number by now.
    private func leave(_ planned: GroupLeaveReport, in chat: any WriteTransaction) throws -> GroupLeaveReport {
        let (id, user) = (planned.group.group.id, planned.user)
        let name = try GroupsRepo(chat).find(id, of: user.id)?.group.localDisplayName
        guard name == planned.group.group.localDisplayName else { throw PlanOutdated() }
        return GroupLeaveReport(user: user, group: try GroupsWriter(chat).leave(id, of: user.id), isApplied: true)
    }
}
