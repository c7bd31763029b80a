import ArgumentParser

@testable import ChatDBTool

/// The commands of the tool, as its argument parser has them.
enum CommandTree {
    /// Every command that does something, with the words it is called by.
    static let leaves: [(words: [String], type: any ParsableCommand.Type)] = below(Chatdb.self, ["chatdb"])

    /// Every option of every command, as it is written: `--dry-run`.
    static let options: Set<String> = Set(
        leaves.flatMap { leaf in
            leaf.type.helpMessage(columns: 200).matches(of: #/(?:^|[^-\w])(--[a-z][a-z-]*)/#).map { String($0.1) }
        })

    /// The command that is called by these words; nil when there is none, or only commands below it.
    static func command(_ words: [String]) -> (any ParsableCommand.Type)? {
        leaves.first { $0.words == words }?.type
    }

    private static func below(
        _ type: any ParsableCommand.Type, _ words: [String]
    ) -> [(words: [String], type: any ParsableCommand.Type)] {
        let commands = type.configuration.subcommands
        return commands.isEmpty ? [(words, type)] : commands.flatMap { below($0, words + [$0._commandName]) }
    }
}
