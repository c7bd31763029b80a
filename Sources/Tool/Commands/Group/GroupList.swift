import ArgumentParser
import ChatDBKit

struct GroupList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the groups and channels of a profile, newest chat first.",
        discussion: """
            Examples:
              chatdb group list
              chatdb group list --user alice --format csv
            """, aliases: ["ls"])

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let session = try StoreSession(profile.store, output)
        let report = try session.list { chat in
            let user = try profile.profile(in: chat)
            let groups = try GroupsRepo(chat).all(of: user.id)
            return GroupListReport(
                user: user, groups: groups, unfinished: try GroupsRepo(chat).unfinished(of: user.id),
                relays: try ChannelRelayRow.rows(of: groups, of: user.id, in: chat),
                incomplete: Dictionary(
                    grouping: try GroupRelaysRepo(chat).incomplete(ofEach: [user.id]), by: \.groupRelay.groupID),
                others: groups.isEmpty ? try others(than: user, in: chat) : [],
                lost: LostGroupWarnings(of: user.id, in: chat), given: profile.repeated,
                isWritable: !session.readsSimplex)
        }
        try output.write(report)
        if output.format == .csv {
            for text in report.content.warnings { output.warn(text) }
        }
    }

    /// The other profiles that are not hidden and have groups: `inspect` names the groups of all profiles, and the
    /// reader may have missed that another one is active.
    private func others(than user: User, in chat: any ReadTransaction) throws -> [(user: User, groups: Int)] {
        try UsersRepo(chat).all().filter { $0.id != user.id }.map { other in
            let counts = try GroupsRepo(chat).counts(of: other.id)
            return (other, counts.groups + counts.channels)
        }.filter { $0.groups > 0 }
    }
}
