import ArgumentParser

/// Commands for configuration in files.
struct PresetCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preset", abstract: "Show, export, import and compare relays and servers as files.",
        discussion: """
            Examples:
              chatdb preset show
              chatdb preset export -o alice.json
              chatdb preset import friend.yaml --dry-run
            """,
        subcommands: [
            PresetListCommand.self, PresetShowCommand.self, PresetExportCommand.self, PresetImportCommand.self,
            PresetDiffCommand.self, PresetValidateCommand.self, PresetSyncCommand.self,
        ])
}
