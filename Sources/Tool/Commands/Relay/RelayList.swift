import ArgumentParser
import Repos
import Schema

struct RelayList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the relays of a profile, with how many channels use each.",
        discussion: """
            Examples:
              chatdb relay list
              chatdb relay list --user work --deleted
              chatdb relay list --format json
            """)

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "List soft-deleted relays too.")
    var deleted = false

    func run() throws {
        let report = try StoreSession.read(profile.store, output.output()) { store in
            try store.read { chat in
                let user = try profile.profile(in: chat)
                let operators = try OperatorsRepo(chat).all()
                let rows = try ChatRelaysRepo(chat).usage(of: user.id, includingDeleted: deleted).map { usage in
                    RelayListReport.Row(
                        relay: usage.relay, use: usage.use,
                        isOperatorOff: operators.owner(of: usage.relay)?.isEnabled == false)
                }
                return RelayListReport(user: user, relays: rows)
            }
        }
        try output.write(report)
    }
}

/// The relays of a profile.
struct RelayListReport: Report {
    struct Row {
        let relay: ChatRelay
        let use: RelayUse
        /// Its operator is switched off for every profile, so it is not used for new channels.
        let isOperatorOff: Bool
    }

    let user: User
    let relays: [Row]

    var json: JSONValue {
        ["user": user.reference, "relays": .array(relays.map { $0.relay.json($0.use) })]
    }

    var document: Document {
        let preset = relays.filter(\.relay.isPreset)
        let custom = relays.filter { !$0.relay.isPreset }
        var blocks: [Block] = [.heading("Preset relays"), .table(table(preset, whenEmpty: "none"))]
        blocks += [.heading("Your relays"), .table(table(custom, whenEmpty: "none; chatdb relay add ADDRESS adds one"))]
        if !relays.contains(where: { $0.relay.isEnabled && !$0.relay.isDeleted && !$0.isOperatorOff }) {
            blocks.append(.notes([.warning("No chat relays enabled. Channels require at least one relay.")]))
        }
        return Document(blocks)
    }

    var csvTable: Table { table(relays, whenEmpty: "") }

    private func table(_ rows: [Row], whenEmpty: String) -> Table {
        Table(
            [
                Column("Id", key: "chatRelayId", alignment: .right), Column("Relay", key: "shownName", shrinking: .end),
                Column("Address", shrinking: .middle), Column("State"), Column("Test", key: "tested"),
                Column("Channels", alignment: .right), Column("Active", alignment: .right),
            ],
            rows: rows.map { row in
                [
                    .number(row.relay.id.rawValue), .text(row.relay.name.isEmpty ? row.relay.shownName : row.relay.name),
                    .text(row.relay.address), row.state, row.relay.testCell, .count(row.use.using),
                    .count(row.use.active),
                ]
            }, whenEmpty: whenEmpty)
    }
}

extension RelayListReport.Row {
    /// In a word, whether a new channel may use it.
    fileprivate var state: Cell {
        if relay.isDeleted { return .text("soft-deleted", .dim) }
        if isOperatorOff { return .text("operator off", .dim) }
        return relay.isEnabled ? .text("enabled", .good) : .text("disabled", .dim)
    }
}

extension ChatRelay {
    /// The relay as programs are told of it.
    func json(_ use: RelayUse) -> JSONValue {
        [
            "chatRelayId": .integer(id.rawValue), "address": .string(address), "name": .string(name),
            "shownName": .string(shownName), "host": .string(host), "domains": JSONValue(domains),
            "preset": .bool(isPreset), "tested": JSONValue(tested), "enabled": .bool(isEnabled),
            "deleted": .bool(isDeleted),
            "channels": ["using": JSONValue(use.using), "active": JSONValue(use.active)],
        ]
    }

    /// What the last test said.
    fileprivate var testCell: Cell {
        switch tested {
        case true?: .text("passed", .good)
        case false?: .text("failed", .bad)
        case nil: .text("untested", .dim)
        }
    }
}
