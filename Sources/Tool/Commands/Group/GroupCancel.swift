import ArgumentParser
import ChatDBKit

struct GroupCancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Remove a prepared group before joining starts.",
        discussion: """
            Examples:
              chatdb group cancel news
              chatdb group cancel news --dry-run
              chatdb group cancel id:3 --user alice --yes
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try GroupRemoval.cancellation.run(group, consent, output.output()) { _, _ in nil }
    }
}
