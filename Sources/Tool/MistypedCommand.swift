import ArgumentParser

/// A word in the place of a command that names no command. The argument parser would complain about the options behind
/// it, or show other help than was asked for.
struct MistypedCommand: Reportable, Equatable {
    let word: String
    /// The commands before it, as they are typed: `chatdb relay`.
    let path: String
    /// The commands that could stand there.
    let commands: [String]

    /// The first such word before the first option; nil without one. Behind `help` there are
    /// commands only.
    init?(in arguments: [String]) {
        let words = arguments.prefix { !$0.hasPrefix("-") }
        let isHelp = words.first == "help"
        var path = ["chatdb"]
        var type: any ParsableCommand.Type = Chatdb.self
        for word in words.drop(while: { $0 == "help" }) {
            let known = type.configuration.subcommands
            // What follows are its arguments.
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
