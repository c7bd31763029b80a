import ArgumentParser
import ChatDBKit

struct ServerAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add custom servers.",
        discussion: """
            ADDRESS is smp://KEYHASH@HOST or xftp://KEYHASH@HOST. If the server requires a password, add :PASSWORD \
            after the key hash. If it does not use the default port, add :PORT at the end. A new server is enabled \
            and untested. Of several addresses, chatdb adds all or none.

            Examples:
              chatdb server add 'smp://KEYHASH@smp.example.org'
              chatdb server add 'xftp://KEYHASH:PASSWORD@files.example.org:5224' -u work
              chatdb server add smp://KEYHASH@a.example.org smp://KEYHASH@b.example.org
              chatdb server add --qr-file picture.png
            """)

    @Argument(help: ArgumentHelp("The addresses of the servers.", valueName: "address"))
    var addresses: [String] = []

    @OptionGroup var picture: QRPictureOption

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if addresses.isEmpty, picture.qrFile == nil { throw ValidationError("specify an address or --qr-file") }
        for address in addresses { try ServerAddress.refusePlaceholder(in: address) }
    }

    func run() throws {
        for address in addresses { try AddressOrFile.refuseFile(asServer: address) }
        let addresses = try addresses + (picture.qrFile.map { try QRPicture.texts(in: $0) } ?? [])
        try profile.change(output, simplex: changedArchive.simplex) { user, chat in
            let added = try ServersNotAdded.orAdded(addresses, of: user, in: chat)
            return ServerAddReport(user: user, rows: try added.map { try ServerRow($0, in: chat) })
        }
    }
}

/// Addresses of several that cannot be added, so that none was.
struct ServersNotAdded: Reportable {
    /// The number of addresses that were given.
    let count: Int
    /// The address without its password, and the error.
    let problems: [(address: String, error: ServersError)]

    /// Adds servers, and throws the error of a single address, or this one with all faulty addresses.
    static func orAdded(
        _ addresses: [String], of user: User, in chat: any WriteTransaction
    ) throws -> [ProtocolServer] {
        let writer = ServersWriter(chat)
        if addresses.count == 1 { return [try writer.add(addresses[0], of: user.id)] }
        var added: [ProtocolServer] = []
        var problems: [(address: String, error: ServersError)] = []
        for address in addresses {
            do throws(ServersError) {
                added.append(try writer.add(address, of: user.id))
            } catch .duplicateServer(let existing) where added.contains(existing) {
                // The number is that of a row that will not exist.
                problems.append((Secrets.hidden(inAddress: address), .duplicateServer(existing: existing.given)))
            } catch {
                if error.storeError != nil { throw error }
                problems.append((Secrets.hidden(inAddress: address), error))
            }
        }
        if !problems.isEmpty { throw ServersNotAdded(count: addresses.count, problems: problems) }
        return added
    }

    var report: ErrorReport {
        let infos = problems.map(\.error.info)
        let first = infos.first { $0.kind == .invalid } ?? infos[0]
        return ErrorReport(
            first.code,
            "none of the \(count) servers was added: chatdb refuses \(problems.count == 1 ? "1 address" : "\(problems.count) addresses")",
            lines: zip(problems, infos).map { "\($0.address): \($1.message)" }, state: "Nothing was changed.",
            hint: infos.allSatisfy { $0.kind == .refused } ? .command(.serverList) : nil,
            details: [
                "problems": .array(
                    zip(problems, infos).map {
                        [
                            "address": .string($0.address), "code": .string($1.code), "message": .string($1.message),
                        ]
                    })
            ], exit: ExitStatus(first.kind))
    }
}

extension ProtocolServer {
    /// The server as one that is given twice: without a number.
    fileprivate var given: ProtocolServer {
        ProtocolServer(
            id: ProtocolServerID(0), userID: userID, serverProtocol: serverProtocol, hosts: hosts, port: port,
            keyHash: keyHash, password: nil, isPreset: isPreset, tested: tested, isEnabled: isEnabled, roles: roles)
    }
}
