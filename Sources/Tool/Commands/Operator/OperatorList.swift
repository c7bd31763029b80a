import ArgumentParser
import ChatDBKit

struct OperatorList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators, and how many of their entries a profile has enabled.",
        discussion: """
            Examples:
              chatdb operator list
              chatdb operator list --user work
              chatdb operator list --format json
            """, aliases: ["ls"])

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profileIfAny(in: chat)
            return OperatorListReport(
                conditions: try OperatorsRepo(chat).conditions(), user: user,
                groups: try user.map { try ServersRepo(chat).grouped(of: $0.id) } ?? [], given: profile.repeated)
        }
        try output.write(report)
    }
}
