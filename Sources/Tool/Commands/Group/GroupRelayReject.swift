import ArgumentParser
import ChatDBKit

struct GroupRelayReject: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reject", abstract: "Record that a relay has refused to relay a channel.",
        discussion: """
            From connecting to rejected. A relay stays rejected; chatdb group relay add adds it again, as a new member.

            Examples:
              chatdb group relay reject news 'my relay'
              chatdb group relay reject id:3 relay.example.org -u alice --format json
            """)

    @OptionGroup var named: GroupRelayArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        try named.step(output, to: .rejected) { writer, relay, user in try writer.reject(relay, of: user) }
    }
}
