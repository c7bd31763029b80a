import ArgumentParser
import ChatDBKit

struct GroupRelays: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "relays", abstract: "List the relays of a channel, with their status.",
        discussion: """
            The status of a relay is known to the channel's owners. In other profiles the relays are members, and only \
            their membership is known.

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

/// The relays of a channel; for programs the same document as that of `group show`.
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
                    whenEmpty: group.isChannel ? "none known" : "none: \(group.calledName) is a group, no channel")),
        ]
    }

    var csvTable: Table { ChannelRelayRow.fields.csv(ChannelRelayRow.rows(of: show.info)) }
}
