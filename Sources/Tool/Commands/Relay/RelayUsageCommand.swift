import ArgumentParser
import ChatDBKit

struct RelayUsageCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "usage", abstract: "Show how many channels use each relay.",
        discussion: """
            Includes soft-deleted relays while channels keep them.

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
