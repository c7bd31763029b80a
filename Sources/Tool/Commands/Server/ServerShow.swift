import ArgumentParser
import ChatDBKit

struct ServerShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a server: address, operator, state, test and roles.",
        discussion: """
            The password is not shown. The roles are those in effect; a role that the server does not set itself is \
            that of its operator.

            Examples:
              chatdb server show smp8.simplex.im
              chatdb server show id:3 --user work --format json
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            return ServerShowReport(
                user: user, row: try ServerRow(ServerFinder.find(named.server, of: user, in: chat), in: chat))
        }
        try output.write(report)
    }
}
