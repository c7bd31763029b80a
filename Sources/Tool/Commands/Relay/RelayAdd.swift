import ArgumentParser
import ChatDBKit

struct RelayAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a custom relay, or restore a soft-deleted one.",
        discussion: """
            ADDRESS is a short link of a relay: https://HOST/r#KEY or simplex:/r#KEY?h=HOST. Quote it, because it \
            contains #.

            Examples:
              chatdb relay add 'https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'
              chatdb relay add 'simplex:/r#Fp5R…?h=relay.example.org' --name 'my relay' --domain example.org
            """)

    @Argument(help: "The relay's address.")
    var address: String

    @Option(help: "A name, unique among the profile's relays.")
    var name = ""

    @Option(name: .customLong("domain"), help: "A domain of the relay. May be repeated.")
    var domains: [String] = []

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).write { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                let added = try ChatRelaysWriter(chat).add(address, name: name, domains: domains, of: user.id)
                let use = try ChatRelaysRepo(chat).use(of: added.relay.id, of: user.id)
                return RelayAddReport(
                    user: user, outcome: added.outcome,
                    row: RelayRow(added.relay, use, among: try OperatorsRepo(chat).all()))
            }
        }
        try output.write(report)
    }
}

/// The relay that was added or restored.
struct RelayAddReport: Report {
    let user: User
    let outcome: AddedRelay.Outcome
    let row: RelayRow

    var json: JSONValue {
        ["outcome": .string(outcome.rawValue), "user": user.reference, "relay": row.json]
    }

    var document: Document {
        let name = row.relay.calledName
        var blocks: [Block] =
            switch outcome {
            case .added: [.paragraph("The relay \(name) was added to \(user.name) (id \(row.relay.id)).")]
            case .restored:
                [.paragraph("The relay \(name) of \(user.name) was restored (id \(row.relay.id)); \(users).")]
            }
        blocks.append(.notes(row.notes))
        return Document(blocks)
    }

    private var users: String { row.use.using == 1 ? "1 channel uses it" : "\(row.use.using) channels use it" }

    var csvTable: Table { RelayRow.fields.csv([row]) }
}
