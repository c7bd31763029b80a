import ArgumentParser
import Repos
import Schema

struct RelayAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a relay of your own, or bring a soft-deleted one back.",
        discussion: """
            ADDRESS is a short link of a relay: https://HOST/r#KEY or simplex:/r#KEY?h=HOST. Quote it, because of the #.

            Examples:
              chatdb relay add 'https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw'
              chatdb relay add 'simplex:/r#Fp5R…?h=relay.example.org' --name 'my relay' --domain example.org
            """)

    @Argument(help: "The relay's address.")
    var address: String

    @Option(help: "A name, unique among the profile's relays.")
    var name = ""

    @Option(name: .customLong("domain"), help: "A domain of the relay; may be given several times.")
    var domains: [String] = []

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession.write(profile.store) { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                let added = try ChatRelaysWriter(chat).add(address, name: name, domains: domains, of: user.id)
                let use = try ChatRelaysRepo(chat).use(of: added.relay.id, of: user.id)
                return RelayAddReport(user: user, added: added, use: use)
            }
        }
        try output.write(report)
    }
}

/// The relay that was added or brought back.
struct RelayAddReport: Report {
    let user: User
    let added: AddedRelay
    let use: RelayUse

    var json: JSONValue {
        ["outcome": .string(added.outcome.rawValue), "user": user.reference, "relay": added.relay.json(use)]
    }

    var document: Document {
        let sentence =
            added.outcome == .added
            ? "The relay \(added.relay.shownName) was added to \(user.name)."
            : "The relay \(added.relay.shownName) was brought back; \(use.using) channels of \(user.name) use it."
        return [.paragraph(sentence)]
    }

    var csvTable: Table {
        RelayListReport(
            user: user, relays: [RelayListReport.Row(relay: added.relay, use: use, isOperatorOff: false)]
        ).csvTable
    }
}
