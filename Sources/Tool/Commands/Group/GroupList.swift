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
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            return GroupListReport(
                user: user, groups: try GroupsRepo(chat).all(of: user.id),
                unfinished: try GroupsRepo(chat).unfinished(of: user.id),
                relays: try GroupRelaysRepo(chat).all(of: user.id).mapValues(\.latest), given: profile.repeated)
        }
        try output.write(report)
    }
}
