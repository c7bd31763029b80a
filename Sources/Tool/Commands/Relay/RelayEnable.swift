import ArgumentParser
import ChatDBKit

struct RelayEnable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a relay for new channels.",
        discussion: """
            Examples:
              chatdb relay enable 'my relay'
              chatdb relay enable smp5.simplex.im --user work
            """)

    @OptionGroup var named: RelayArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output, simplex: changedArchive.simplex) { user, chat in
            let relay = try RelayFinder.find(named.relay, of: user, in: chat)
            // An enabled relay too is refused if its address is not valid.
            if !relay.isEnabled || !relay.hasValidAddress {
                try ChatRelaysWriter(chat).setEnabled(relay.id, true, of: user.id)
            }
            return try RelayChangeReport(relay, of: user, in: chat) { _ in "is enabled" }
        }
    }
}
