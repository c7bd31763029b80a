import ArgumentParser
import ChatDBKit

struct GroupRelayActivate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "activate", abstract: "Record that a relay relays a channel.",
        discussion: """
            From accepted or acknowledged to active. The link of the relay for the channel must be known.

            Examples:
              chatdb group relay activate news 'my relay'
              chatdb group relay activate id:3 relay.example.org -u alice --format json
            """)

    @OptionGroup var named: GroupRelayArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        try named.step(output, to: .active) { writer, relay, user in try writer.activate(relay, of: user) }
    }
}
