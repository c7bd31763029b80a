import ArgumentParser
import ChatDBKit

struct GroupRelays: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relays", abstract: "List the relays of a channel, with their status.",
        discussion: """
            Only the owners of a channel know the status of its relays. Other profiles see the relays as members, and \
            know only their membership.

            Examples:
              chatdb group relays news
              chatdb group relays news --format csv
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        try output.write(
            GroupInfoReader.report(of: group, output.output()) { GroupRelaysReport(show: GroupShowReport($0)) })
    }
}
