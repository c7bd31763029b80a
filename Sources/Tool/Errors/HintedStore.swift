import ArgumentParser

/// Commands in hints, so that they can be typed as they are: on a store that was named on the command line they name it
/// too, for without `-d` they would go to another.
enum HintedStore {
    /// The hint with the store behind each command of chatdb in it.
    static func naming(_ store: String, in hint: String) -> String {
        var words = hint.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        var index = 0
        while index < words.count {
            if words[index] == "chatdb", let end = end(ofCommandAt: index, words), takesStore(words[index...end]) {
                // A comma or colon ends the command, and is no part of it.
                let ending = words[end].last.map { ",;:".contains($0) } == true ? String(words[end].removeLast()) : ""
                words.insert("-d \(ShellWord.quoted(store))\(ending)", at: end + 1)
                index = end + 1
            }
            index += 1
        }
        return words.joined(separator: " ")
    }

    /// The store that a command line names; nil for one that names none.
    static func named(in arguments: [String]) -> String? {
        let names = ["-d", "--store", "--database"]
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { return nil }
            if names.contains(argument) { return index + 1 < arguments.count ? arguments[index + 1] : nil }
            for name in names.dropFirst() where argument.hasPrefix(name + "=") {
                return String(argument.dropFirst(name.count + 1))
            }
        }
        return nil
    }

    /// Where the command ends: verbs, then what looks like its arguments. Nil for what is no command.
    private static func end(ofCommandAt start: Int, _ words: [String]) -> Int? {
        var known: any ParsableCommand.Type = Chatdb.self
        var end = start
        var isOver = false
        while !isOver, end + 1 < words.count {
            let word = words[end + 1].trimmingSuffix { ",;:".contains($0) }
            guard let next = known.configuration.subcommands.first(where: { $0._commandName == word }) else { break }
            known = next
            end += 1
            isOver = word.count < words[end].count
        }
        if end == start || !known.configuration.subcommands.isEmpty { return nil }
        while !isOver, end + 1 < words.count, isArgument(words[end + 1], after: words[end]) {
            end += 1
            isOver = words[end].last.map { ",;:".contains($0) } == true
        }
        return end
    }

    private static func isArgument(_ word: String, after last: String) -> Bool {
        if word.hasPrefix("-") || word.hasPrefix("/") || word.hasPrefix("'") || word.hasPrefix("id:") { return true }
        if last.hasPrefix("--"), ["--confirm", "--only", "--to"].contains(last) { return true }
        return word.allSatisfy { $0.isUppercase || ",;:".contains($0) } && word.contains { $0.isUppercase }
    }

    private static func takesStore(_ words: ArraySlice<String>) -> Bool {
        let without = [["migrate", "new"], ["schema", "docs"], ["preset", "validate"], ["preset", "list"]]
        return !words.contains("-d") && !without.contains(Array(words.dropFirst().prefix(2)))
    }
}

extension String {
    fileprivate func trimmingSuffix(_ isLeft: (Character) -> Bool) -> String {
        var text = self
        while let last = text.last, isLeft(last) { text.removeLast() }
        return text
    }
}
