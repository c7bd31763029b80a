import ArgumentParser
import ChatDBKit

struct ServerShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a server: address, operator, state, test and roles.",
        discussion: """
            The password is not shown, and a QR code does not have it either. The roles are those in effect; a role that the server does not set itself is \
            that of its operator.

            Examples:
              chatdb server show smp8.simplex.im
              chatdb server show id:3 --user work --format json
              chatdb server show smp.example.org --qr-file server.svg
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession(profile.store, output.output())
        let report = try session.list { chat in
            let user = try profile.profile(in: chat)
            return ServerShowReport(
                user: user, row: try ServerRow(ServerFinder.find(named.server, of: user, in: chat), in: chat))
        }
        // Like everything that is shown, the code is without the password.
        let address = report.content.row.server.addressText()
        try output.write(QRReport(report, address, qr, of: session.location))
    }
}

/// All properties of a server but its password.
struct ServerShowReport: Report {
    let user: User
    let row: ServerRow

    private var server: ProtocolServer { row.server }

    var json: JSONValue {
        [
            "user": user.reference, "server": row.json, "hosts": JSONValue(server.hosts),
            "ownRoles": server.roles.json(server.serverProtocol),
        ]
    }

    var document: Document {
        [
            .heading("\(server.label) of \(user.name)"),
            .fields([
                Field("Id", key: "serverId", .number(server.id.rawValue)),
                Field("Protocol", .text(server.serverProtocol.shownName)),
                Field("Hosts", .text(server.hosts.joined(separator: ", "))),
                Field("Address", .text(server.addressText())),
                Field("Kind", .text(server.isPreset ? "preset" : "custom")),
                Field("Operator", .text(row.owner?.tradeName)), Field("State", row.state),
                Field("Test", TestResult.cell(server.tested)), Field("Roles", .text(row.roles.shown)),
                Field("Own roles", .text(server.roles.shown(server.serverProtocol))),
                Field("Password", key: "hasPassword", .yesNo(server.password != nil)),
            ]),
            .notes(row.notes),
        ]
    }

    /// The server as `server list` has it.
    var csvTable: Table { ServerRow.fields.csv([row]) }
}

extension ServerRoleChoices {
    /// The choices for the roles of a protocol, by name; null for a role without one.
    func json(_ serverProtocol: ServerProtocol) -> JSONValue {
        .object(ServerRole.of(serverProtocol).map { .init($0.rawValue, JSONValue(choice($0))) })
    }

    /// `storage, no proxy`; `none of its own` without a choice.
    func shown(_ serverProtocol: ServerProtocol) -> String {
        let words = ServerRole.of(serverProtocol).compactMap { role in
            choice(role).map { $0 ? role.rawValue : "no \(role.rawValue)" }
        }
        return words.isEmpty ? "none of its own" : words.joined(separator: ", ")
    }

    private func choice(_ role: ServerRole) -> Bool? {
        switch role {
        case .storage: storage
        case .proxy: proxy
        case .names: names
        }
    }
}
