import ArgumentParser
import ChatDBKit

struct ServerDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a custom server.",
        discussion: """
            A preset server cannot be deleted, only disabled.

            Examples:
              chatdb server delete smp.example.org
              chatdb server delete id:21 --user work
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output) { user, chat in
            let server = try ServerFinder.find(named.server, of: user, in: chat)
            let row = try ServerRow(server, in: chat)
            try ServersWriter(chat).delete(server.id, of: user.id)
            return ServerOutcomeReport(user: user, outcome: .deleted, row: row)
        }
    }
}
