import ArgumentParser
import ChatDBKit

struct ServerEnable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable a server.",
        discussion: """
            Examples:
              chatdb server enable smp8.simplex.im
              chatdb server enable id:3 --user work
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output, simplex: changedArchive.simplex) { user, chat in
            try ServerChangeReport.enable(named.server, true, of: user, in: chat)
        }
    }
}

extension ServerChangeReport {
    /// Enables or disables a server, unless it has that state already.
    static func enable(
        _ given: String, _ isEnabled: Bool, of user: User, in chat: any WriteTransaction
    ) throws -> ServerChangeReport {
        let old = try ServerFinder.find(given, of: user, in: chat)
        if old.isEnabled != isEnabled { try ServersWriter(chat).setEnabled(old.id, isEnabled, of: user.id) }
        return try ServerChangeReport(old, of: user, in: chat, clause: "is \(isEnabled ? "enabled" : "disabled")")
    }
}
