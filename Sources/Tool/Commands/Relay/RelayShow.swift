import ArgumentParser
import ChatDBKit

struct RelayShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a relay and the channels that refer to it.",
        discussion: """
            Also shows the channels that refer to the relay without using it: channels that were left, and those in \
            which the relay is inactive or rejected. Shows a soft-deleted relay while channels refer to it.

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
                others: try relays.otherChannels(relay.id, of: user.id))
        }
        try output.write(QRReport(report, report.content.row.relay.address, qr, of: session.location))
    }
}

/// A relay and the channels that refer to it.
struct RelayShowReport: Report {
    let user: User
    let row: RelayRow
    let `operator`: ServerOperator?
    /// The channels that use it.
    let channels: [RelayChannel]
    /// The channels that refer to it without using it.
    let others: [RelayChannel]

    var json: JSONValue {
        [
            "user": user.reference, "relay": row.json,
            "usedBy": .array(channels.map { RelayChannel.fields.json($0) }),
            "otherChannels": .array(others.map { RelayChannel.fields.json($0) }),
        ]
    }

    var document: Document {
        let relay = row.relay
        var blocks: [Block] = [
            .heading("Relay \(relay.calledName) of \(user.name)"),
            .fields([
                Field("Id", key: "chatRelayId", .number(relay.id.rawValue)),
                Field("Name", .text(relay.name.isEmpty ? nil : relay.name)), Field("Address", .text(relay.address)),
                Field("Host", .text(relay.host)),
                Field("Domains", .text(relay.domains.isEmpty ? nil : relay.domains.joined(separator: ", "))),
                Field("Kind", .text(row.kind)), Field("Operator", .text(`operator`?.tradeName)),
                Field("State", row.state), Field("Test", row.test),
                Field("Tested", key: "testedAt", .time(relay.testedAt?.date)),
                Field("Active in", key: "active", .text("\(row.use.active) of \(counted(row.use.using, "channel"))")),
            ]),
            .heading("Channels"), .table(RelayChannel.listed.table(channels, whenEmpty: "no channel uses it")),
        ]
        if !others.isEmpty {
            blocks += [
                .heading("Other channels that refer to it"),
                .table(RelayChannel.listedOthers.table(others, whenEmpty: "")),
            ]
        }
        return Document(blocks)
    }

    /// The channels; `relay list` has the properties of the relay as a table.
    var csvTable: Table { RelayChannel.fields.csv(channels + others) }
}

extension RelayChannel {
    fileprivate static var fields: [FieldSpec<RelayChannel>] {
        [
            idField, .text("name") { $0.displayName }, localName, .text("relayStatus") { $0.status.text },
            .text("relayLink") { $0.relayLink }, hostField, .text("membership") { $0.membership?.text },
            .csv("using") { .yesNo($0.isUsing) },
        ]
    }

    fileprivate static var listed: [FieldSpec<RelayChannel>] { [idField, localName, statusField, hostField] }

    fileprivate static var listedOthers: [FieldSpec<RelayChannel>] {
        [idField, localName, .shown("Membership") { .text($0.membership?.text) }, statusField, hostField]
    }

    private static var statusField: FieldSpec<RelayChannel> {
        .shown("Status") { .text($0.status.shownName, $0.status == .active ? .good : nil) }
    }

    private static var idField: FieldSpec<RelayChannel> { .number("groupId", "Id") { $0.groupID.rawValue } }
    private static var localName: FieldSpec<RelayChannel> {
        .text("localDisplayName", "Name", shrinking: .end) { $0.localDisplayName }
    }
    private static var hostField: FieldSpec<RelayChannel> { .text("host", "Host", shrinking: .middle) { $0.host } }
}
