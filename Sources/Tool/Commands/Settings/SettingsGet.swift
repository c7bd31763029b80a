import ArgumentParser
import ChatDBKit

struct SettingsGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show the settings of a profile, or one of them.",
        discussion: """
            NAME is one of showNtfs, sendRcptsContacts, sendRcptsSmallGroups, autoAcceptGroupInvitations, chatItemTtl \
            (seconds) and appSettings. The settings of the app may be personal: only appSettings as NAME shows them.

            Examples:
              chatdb settings get
              chatdb settings get chatItemTtl --user work
              chatdb settings get appSettings --format json
            """)

    @Argument(help: "The setting (default: all).")
    var name: SettingName?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).read { store in
            try store.read { chat in
                SettingsReport(
                    settings: try ProfileSettings(of: try profile.profile(in: chat), in: chat), name: name)
            }
        }
        try output.write(report)
    }
}
