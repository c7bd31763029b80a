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
        try output.write(GroupRelaysReport(show: GroupShowReport(try GroupInfoReader.read(group, output.output()))))
    }
}

/// The relays of a channel; in JSON the same document as that of `group show`.
struct GroupRelaysReport: Report {
    let show: GroupShowReport

    var json: JSONValue { show.json }

    var document: Document {
        let (info, group) = (show.info, show.info.summary.group)
        return [
            .heading("Relays of \(group.calledName)" + (info.summary.progressText.map { ": \($0) active" } ?? "")),
            .table(
                ChannelRelayRow.listed.table(
                    ChannelRelayRow.rows(of: info),
                    whenEmpty: group.isChannel
                        ? "no relays known" : "\(group.calledName) is a group, and has no relays")),
        ]
    }

    var csvTable: Table { ChannelRelayRow.fields.csv(ChannelRelayRow.rows(of: show.info)) }
}
