import ArgumentParser
import ChatDBKit

struct ServerTest: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test", abstract: "Connect to servers, and check their certificates and protocol.",
        discussion: """
            Without names, chatdb tests the enabled servers of the profile, except those of a disabled operator, all \
            at once. It connects to each server as an app would, compares its certificate with the key hash of the \
            address, and reads the first block of an SMP server. It sends no password and no command. Servers with \
            .onion hosts only are skipped. Needs OpenSSL 3.

            With --record, the results are kept as those of the last tests, as mark-tested does. If no server answers \
            at all, nothing is recorded. The exit code is 1 if a test failed or could not be made.

            Examples:
              chatdb server test
              chatdb server test smp8.simplex.im id:21 --timeout 5
              chatdb server test --all --record --format json
            """)

    @Argument(help: "The servers, by id, address or unique host (default: the enabled ones).")
    var servers: [String] = []

    @OptionGroup var test: ConnectionTestOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try test.check(servers) }

    func run() throws {
        try ConnectionTest(profile: profile, options: test, output: output.output()).run { chat in
            let user = try profile.profile(in: chat)
            return ConnectionTestReport(
                user: user, subject: .servers, all: test.all,
                rows: try chosen(of: user, in: chat).map(ConnectionTestRow.init))
        } record: { row, user, chat in
            let id = ProtocolServerID(row.id)
            // It may have been deleted, or got another address, while the test ran.
            guard try ServersRepo(chat).find(id, of: user.id)?.addressText() == row.address else { return false }
            try ServersWriter(chat).setTested(id, row.passed, of: user.id)
            return true
        }
    }

    private func chosen(of user: User, in chat: any ReadTransaction) throws -> [ProtocolServer] {
        if servers.isEmpty {
            let operators = try OperatorsRepo(chat).all()
            return try ServersRepo(chat).all(of: user.id).filter { server in
                test.all || server.isEnabled && operators.owner(of: server)?.isEnabled != false
            }
        }
        var found: [ProtocolServer] = []
        for name in servers {
            let server = try ServerFinder.find(name, of: user, in: chat)
            if !found.contains(server) { found.append(server) }
        }
        return found
    }
}

extension ConnectionTestRow {
    fileprivate init(_ server: ProtocolServer) {
        self.init(
            id: server.id.rawValue, name: "\(server.serverProtocol.shownName) \(server.hostAndPort)",
            address: server.addressText(), target: (try? server.address()).map { ServerTestTarget($0) })
    }
}
