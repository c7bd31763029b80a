import ArgumentParser
import ChatDBKit

struct RelayList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the relays of a profile, and how many channels use each.",
        discussion: """
            Examples:
              chatdb relay list
              chatdb relay list --user work --deleted
              chatdb relay list --format json
            """, aliases: ["ls"])

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Include soft-deleted relays.")
    var deleted = false

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            return try RelayListReport(of: user, includingDeleted: deleted, in: chat, profile.repeated)
        }
        try output.write(report)
    }
}
