import ArgumentParser
import ChatDBKit

struct RelayDisable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a relay for new channels. Channels that use it keep it.",
        discussion: """
            Examples:
              chatdb relay disable 'my relay'
              chatdb relay disable id:3 --user work
            """)

    @OptionGroup var named: RelayArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output, simplex: changedArchive.simplex) { user, chat in
            let relay = try RelayFinder.find(named.relay, of: user, in: chat)
            if relay.isEnabled { try ChatRelaysWriter(chat).setEnabled(relay.id, false, of: user.id) }
            return try RelayChangeReport(relay, of: user, in: chat) { row in
                relay.isEnabled ? "is disabled" + row.channelsKeepIt : "is disabled"
            }
        }
    }
}
