import ArgumentParser
import ChatDBKit

struct RelayUsageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Show how many channels use each relay.",
        discussion: """
            Channels counts the channels that use the relay. A channel does not count if the profile has left it, or \
            if the relay is inactive or rejected there. Active counts those in which the relay passes on messages. A \
            relay may thus have 0 channels although some refer to it; chatdb relay show RELAY lists them. Includes \
            soft-deleted relays while channels keep them.

            Examples:
              chatdb relay usage
              chatdb relay usage --user work --format csv
            """)

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            return RelayUsageReport(
                list: try RelayListReport(of: user, includingDeleted: true, in: chat, profile.repeated))
        }
        try output.write(report)
    }
}
