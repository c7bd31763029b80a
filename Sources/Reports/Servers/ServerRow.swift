package import ChatDBKit

/// A server in the answers of commands, without its password.
package struct ServerRow {
    package let server: ProtocolServer
    /// Its operator; nil for a custom server.
    package let owner: ServerOperator?

    package init(server: ProtocolServer, owner: ServerOperator?) {
        self.server = server
        self.owner = owner
    }

    /// Whether its operator is disabled for every profile, so that it is not used.
    package var isOperatorDisabled: Bool { owner?.isEnabled == false }

    /// Its roles when it is used.
    package var roles: ServerRoles { server.roles(under: owner) }

    /// The server as programs read it.
    package var json: JSONValue { Self.fields.json(self) }

    /// Whether it is used, in one word, and whether its address is not valid.
    package var state: Cell {
        if (try? server.address()) == nil {
            let word = !server.isEnabled ? "disabled" : isOperatorDisabled ? "operator off" : "enabled"
            return .text("\(word), invalid address", .bad)
        }
        if !server.isEnabled { return .text("disabled", .dim) }
        return isOperatorDisabled ? .text("operator off", .dim) : .text("enabled", .good)
    }

    /// Notes for a person who wants to use the server.
    package var notes: [Note] {
        isOperatorDisabled && server.isEnabled
            ? [.note("its operator is disabled for every profile, so the server is not used")] : []
    }
}

extension ServerRow {
    /// A server with its operator.
    package init(_ server: ProtocolServer, in chat: any ReadTransaction) throws {
        self.init(server: server, owner: try OperatorsRepo(chat).all().owner(of: server))
    }
}

extension ServerRow {
    /// All properties of a server, for programs and spreadsheets.
    package static var fields: [FieldSpec<ServerRow>] {
        [
            id, .text("protocol") { $0.server.serverProtocol.text }, address,
            .text("host") { $0.server.primaryHost }, .flag("preset") { $0.server.isPreset },
            .flag("tested") { $0.server.tested }, .flag("enabled") { $0.server.isEnabled },
            .json("operator") { $0.owner.map(\.reference) ?? .null },
            .csv("operatorId") { .number($0.owner?.id.rawValue) }, .csv("operator") { .text($0.owner?.tradeName) },
            .flag("operatorOff") { $0.isOperatorDisabled }, .json("roles") { $0.roles.json($0.server.serverProtocol) },
            .csv("storage") { .yesNo($0.roles.storage) }, .csv("proxy") { .yesNo($0.roles.proxy) },
            .csv("names") { .yesNo($0.roles.names) }, .flag("hasPassword") { $0.server.password != nil },
        ]
    }

    /// The servers of a profile, for people.
    package static var listed: [FieldSpec<ServerRow>] {
        [
            id, .shown("Host", shrinking: .end) { .text($0.server.hostAndPort) }, address,
            .shown("State") { $0.state }, .shown("Test") { TestResult.cell($0.server.tested) },
            .shown("Roles") { .text($0.roles.shown) },
        ]
    }

    private static var id: FieldSpec<ServerRow> { .number("serverId", "Id") { $0.server.id.rawValue } }
    private static var address: FieldSpec<ServerRow> {
        .text("address", "Address", shrinking: .middle) { $0.server.addressText() }
    }
}

extension ServerOperator {
    /// The operator as part of another answer.
    package var reference: JSONValue {
        ["operatorId": .integer(id.rawValue), "tag": JSONValue(tag?.text), "name": .string(tradeName)]
    }
}

extension ServerRoles {
    /// The roles that a protocol has, by name.
    package func json(_ serverProtocol: ServerProtocol) -> JSONValue {
        .object(ServerRole.of(serverProtocol).map { .init($0.rawValue, .bool(has($0))) })
    }

    /// `storage, proxy`, or `none`.
    package var shown: String {
        let names = ServerRole.allCases.filter(has).map(\.rawValue)
        return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}

extension ServerRole {
    /// The roles that servers of a protocol may have.
    package static func of(_ serverProtocol: ServerProtocol) -> [ServerRole] {
        switch serverProtocol {
        case .smp: allCases
        case .xftp: [.storage, .proxy]
        }
    }
}

extension ProtocolServer {
    /// Its primary host, with the port if it is not the default one.
    package var hostAndPort: String { primaryHost + (port.isEmpty ? "" : ":" + port) }

    /// `SMP server smp8.simplex.im`.
    package var label: String { "\(serverProtocol.shownName) server \(hostAndPort)" }
}
