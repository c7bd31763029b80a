import ArgumentParser

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
