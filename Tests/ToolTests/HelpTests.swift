import ArgumentParser
import Foundation
import Testing

@testable import ChatDBTool

/// Help is part of the product.
@Suite struct HelpTests {
    private static func all(_ command: any ParsableCommand.Type = Chatdb.self) -> [any ParsableCommand.Type] {
        [command] + command.configuration.subcommands.flatMap(all)
    }

    @Test("the help of every command begins with a line about what it does, and shows examples")
    func examples() {
        let commands = Self.all()
        #expect(commands.count > 20)
        for command in commands {
            #expect(!command.configuration.abstract.isEmpty, "\(command)")
            #expect(command.configuration.discussion.contains("Examples:\n"), "\(command)")
        }
    }

    @Test("the parser accepts every example in the help")
    func examplesParse() throws {
        for command in Self.all() {
            let lines = command.configuration.discussion.split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            for line in lines where line.hasPrefix("chatdb ") && !line.contains("…") {
                let words = shellWords(line)
                let arguments = GlobalArguments.behindCommand(Array(words.dropFirst()))
                #expect(throws: Never.self, "\(line)") { _ = try Chatdb.parseAsRoot(arguments) }
                #expect(MistypedCommand(in: arguments) == nil, "\(line)")
            }
        }
    }

    @Test("an example fits into a line of a terminal, so that it can be copied")
    func examplesFit() {
        for command in Self.all() {
            for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  chatdb ") {
                #expect(line.count <= 80, "\(line)")
            }
        }
    }
}
