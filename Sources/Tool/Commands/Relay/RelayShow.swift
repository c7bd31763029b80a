import ArgumentParser
import ChatDBKit

struct RelayShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a relay and the channels that refer to it.",
        discussion: """
            Also shows the channels that refer to the relay without using it: channels that were left, and those in \
            which the relay is inactive or rejected. Shows a soft-deleted relay while channels refer to it. Link host \
            is the host of the link that the relay made for a channel. Rows that do not count are those of another \
            profile, or lack their channel or their member; deleting the relay is soft because of them. A note names \
            channels that have lost their rows of the relay.

            Examples:
              chatdb relay show 'my relay'
              chatdb relay show id:7 --user work
              chatdb relay show relay.example.org --format json
              chatdb relay show 'my relay' --qr
              chatdb relay show 'my relay' --qr-file relay.png
            """)

    @OptionGroup var named: RelayArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession(profile.store, output.output())
        let report = try session.list { chat in
            let user = try profile.profile(in: chat)
            let relay = try RelayFinder.find(named.relay, of: user, includingDeleted: true, in: chat)
            let relays = ChatRelaysRepo(chat)
            return RelayShowReport(
                user: user, row: try RelayRow(relay.id, of: user.id, in: chat),
                operator: try OperatorsRepo(chat).all().owner(of: relay),
                channels: try relays.usedBy(relay.id, of: user.id),
                others: try relays.otherChannels(relay.id, of: user.id),
                uncounted: try relays.uncounted(relay.id, of: user.id),
                lost: try relays.channelsOfLostRows(relay.id, of: user.id),
                given: session.readsSimplex ? nil : profile.repeated)
        }
        try output.write(QRReport(report, report.content.row.relay.address, qr, of: session.location))
    }
}
