import ArgumentParser
import ChatDBKit

struct RelayTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Connect to the servers that keep the addresses of relays.",
        discussion: """
            Without names, chatdb tests the enabled relays of the profile, except those of a disabled operator, all at \
            once. Only an app can ask a relay itself. chatdb connects to the server of the relay's address, and reads \
            its first block. It compares the certificate with the key hash of the address, or of a server of the \
            profile with the same host, and with nothing if there is neither. Relays with .onion hosts only are \
            skipped. Needs OpenSSL 3.

            With --record, a relay whose host cannot be reached is kept as failed. Other results say nothing about the \
            relay, and are not recorded. If no host answers at all, nothing is recorded. The exit code is 1 if a test \
            failed or could not be made.

            Examples:
              chatdb relay test
              chatdb relay test 'my relay' --timeout 5
              chatdb relay test --all --record --format json
            """)

    @Argument(help: "The relays, by name, id, address or unique host (default: the enabled ones).")
    var relays: [String] = []

    @OptionGroup var test: ConnectionTestOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try test.check(relays) }

    func run() throws {
        try ConnectionTest(profile: profile, options: test, output: output.output()).run { chat in
            let user = try profile.profile(in: chat)
            let relays = try chosen(of: user, in: chat)
            let known =
                try relays.isEmpty ? [] : ServersRepo(chat).all(.smp, of: user.id).compactMap { try? $0.address() }
            return ConnectionTestReport(
                user: user, subject: .relays, all: test.all,
                rows: relays.map { ConnectionTestRow($0, known: known) })
        } record: { row, user, chat in
            let id = ChatRelayID(row.id)
            guard let step = row.result?.failure?.step, step == .name || step == .connection,
                try ChatRelaysRepo(chat).find(id, of: user.id)?.address == row.address
            else { return false }
            try ChatRelaysWriter(chat).setTested(id, false, of: user.id)
            return true
        }
    }

    private func chosen(of user: User, in chat: any ReadTransaction) throws -> [ChatRelay] {
        if relays.isEmpty {
            return try test.all ? ChatRelaysRepo(chat).all(of: user.id) : ChatRelaysRepo(chat).testable(of: user.id)
        }
        var found: [ChatRelay] = []
        for name in relays {
            let relay = try RelayFinder.find(name, of: user, in: chat)
            if !found.contains(where: { $0.id == relay.id }) { found.append(relay) }
        }
        return found
    }
}

extension ConnectionTestRow {
    fileprivate init(_ relay: ChatRelay, known: [ServerAddress]) {
        self.init(
            id: relay.id.rawValue, name: relay.calledName, address: relay.address,
            target: (try? RelayAddress(relay.address)).map { ServerTestTarget(relay: $0, known: known) })
    }
}
