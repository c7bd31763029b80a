import ArgumentParser
import ChatDBKit

struct GroupRelayAcknowledge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acknowledge", abstract: "Record that a relay has acknowledged the list of members of a channel.",
        discussion: """
            From accepted to acknowledged (acknowledged_roster in JSON). This step may be skipped.

            Examples:
              chatdb group relay acknowledge news 'my relay'
              chatdb group relay acknowledge id:3 relay.example.org -u alice --format json
            """)

    @OptionGroup var named: GroupRelayArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        try named.step(output, to: .acknowledgedRoster) { writer, relay, user in
            try writer.acknowledge(relay, of: user)
        }
    }
}
