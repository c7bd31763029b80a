import ArgumentParser
import ChatDBKit

struct RelayAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a custom relay, or restore a soft-deleted one.",
        discussion: """
            ADDRESS is a short link of a relay: https://HOST/r#KEY or simplex:/r#KEY?h=HOST. Quote it, because it \
            contains #. The address of a soft-deleted relay restores that relay. It keeps its name and domains \
            unless you give others; a former preset relay loses its domains. The address of a preset relay that is \
            disabled enables that relay.

            Examples:
              chatdb relay add 'https://relay.example.org/r#KEY' --name 'my relay'
              chatdb relay add 'simplex:/r#KEY?h=relay.example.org' --domain example.org
              chatdb relay add --qr-file picture.png --name 'my relay'
            """)

    @Argument(help: "The relay's address.")
    var address: String?

    @OptionGroup var picture: QRPictureOption

    @Option(help: "A name, unique among the profile's relays.")
    var name: String?

    @Option(name: .customLong("domain"), help: "A domain of the relay. May be repeated.")
    var domains: [String] = []

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if (address != nil) == (picture.qrFile != nil) {
            throw ValidationError("specify either an address or --qr-file")
        }
    }

    func run() throws {
        let output = try output.output()
        if let address { try AddressOrFile.refuseFile(asRelay: address) }
        let address = try address ?? picture.qrFile.map { try QRPicture.text(in: $0) } ?? ""
        let session = try StoreSession(profile.store, output, simplex: changedArchive.simplex)
        var report = try session.write { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                let writer = ChatRelaysWriter(chat)
                var added = try writer.add(
                    address, name: name, domains: domains.isEmpty ? nil : domains, of: user.id)
                // Relays of the app have names.
                if session.isSimplex, added.outcome == .added { added = try writer.naming(added) }
                let use = try ChatRelaysRepo(chat).use(of: added.relay.id, of: user.id)
                return RelayAddReport(
                    user: user, added: added, row: RelayRow(added.relay, use, among: try OperatorsRepo(chat).all()))
            }
        }
        report.simplex = session.effect
        try output.write(report)
        report.simplex?.note(to: output)
        if output.format == .csv { report.droppedName.forEach(output.note) }
    }
}
