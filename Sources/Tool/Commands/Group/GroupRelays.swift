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

/// The relays of a channel; in JSON the same document as that of `group show`.
struct GroupRelaysReport: Report {
    let show: GroupShowReport

    var json: JSONValue { show.json }

    var document: Document {
        let (info, group) = (show.info, show.info.summary.group)
        let progress = info.lacksRelayRows ? ": status unknown" : info.summary.progressText.map { ": \($0) active" }
        return [
            .heading("Relays of \(group.calledName)" + (progress ?? "")),
            .table(
                ChannelRelayRow.listed.table(
                    ChannelRelayRow.rows(of: info),
                    whenEmpty: group.isChannel
                        ? "no relays known" : "\(group.calledName) is a group, and has no relays")),
            .notes(info.lacksRelayRows ? [.note(Self.missing)] : []),
        ]
    }

    private static let missing =
        "the profile owns the channel, but the rows with the status of its relays (group_relays) are missing; the list "
        + "shows the relays as members"

    var csvTable: Table { ChannelRelayRow.fields.csv(ChannelRelayRow.rows(of: show.info)) }
}

extension ChannelInfo {
    /// Whether the profile owns the channel, and has its relays as members only.
    var lacksRelayRows: Bool {
        relays.isEmpty && !relayMembers.isEmpty && summary.group.membership?.role == .owner
    }
}
