import ArgumentParser

struct ServerDisable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable a server.",
        discussion: """
            Examples:
              chatdb server disable smp8.simplex.im
              chatdb server disable id:3 --user work
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output, simplex: fallback.simplex(changedArchive)) { user, chat in
            try ServerChangeReport.enable(named.server, false, of: user, in: chat)
        }
    }
}
