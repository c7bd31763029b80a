import ArgumentParser

/// Settings of profiles and of the app.
struct SettingsCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings", abstract: "Show and change the settings of a profile, and those of the app.",
        discussion: """
            showNtfs: notifications. sendRcptsContacts, sendRcptsSmallGroups: delivery receipts. \
            autoAcceptGroupInvitations: the app joins groups to which contacts invite the profile. chatItemTtl: the \
            time after which the app deletes messages. appSettings: the settings of the app's screens, which all \
            profiles share, as JSON. Single chats may have other settings.

            Examples:
              chatdb settings get
              chatdb settings set sendRcptsContacts off
              chatdb settings set chatItemTtl 30d --user work
            """,
        subcommands: [SettingsGet.self, SettingsSet.self])
}
