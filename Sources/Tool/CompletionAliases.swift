import ArgumentParser

/// Adds the aliases of commands to a completion script. The argument parser makes scripts that know the names only, and
/// that complete an alias like a word in the place of a command.
struct CompletionAliases {
    /// An alias, and the name of its command.
    private struct Alias {
        let word: String
        let name: String
    }

    /// The aliases of the commands below a command. Its key is its function in the scripts: `_chatdb_group`.
    private var aliases: [String: [Alias]] = [:]

    init(below root: any ParsableCommand.Type) {
        add(below: root, "_" + root._commandName)
    }

    private mutating func add(below type: any ParsableCommand.Type, _ function: String) {
        for command in type.configuration.subcommands {
            let found = command.configuration.aliases.map { Alias(word: $0, name: command._commandName) }
            if !found.isEmpty { aliases[function, default: []] += found }
            add(below: command, function + "_" + command._commandName)
        }
    }

    /// A script in which each alias stands for its command.
    func added(to script: String, for shell: CompletionShell) -> String {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let changed = shell == .fish ? addedToFish(lines) : addedToFunctions(lines)
        return changed.joined(separator: "\n")
    }

    /// In the scripts for bash and zsh, the function of a command calls that of the next one.
    private func addedToFunctions(_ lines: [String]) -> [String] {
        var function = ""
        return lines.flatMap { line -> [String] in
            if line.hasPrefix("_"), line.hasSuffix("() {") { function = String(line.dropLast("() {".count)) }
            guard let found = aliases[function] else { return [line] }
            switch line {
            case #"    local -r subcommand="${unparsed_words[0]}""#:
                return [#"    local subcommand="${unparsed_words[0]}""#] + replacing("subcommand", found, "    ")
            case #"        case "${words[1]}" in"#:
                return replacing("words[1]", found, "        ") + [line]
            default: return [line]
            }
        }
    }

    /// The lines of a shell that put the names into a variable that has the aliases.
    private func replacing(_ variable: String, _ aliases: [Alias], _ indent: String) -> [String] {
        let cases = aliases.map { "\(indent)\($0.word)) \(variable)=\($0.name) ;;" }
        return ["\(indent)case \"${\(variable)}\" in"] + cases + ["\(indent)esac"]
    }

    /// In the script for fish, one function has a `case` for each command, below that of the command above it.
    private func addedToFish(_ lines: [String]) -> [String] {
        var path: [String] = []
        var isInside = false
        return lines.flatMap { line -> [String] in
            if line.hasPrefix("function ") { isInside = line.hasPrefix("function __chatdb_parse_tokens") }
            let text = line.drop { $0 == " " }
            guard isInside, text.hasPrefix("case '"), text.hasSuffix("'") else { return [line] }
            let name = String(text.dropFirst("case '".count).dropLast())
            // chatdb itself has 4 blanks before it, and each level 4 more.
            let depth = max(0, (line.count - text.count) / 4 - 1)
            path = Array(path.prefix(depth)) + [name]
            let found = aliases["_" + path.dropLast().joined(separator: "_"), default: []].filter { $0.name == name }
            guard !found.isEmpty else { return [line] }
            let indent = line.prefix { $0 == " " }
            let words = ([name] + found.map(\.word)).map { "'\($0)'" }.joined(separator: " ")
            return ["\(indent)case \(words)", "\(indent)    set unparsed_tokens[1] '\(name)'"]
        }
    }
}
