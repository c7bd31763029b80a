import ArgumentParser

/// What a command line says about where to work, for the commands in hints and notes: typed as they are, they go to the
/// same store, profile and migrations, and not to those that nobody named. `--password-stdin` is never repeated: what it
/// reads is not there a second time.
struct RepeatedOptions: Equatable {
    var store: String?
    var user: String?
    var migrationsDir: String?
    var showsHidden = false

    /// Nothing was named.
    static let none = RepeatedOptions()

    /// A text with the options behind each command of chatdb in it, as far as that command takes them.
    func added(to text: String) -> String {
        var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        var index = 0
        while index < words.count {
            if words[index] == "chatdb", let command = HintedCommand(at: index, in: words) {
                let options = options(for: command, in: words)
                if !options.isEmpty {
                    // A comma or colon ends the command, and is no part of it.
                    let ending =
                        HintedCommand.isEnded(words[command.end]) ? String(words[command.end].removeLast()) : ""
                    words.insert(options.joined(separator: " ") + ending, at: command.end + 1)
                    index = command.end + 1
                }
            }
            index += 1
        }
        return words.joined(separator: " ")
    }

    private func options(for command: HintedCommand, in words: [String]) -> [String] {
        let given: [(name: String, short: String?, value: String?, isGiven: Bool)] = [
            ("--store", "-d", store, store != nil), ("--user", "-u", user, user != nil),
            ("--migrations-dir", nil, migrationsDir, migrationsDir != nil), ("--show-hidden", nil, nil, showsHidden),
        ]
        let written = words[command.start...command.end]
        if written.contains(where: { $0.hasPrefix("--help") }) { return [] }
        let help = command.type.helpMessage(columns: 200)
        return given.compactMap { option in
            let names = [option.name] + (option.short.map { [$0] } ?? [])
            guard option.isGiven, help.contains(option.name), !names.contains(where: written.contains) else {
                return nil
            }
            return ([option.short ?? option.name] + (option.value.map { [ShellWord.quoted($0)] } ?? []))
                .joined(separator: " ")
        }
    }
}

extension RepeatedOptions {
    /// What the arguments of a command line say, parsed or not: the last of each counts.
    init(arguments: [String]) {
        let options = arguments.prefix { $0 != "--" }
        for (index, argument) in options.enumerated() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let value = argument.hasPrefix("--") && parts.count == 2 ? parts[1] : options.dropFirst(index + 1).first
            switch parts.first ?? "" {
            case "-d", "--store", "--database", "--data": store = value
            case "-u", "--user": user = value
            case "--migrations-dir": migrationsDir = value
            case "--show-hidden": showsHidden = true
            default: break
            }
        }
    }
}

/// A command of chatdb in a sentence: its verbs, then what looks like its arguments.
private struct HintedCommand {
    let start: Int
    private(set) var end: Int
    private(set) var type: any ParsableCommand.Type = Chatdb.self

    /// Nil for what is no command: `chatdb reads it`.
    init?(at start: Int, in words: [String]) {
        self.start = start
        end = start
        var isOver = false
        while !isOver, end + 1 < words.count {
            let word = words[end + 1].trimming { ",;:.".contains($0) }
            guard let next = type.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            type = next
            end += 1
            isOver = word.count < words[end].count
        }
        if end == start || !type.configuration.subcommands.isEmpty { return nil }
        var isQuoted = false
        while !isOver, end + 1 < words.count, isQuoted || Self.isArgument(words[end + 1], after: words[end]) {
            end += 1
            // A path with blanks is one argument.
            if words[end].count(where: { $0 == "'" }) % 2 == 1 { isQuoted.toggle() }
            isOver = !isQuoted && Self.isEnded(words[end])
        }
    }

    static func isEnded(_ word: String) -> Bool { word.last.map { ",;:.".contains($0) } == true }

    private static func isArgument(_ word: String, after last: String) -> Bool {
        if word.hasPrefix("-") || word.hasPrefix("/") || word.hasPrefix("'") || word.hasPrefix("id:") { return true }
        if ["--confirm", "--only", "--to", "-d", "-u"].contains(last) { return true }
        return word.allSatisfy { $0.isUppercase || ",;:".contains($0) } && word.contains { $0.isUppercase }
    }
}

extension String {
    fileprivate func trimming(_ isLeft: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, isLeft(last) { text.removeLast() }
        return text
    }
}
