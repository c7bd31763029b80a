import ArgumentParser
import ChatDBKit

struct GroupRelayInvite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite", abstract: "Record that the owner has invited a relay to a channel.",
        discussion: """
            From new to connecting (invited in JSON). The app sends the invitation; this command only changes the store.

            Examples:
              chatdb group relay invite news 'my relay'
              chatdb group relay invite id:3 relay.example.org -u alice --format json
            """)

    @OptionGroup var named: GroupRelayArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        try named.step(output, to: .invited) { writer, relay, user in try writer.invite(relay, of: user) }
    }
}
