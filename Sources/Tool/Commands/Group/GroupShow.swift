import ArgumentParser
import ChatDBKit

struct GroupShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a group or channel: link, owners, subscribers, relays, permitted actions.",
        discussion: """
            For owners and admins, chatdb counts the subscribers. For others, it shows the number that the channel \
            publishes. A QR code is that of the link, or else of the link by which the group was prepared.

            \(GroupRelays.columns)

            Examples:
              chatdb group show news
              chatdb group show id:3 --user alice --format json
              chatdb group show news --qr
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try GroupInfoReader.report(of: group, output.output()) { $0 }
        let shown = report.content.info.summary.group
        try output.write(
            QRReport(report, shown.link ?? shown.linkToConnect?.text, qr, of: group.profile.store.location()))
    }
}

/// Reads a group for an answer.
enum GroupInfoReader {
    static func report<Content: Report>(
        of group: GroupArgument, _ output: Output, _ make: (GroupShowReport) -> Content
    ) throws -> ListedReport<Content> {
        let session = try StoreSession(group.profile.store, output)
        return try session.listBoth { chat, agent in
            let user = try group.profile.profile(in: chat)
            let found = try GroupFinder.find(group.group, of: user, in: chat)
            let (id, groups) = (found.group.id, GroupsRepo(chat))
            let unfinished = found.group.isCreating ? try groups.unfinished(of: user.id) : []
            let lost = try? chat.attempt { () throws(StoreError) in
                try LostRelayConnections(of: id, of: user, chat: chat, agent: agent)
            }
            return make(
                GroupShowReport(
                    (
                        user, try groups.info(of: id, of: user.id),
                        unfinished.first { $0.summary.group.id == id }?.missing ?? [],
                        try GroupRelaying(of: id, of: user.id, in: chat)
                    ), group.profile.repeated, isWritable: !session.readsSimplex,
                    lostConnections: lost ?? LostRelayConnections()))
        }
    }
}
