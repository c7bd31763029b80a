import ArgumentParser
import ChatDBKit

struct RelayList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the relays of a profile, and how many channels use each.",
        discussion: """
            Examples:
              chatdb relay list
              chatdb relay list --user work --deleted
              chatdb relay list --format json
            """, aliases: ["ls"])

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Include soft-deleted relays.")
    var deleted = false

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            return try RelayListReport(of: user, includingDeleted: deleted, in: chat, profile.repeated)
        }
        try output.write(report)
    }
}

/// The relays of a profile.
struct RelayListReport: Report {
    let user: User
    let relays: [RelayRow]
    /// Whether the version of the store has relays.
    private let isKept: Bool
    /// The options for the next command.
    let given: GivenOptions

    init(user: User, relays: [RelayRow], isKept: Bool = true, given: GivenOptions = .none) {
        self.user = user
        self.relays = relays
        self.isKept = isKept
        self.given = given
    }

    init(
        of user: User, includingDeleted: Bool, in chat: any ReadTransaction, _ given: GivenOptions = .none
    ) throws {
        let operators = try OperatorsRepo(chat).all()
        let usage = try ChatRelaysRepo(chat).usage(of: user.id, includingDeleted: includingDeleted)
        self.init(
            user: user, relays: usage.map { RelayRow($0.relay, $0.use, among: operators) },
            isKept: try KeptTables(in: chat).relays, given: given)
    }

    var json: JSONValue {
        ["user": user.reference, "relays": .array(relays.map(\.json))]
    }

    var document: Document {
        let preset = relays.filter(\.relay.isPreset)
        let custom = relays.filter { !$0.relay.isPreset }
        var blocks: [Block] = [
            .heading("Preset relays of \(user.name)"), .table(RelayRow.listed.table(preset, whenEmpty: "none")),
            .heading("Custom relays"),
            .table(
                RelayRow.listed.table(
                    custom, whenEmpty: given.text("none; \(.relayAdd, "ADDRESS") adds one"))),
        ]
        if isKept, !relays.contains(where: \.isChoosable) {
            blocks.append(.notes([.warning(ChatRelaysError.noEnabledRelays.message)]))
        }
        return Document(blocks)
    }

    var csvTable: Table { RelayRow.fields.csv(relays) }
}
