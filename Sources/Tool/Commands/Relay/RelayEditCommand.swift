import ArgumentParser
import ChatDBKit

struct RelayEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the address, the name or the domains of a relay of your own.",
        discussion: """
            What is not given stays. Another address makes the relay untested, and is refused while a channel uses the \
            relay: delete it, which its channels survive, and add the other.

            Examples:
              chatdb relay edit 'my relay' --name 'our relay'
              chatdb relay edit id:7 --domain example.org --domain example.net
              chatdb relay edit id:7 --no-domains --address 'https://relay2.example.org/r#…'
            """)

    @OptionGroup var named: RelayArgument

    @Option(help: "Another address.")
    var address: String?

    @Option(help: "Another name, unique among the profile's relays.")
    var name: String?

    @Option(
        name: .customLong("domain"), help: "A domain, in place of those it has; may be given several times.")
    var domains: [String] = []

    @Flag(help: "Take all its domains away.")
    var noDomains = false

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if noDomains, !domains.isEmpty { throw ValidationError("--no-domains and --domain exclude each other") }
        if address == nil, name == nil, domains.isEmpty, !noDomains {
            throw ValidationError("give what is to change: --address, --name, --domain or --no-domains")
        }
    }

    func run() throws {
        try profile.change(output) { user, chat in
            let relay = try RelayFinder.find(named.relay, of: user, in: chat)
            try ChatRelaysWriter(chat).edit(
                relay.id, address: address, name: name, domains: noDomains || !domains.isEmpty ? domains : nil,
                of: user.id)
            return try RelayChangeReport(relay, of: user, in: chat, showsFields: true) { row in
                row.relay == relay ? "is so" : "was edited"
            }
        }
    }
}
