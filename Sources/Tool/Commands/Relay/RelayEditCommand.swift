import ArgumentParser
import ChatDBKit

struct RelayEditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the address, name or domains of a custom relay.",
        discussion: """
            Properties without an option stay unchanged. A new address makes the relay untested. chatdb refuses a new \
            address while a channel uses the relay. In that case, delete the relay and add the new one; the channels \
            keep the old one.

            Examples:
              chatdb relay edit 'my relay' --name 'our relay'
              chatdb relay edit id:7 --domain example.org --domain example.net
              chatdb relay edit id:7 --no-domains --address 'https://relay2.example.org/r#…'
            """)

    @OptionGroup var named: RelayArgument

    @Option(help: "The new address.")
    var address: String?

    @Option(help: "The new name, unique among the profile's relays.")
    var name: String?

    @Option(
        name: .customLong("domain"), help: "A domain; replaces the present domains. May be repeated.")
    var domains: [String] = []

    @Flag(help: "Remove all domains.")
    var noDomains = false

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if noDomains, !domains.isEmpty { throw ValidationError("--no-domains and --domain cannot be used together") }
        if address == nil, name == nil, domains.isEmpty, !noDomains {
            throw ValidationError("specify at least one of --address, --name, --domain and --no-domains")
        }
    }

    func run() throws {
        try profile.change(output) { user, chat in
            let relay = try RelayFinder.find(named.relay, of: user, in: chat)
            do {
                try ChatRelaysWriter(chat).edit(
                    relay.id, address: address, name: name, domains: noDomains || !domains.isEmpty ? domains : nil,
                    of: user.id)
            } catch ChatRelaysError.relayInUse(let used, let channels) {
                throw refused(used, channelsUsing: channels, of: user, in: chat)
            }
            return try RelayChangeReport(relay, of: user, in: chat, showsFields: true) { row in
                row.relay == relay ? "has these values" : "was edited"
            }
        }
    }

    /// The refusal of another address for a relay in use, with the commands that lead to a relay with this address.
    private func refused(
        _ relay: ChatRelay, channelsUsing channels: Int, of user: User, in chat: any ReadTransaction
    ) -> HintedError {
        let check = { try PresetBefore.check(.entries(.init(keeping: relay)), of: user, in: chat, profile.store) }
        return HintedError(
            ChatRelaysError.relayInUse(relay, channelsUsing: channels),
            hint: ChatRelaysError.replacing(
                relay, channelsUsing: channels, by: address ?? "ADDRESS", isCopied: (try? check()) != nil))
    }
}
