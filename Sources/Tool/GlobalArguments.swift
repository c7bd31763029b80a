/// Options that every command understands may stand anywhere in the line: `chatdb -d x relay list` and
/// `chatdb relay -d x list` are `chatdb relay list -d x`.
enum GlobalArguments {
    /// Those that have a value.
    static let withValue: Set<String> = [
        "-d", "--store", "--database", "-u", "--user", "--format", "--color", "--passphrase-file",
    ]
    /// Those that stand alone.
    static let alone: Set<String> = [
        "--yes", "--dry-run", "-q", "--quiet", "-v", "--verbose", "--no-progress", "--csv-raw", "--wide",
        "--show-hidden",
        "--password-stdin", "--passphrase-stdin",
    ]

    /// The arguments with those that stand before the last word of the command put behind that word. If a word is missing
    /// or wrong, they are put behind all others, so that the error is about the word.
    static func behindCommand(_ arguments: [String]) -> [String] {
        var words: [String] = []
        var options: [String] = []
        var index = 0
        var command = NamedCommand(in: [])
        while index < arguments.count {
            let argument = arguments[index]
            let name = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? argument
            if withValue.contains(argument), index + 1 < arguments.count {
                options += arguments[index...(index + 1)]
                index += 2
            } else if alone.contains(argument) || (withValue.contains(name) && name != argument) {
                options.append(argument)
                index += 1
            } else if command.subcommands.contains(where: { $0.isNamed(argument) }) {
                words.append(argument)
                command = NamedCommand(in: words)
                index += 1
            } else {
                break
            }
        }
        // Without words of a command, the parser reports the arguments as they are.
        guard !options.isEmpty, index < arguments.count || !words.isEmpty else { return arguments }
        let rest = arguments[index...]
        // The parser takes them here, and the last of several stores on the line counts.
        if command.subcommands.isEmpty { return words + options + Array(rest) }
        let end = rest.firstIndex(of: "--") ?? rest.endIndex
        return words + Array(rest[..<end]) + options + Array(rest[end...])
    }
}
