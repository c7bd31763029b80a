import ArgumentParser
import ChatDBKit

struct RelayShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a relay and the channels that use it.",
        discussion: """
            Also shows a soft-deleted relay while channels keep it.

            Examples:
              chatdb relay show 'my relay'
              chatdb relay show id:7 --user work
              chatdb relay show relay.example.org --format json
            """)

    @OptionGroup var named: RelayArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).read { store in
            try store.read { chat in
                let user = try profile.profile(in: chat)
                let relay = try RelayFinder.find(named.relay, of: user, includingDeleted: true, in: chat)
                return RelayShowReport(
                    user: user, row: try RelayRow(relay.id, of: user.id, in: chat),
                    operator: try OperatorsRepo(chat).all().owner(of: relay),
                    channels: try ChatRelaysRepo(chat).usedBy(relay.id, of: user.id))
            }
        }
        try output.write(report)
    }
}

/// A relay and the channels that use it.
struct RelayShowReport: Report {
    let user: User
    let row: RelayRow
    let `operator`: ServerOperator?
    let channels: [RelayChannel]

    var json: JSONValue {
        ["user": user.reference, "relay": row.json, "usedBy": .array(channels.map { RelayChannel.fields.json($0) })]
    }

    var document: Document {
        let relay = row.relay
        return [
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
            .heading("Channels"), .table(table),
        ]
    }

    private var table: Table { RelayChannel.listed.table(channels, whenEmpty: "no channel uses it") }

    /// The channels; `relay list` has the properties of the relay as a table.
    var csvTable: Table { RelayChannel.fields.csv(channels) }
}

extension RelayChannel {
    fileprivate static var fields: [FieldSpec<RelayChannel>] {
        [
            idField, .text("name") { $0.displayName }, localName, .text("relayStatus") { $0.status.text },
            .text("relayLink") { $0.relayLink }, hostField,
        ]
    }

    fileprivate static var listed: [FieldSpec<RelayChannel>] {
        [
            idField, localName,
            .shown("Status") { .text($0.status.shownName, $0.status == .active ? .good : nil) }, hostField,
        ]
    }

    private static var idField: FieldSpec<RelayChannel> { .number("groupId", "Id") { $0.groupID.rawValue } }
    private static var localName: FieldSpec<RelayChannel> {
        .text("localDisplayName", "Name", shrinking: .end) { $0.localDisplayName }
    }
    private static var hostField: FieldSpec<RelayChannel> { .text("host", "Host", shrinking: .middle) { $0.host } }
}
