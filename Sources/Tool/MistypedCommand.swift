import ArgumentParser
import ChatDBKit

/// A word in the place of a command that names no command. The argument parser would report the options after it, or
/// show other help than requested.
struct MistypedCommand: Reportable, Equatable {
    let word: String
    /// The commands before it, as typed: `chatdb relay`.
    let path: String
    /// The commands that are possible there.
    let commands: [String]

    /// The first such word before the first option; nil without one. After `help` there are only commands. Behind options
    /// of `backup`, it is the folder of a new backup, as in `backup --keep-backups 3 restore`.
    init?(in arguments: [String]) {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        let isHelp = words.first == "help"
        let named = NamedCommand(in: Array(words.drop { $0 == "help" }))
        guard let word = named.rest.first ?? Self.folder(ofBackup: named, isHelp ? [] : arguments) else { return nil }
        commands = named.subcommands.map { $0._commandName } + (named.path.count == 1 ? ["help"] : [])
        path = named.path.joined(separator: " ")
        // An argument of the command that may be left out, unless it looks like a misspelt command.
        if !isHelp, named.takesArguments, !Self.looksLikeCommand(word, behind: path, commands) { return nil }
        self.word = word
    }

    /// The folder that `backup` without `make` names behind its options; nil without one, and for a line with errors.
    private static func folder(ofBackup named: NamedCommand, _ arguments: [String]) -> String? {
        guard named.type == BackupCommands.self else { return nil }
        return (try? BackupMake.parseAsRoot(Array(arguments.dropFirst())) as? BackupMake)?.dir
    }

    /// Whether a word is nearly the name of a command, or a word for a command that other programs have, or that
    /// chatdb has behind other words. A name of a file that exists, and a path with a slash, are none.
    private static func looksLikeCommand(_ word: String, behind path: String, _ commands: [String]) -> Bool {
        guard !word.contains("/"), FileState(at: word) == .missing else { return false }
        if commands.isEmpty { return false }
        return ["create", "new", "remove", "delete", "show"].contains(word) || synonym(of: word, commands) != nil
            || elsewhere(word, behind: path) != nil || !DidYouMean.suggestions(for: word, among: commands).isEmpty
    }

    /// `diff` for `compare`, `edit` for `rename`, `delete` for `del` and `rm`, and `write` for `make` and `create`, if
    /// there is such a command; otherwise nil.
    private static func synonym(of word: String, _ commands: [String]) -> String? {
        let synonyms = [
            "compare": "diff", "rename": "edit", "del": "delete", "rm": "delete", "make": "write", "create": "write",
        ]
        return synonyms[word].flatMap { commands.contains($0) ? $0 : nil }
    }

    /// The command behind other words that does what the word means; nil without one.
    private static func elsewhere(_ word: String, behind path: String) -> Hint? {
        switch path {
        case "chatdb backup" where word == "undo" || isNearlyRestore(word):
            return "\(.restore, "FOLDER") restores a backup"
        case "chatdb preset" where word == "undo" || word == "restore":
            return """
                \(.presetImport, "FILE", "--mode", "restore") restores the configuration from the file that chatdb \
                wrote before a change
                """
        case "chatdb group relay" where word == "list" || word == "show":
            return "\(.groupRelays, "CHANNEL") lists the relays of a channel"
        default: return nil
        }
    }

    /// Whether a word is `restore`, or it with one mistake. Longer words, such as `restored`, may name a folder.
    private static func isNearlyRestore(_ word: String) -> Bool {
        let (typed, restore) = (Array(word.lowercased()), Array("restore"))
        return typed.count <= restore.count && DidYouMean.distance(typed, restore) <= 1
    }

    /// A suggestion for a word that is nearly the last word of commands, in the place of a first one: `chatdb list`.
    private var guessOfVerb: String? {
        guard path == "chatdb" else { return nil }
        let nouns = NamedCommand(in: []).subcommands.filter { !$0.configuration.subcommands.isEmpty }
        func verbs(_ noun: any ParsableCommand.Type) -> [String] {
            noun.configuration.subcommands.map { $0._commandName }
        }
        guard let verb = DidYouMean.suggestions(for: word, among: nouns.flatMap(verbs), atMost: 1).first else {
            return nil
        }
        let commands = nouns.filter { verbs($0).contains(verb) }.map { "\"\($0._commandName) \(verb)\"" }
        let most = 3
        // Instead of "1 others", all four.
        let isShort = commands.count <= most + 1
        let shown = isShort ? commands[...] : commands.prefix(most) + ["\(commands.count - most) others"]
        let last = shown.count > 1 ? " or \(shown.last ?? "")" : ""
        return "did you mean \(shown.prefix(max(1, shown.count - 1)).joined(separator: ", "))\(last)?"
    }

    var report: ErrorReport {
        if commands.contains(word) {
            return ErrorReport(
                "usage", "the command \"\(word)\" stands behind options of another one",
                hint: "begin with \(path) \(word); see \(path) \(word) --help", exit: .usage)
        }
        let synonym = Self.synonym(of: word, commands).map { "did you mean \"\($0)\"?" }
        let similar = synonym ?? DidYouMean.hint(for: word, among: commands) ?? guessOfVerb
        let guess: Hint =
            Self.elsewhere(word, behind: path).map { "\($0); " } ?? Hint(text: similar.map { $0 + " " } ?? "")
        return ErrorReport(
            "usage", "\"\(path)\" has no command \"\(word)\"", hint: "\(guess)see \(path) --help", exit: .usage)
    }
}

/// The command that the first words of a line name; `chatdb` itself for a line that begins with no command.
struct NamedCommand {
    private(set) var type: any ParsableCommand.Type = Chatdb.self
    /// The words that name it, `chatdb` first.
    private(set) var path = ["chatdb"]
    /// The same without `chatdb`, and with the name of a command for its alias.
    private(set) var names: [String] = []
    /// The words after them.
    private(set) var rest: ArraySlice<String>

    init(in arguments: [String]) {
        rest = arguments[...]
        while let word = rest.first, let next = subcommands.first(where: { $0.isNamed(word) }) {
            type = next
            path.append(word)
            names.append(next._commandName)
            rest.removeFirst()
        }
    }

    /// Whether the words after it are arguments: it has no commands below it, or one of them may be left out.
    var takesArguments: Bool { subcommands.isEmpty || type.configuration.defaultSubcommand != nil }

    /// The commands that are possible after it.
    var subcommands: [any ParsableCommand.Type] { type.configuration.subcommands }
}

extension ParsableCommand {
    /// Whether a word is the name of the command or one of its aliases.
    static func isNamed(_ word: String) -> Bool { _commandName == word || configuration.aliases.contains(word) }
}
