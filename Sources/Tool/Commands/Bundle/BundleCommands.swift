import ArgumentParser

struct BundleCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle", abstract: "Write a file about a store for support, or compare two such files.",
        discussion: """
            The word write may be left out.

            Examples:
              chatdb bundle write support.json
              chatdb bundle diff monday.json today.json
            """,
        subcommands: [BundleWrite.self, BundleDiff.self], defaultSubcommand: BundleWrite.self)
}
