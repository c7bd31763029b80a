import ArgumentParser
import ChatDBKit

struct GroupCancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Delete a prepared group before joining starts, or an unfinished channel.",
        discussion: """
            The command does what group delete does, for a group that was prepared from its link and for a channel \
            whose creation is not finished. chatdb shows what the group contains, asks for confirmation, and backs the \
            store up.

            Examples:
              chatdb group cancel news
              chatdb group cancel news --dry-run
              chatdb group cancel id:3 --user alice --yes
              chatdb group cancel id:3 --yes --no-backup
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var undo: UndoOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try GroupRemoval.cancellation.run(group, consent, undo, output.output())
    }
}
