import ArgumentParser
import ChatDBKit

struct GroupRelayAccept: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept", abstract: "Record that a relay has accepted to relay a channel.",
        discussion: """
            From connecting to accepted. LINK is the link that the relay made for the channel, not the address of the \
            relay; chatdb stores it with the relay and with its member. A relay that has accepted, and whose link is \
            missing, gets the link and keeps its status. Each relay of a channel has a link of its own.

            Examples:
              chatdb group relay accept news 'my relay' --link 'https://h.example/c#…'
              chatdb group relay accept id:3 relay.example.org --link LINK -u alice
            """)

    @OptionGroup var named: GroupRelayArgument

    @Option(help: "The relay's link for the channel. Quote it, because it contains #.")
    var link: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        try named.step(output, to: .accepted) { writer, relay, user in try writer.accept(relay, link: link, of: user) }
    }
}
