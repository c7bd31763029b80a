import ArgumentParser

/// Adds the options that may stand before the words of a command to a completion script: `chatdb -d x relay list`. In the
/// scripts of the argument parser, every option stands behind its command.
enum CompletionOptions {
    /// A command that has the options, and how the script for each shell completes their values.
    private static let (model, modelFunction) = ("chatdb relay list", "_chatdb_relay_list() {")

    /// A script that completes the options, and the words behind them.
    static func added(to script: String, for shell: CompletionShell) -> String {
        let lines = script.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let changed =
            shell == .fish ? addedToFish(lines) : shell == .zsh ? addedToZsh(lines) : addedToBash(lines)
        return changed.joined(separator: "\n")
    }

    private static let all = GlobalArguments.withValue.union(GlobalArguments.alone)

    /// The function of a command that has others below it removes the options first, and then completes the next word.
    private static func addedToBash(_ lines: [String]) -> [String] {
        guard let start = lines.firstIndex(of: modelFunction),
            let first = lines[start...].firstIndex(of: #"    case "${prev}" in"#),
            let end = lines[first...].firstIndex(of: "    esac")
        else { return lines }
        let values = lines[(first + 1)..<end].map { "        \($0)\($0.hasSuffix(" return") ? " 1" : "")" }
        let function = bashFunction(values: values.joined(separator: "\n"))
        return lines.enumerated().flatMap { index, line -> [String] in
            if line == "_chatdb() {" { return [function, line] }
            let isOfCommands =
                line == "    __chatdb_offer_flags_options 0"
                && lines.dropFirst(index + 2).first == "    # Offer subcommand / subcommand argument completions"
            return isOfCommands ? ["    __chatdb_offer_global_options || return", line] : [line]
        }
    }

    /// - Parameter values: the cases of a `case` that complete the value of an option.
    private static func bashFunction(values: String) -> String {
        #"""
        # Options that stand before a word of the command. Removes them from the unparsed words, and completes the one
        # that is typed. Fails if the word to complete is the value of an option.
        __chatdb_offer_global_options() {
            while [[ "${#unparsed_words[@]}" -gt 1 ]]; do
                local -i count=1
                case "${unparsed_words[0]}" in
                \#(GlobalArguments.withValue.sorted().joined(separator: "|")))
                    count=2
                    [[ "${unparsed_words[1]}" = '=' ]] && count=3
                    ;;
                \#(GlobalArguments.alone.sorted().joined(separator: "|"))) ;;
                *) return 0 ;;
                esac
                if [[ "${#unparsed_words[@]}" -le "${count}" && "${count}" -gt 1 ]]; then
                    case "${unparsed_words[0]}" in
        \#(values)
                    esac
                    return 1
                fi
                unparsed_words=("${unparsed_words[@]:${count}}")
            done
            if [[ "${#unparsed_words[@]}" -eq 1 && "${cur}" = -* ]]; then
                COMPREPLY+=($(compgen -W '\#(all.sorted().joined(separator: " "))' -- "${cur}"))
            fi
        }

        """#
    }

    /// A command that has others below it takes the options of the model too.
    private static func addedToZsh(_ lines: [String]) -> [String] {
        guard let start = lines.firstIndex(of: modelFunction), let end = lines[start...].firstIndex(of: "    )") else {
            return lines
        }
        let body = lines[start..<end]
        let words = body.filter { $0.hasPrefix("    local -ar ___") }
        let options = body.filter { line in
            let names = line.prefix { $0 != "[" }.matches(of: #/--?[a-z][a-z-]*/#).map { String($0.output) }
            return line.hasPrefix("        '") && !all.isDisjoint(with: names)
        }
        return lines.enumerated().flatMap { index, line -> [String] in
            guard line == "    local -ar arg_specs=(", let close = lines[index...].firstIndex(of: "    )"),
                lines[index..<close].contains("        '(-): :->command'")
            else { return [line] }
            return words + [line] + options
        }
    }

    /// A command that has others below it parses the options too, and offers those of the model.
    private static func addedToFish(_ lines: [String]) -> [String] {
        let parsing = "__chatdb_parse_subcommand 0 "
        var changed = lines
        for (index, line) in lines.enumerated() where line.hasSuffix("\(parsing)'version' 'h/help'") {
            guard lines.dropFirst(index + 1).first?.hasSuffix("switch $unparsed_tokens[1]") == true else { continue }
            changed[index] = line.replacing(parsing, with: "\(parsing)\(fishOptions) ")
        }
        let condition = "__chatdb_should_offer_completions_for_flags_or_options \""
        let commands = Set(
            lines.compactMap { line -> String? in
                guard let start = line.firstRange(of: condition)?.upperBound else { return nil }
                return String(line[start...].prefix { $0 != "\"" })
            })
        let above = commands.filter { command in commands.contains { $0.hasPrefix("\(command) ") } }
        let options = lines.filter { line in
            let names = line.matches(of: #/ -l '([a-z-]+)'/#).map { "--\($0.output.1)" }
            return line.contains("\(condition)\(model)\"") && !all.isDisjoint(with: names)
        }
        return changed
            + above.sorted().flatMap { command in options.map { $0.replacing("\"\(model)\"", with: "\"\(command)\"") } }
    }

    /// The options as fish parses them: `'d/store=+'`.
    private static var fishOptions: String {
        let letters = ["store": "d/", "user": "u/", "quiet": "q/", "verbose": "v/"]
        let names = all.filter { $0.hasPrefix("--") }.sorted().map { option in
            let name = String(option.dropFirst(2))
            return "'\(letters[name] ?? "")\(name)\(GlobalArguments.withValue.contains(option) ? "=+" : "")'"
        }
        return names.joined(separator: " ")
    }
}
