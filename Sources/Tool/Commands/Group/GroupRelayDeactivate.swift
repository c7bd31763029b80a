import ArgumentParser
import ChatDBKit

struct GroupRelayDeactivate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deactivate", abstract: "Record that a relay no longer relays a channel.",
        discussion: """
            From any status but rejected to inactive. The relay stays a member of the channel; chatdb group relay remove also \
            ends its membership. A relay stays inactive; chatdb group relay add adds it again, as a new member.

            Examples:
              chatdb group relay deactivate news 'my relay'
              chatdb group relay deactivate id:3 relay.example.org -u alice --format json
            """)

    @OptionGroup var named: GroupRelayArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        try named.step(output, to: .inactive) { writer, relay, user in try writer.deactivate(relay, of: user) }
    }
}
