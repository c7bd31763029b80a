import ArgumentParser

@testable import ChatDBTool

/// The commands of the tool, as its argument parser has them.
enum CommandTree {
    /// Every command that does something, with the words it is called by.
    static let leaves: [(words: [String], type: any ParsableCommand.Type)] = below(Chatdb.self, ["chatdb"])

    /// Every option of every command, as it is written: `--dry-run`.
    static let options: Set<String> = Set(
        leaves.flatMap { leaf in
            help(of: leaf.type).matches(of: #/(?:^|[^-\w])(--[a-z][a-z-]*)/#).map { String($0.1) }
        })

    /// The help of a command, in lines of 200 columns. It is made once: the argument parser takes long in debug builds.
    static func help(of type: any ParsableCommand.Type) -> String {
        helps[ObjectIdentifier(type)] ?? type.helpMessage(columns: 200)
    }

    private static let helps = Dictionary(
        leaves.map { (ObjectIdentifier($0.type), $0.type.helpMessage(columns: 200)) }, uniquingKeysWith: { $1 })

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
