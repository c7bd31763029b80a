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

    private func aliases(below type: any ParsableCommand.Type) -> [(String, String)] {
        type.configuration.subcommands.flatMap { command in
            command.configuration.aliases.map { ($0, command._commandName) } + aliases(below: command)
        }
    }
}
