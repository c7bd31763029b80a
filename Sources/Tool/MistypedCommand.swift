import ArgumentParser

/// A word in the place of a command that names no command. The argument parser would report the options after it, or
/// show other help than requested.
struct MistypedCommand: Reportable, Equatable {
    let word: String
    /// The commands before it, as typed: `chatdb relay`.
    let path: String
    /// The commands that are possible there.
    let commands: [String]

    /// The first such word before the first option; nil without one. After `help` there are only commands.
    init?(in arguments: [String]) {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        let isHelp = words.first == "help"
        var path = ["chatdb"]
        var type: any ParsableCommand.Type = Chatdb.self
        for word in words.drop(while: { $0 == "help" }) {
            let known = type.configuration.subcommands
            // The rest are its arguments.
            if known.isEmpty, !isHelp { return nil }
            guard let next = known.first(where: { $0._commandName == word }) else {
                self.word = word
                self.path = path.joined(separator: " ")
                commands = known.map { $0._commandName } + (path.count == 1 ? ["help"] : [])
                return
            }
            type = next
            path.append(word)
        }
        return nil
    }

    var report: ErrorReport {
        let guess = DidYouMean.hint(for: word, among: commands).map { $0 + " " } ?? ""
        return ErrorReport(
            "usage", "\"\(path)\" has no command \"\(word)\"", hint: "\(guess)see \(path) --help", exit: .usage)
    }
}
