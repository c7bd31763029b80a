import ArgumentParser
import Foundation
import Testing

@testable import ChatDBTool

/// The completion scripts.
@Suite struct CompletionTests {
    /// What bash completes after these words, as a line.
    private func completed(_ words: String...) throws -> String {
        let run = try ToolRun()
        let typed = words.map { "'\($0)'" }.joined(separator: " ")
        let outcome = try run.shell(
            """
            $CHATDB completion bash > script; source ./script
            COMP_WORDS=(chatdb \(typed)); COMP_CWORD=\(words.count)
            COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}; COMPREPLY=()
            _chatdb chatdb "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            echo "${COMPREPLY[*]}"
            """)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    @Test("bash completes after an alias what it completes after the command")
    func bash() throws {
        #expect(try completed("channel", "re") == "relays relay")
        #expect(try completed("profile", "a") == "add activate")
        #expect(try completed("relay", "ls", "--fo") == "--format")
        #expect(try completed("channel", "ls", "--format", "js") == "json")
        for (alias, command) in [("channel", "group"), ("profile", "user")] {
            #expect(try completed(alias, "") == completed(command, ""))
            #expect(try completed(alias, "ls", "--") == completed(command, "list", "--"))
        }
    }

    @Test("each alias stands for its command in the scripts of all shells")
    func allShells() throws {
        let aliased = aliases(below: Chatdb.self)
        #expect(aliased.count > 5 && aliased.contains { $0 == ("channel", "group") })
        for (shell, form) in [("bash", "%) subcommand=&"), ("zsh", "%) words[1]=&"), ("fish", "case '&' '%'")] {
            let script = try ToolRun().succeed("completion", shell).output
            for one in aliased {
                let text = form.replacing("%", with: one.0).replacing("&", with: one.1)
                let expected = aliased.filter { $0 == one }.count
                #expect(script.components(separatedBy: text).count - 1 == expected, "\(shell): \(text)")
            }
        }
    }

    @Test("bash completes behind options that stand before a word of the command, and these options")
    func optionsFirst() throws {
        #expect(try completed("-d", "x.db", "relay", "") == completed("relay", ""))
        #expect(try completed("-d", "x.db", "re") == "relay restore")
        #expect(try completed("relay", "-q", "--user", "alice", "mark") == "mark-tested")
        #expect(try completed("--format", "js") == "json")
        #expect(try completed("--format", "=", "json", "rel") == "relay")
        #expect(try completed("channel", "--format", "json", "relay", "remo") == "remove")
        #expect(try completed("-d", "x", "relay", "list", "--fo") == "--format")
        #expect(try completed("--wi") == "--wide")
        #expect(try completed("-d", "scri") == "script")
        for option in GlobalArguments.withValue.union(GlobalArguments.alone) {
            #expect(try completed("relay", option).split(separator: " ").contains { $0 == option }, "\(option)")
        }
    }

    @Test("every command with others below it takes these options in the scripts for zsh and fish")
    func optionsInAllShells() throws {
        let zsh = try ToolRun().succeed("completion", "zsh").output
        let functions = zsh.components(separatedBy: "\n}\n").filter { $0.contains("'(-): :->command'") }
        #expect(functions.count > 10)
        for function in functions {
            #expect(function.contains("{-d,--store,--database}") && function.contains("local -ar ___format=("))
            #expect(!function.contains("'--deleted["), "an option of the model alone")
        }
        let fish = try ToolRun().succeed("completion", "fish").output
        let lines = fish.components(separatedBy: "\n")
        let parsing = zip(lines, lines.dropFirst()).filter { $1.hasSuffix("switch $unparsed_tokens[1]") }.map(\.0)
            .filter { $0.contains("__chatdb_parse_subcommand") }
        #expect(parsing.count == functions.count)
        #expect(parsing.allSatisfy { $0.contains(" 'd/store=+' ") && $0.contains(" 'database=+' ") })
        for command in ["chatdb", "chatdb relay", "chatdb group relay"] {
            let offered = lines.filter { $0.contains("flags_or_options \"\(command)\"") }
            #expect(offered.contains { $0.contains("-l 'store' -l 'database'") }, "\(command)")
        }
    }

    private func aliases(below type: any ParsableCommand.Type) -> [(String, String)] {
        type.configuration.subcommands.flatMap { command in
            command.configuration.aliases.map { ($0, command._commandName) } + aliases(below: command)
        }
    }
}
