import ChatDBKit

/// A server as commands tell of it: without its password.
struct ServerRow {
    let server: ProtocolServer
    /// Whose it is; nil for the user's own.
    let owner: ServerOperator?

    /// Its operator is switched off for every profile, so it is not used.
    var isOperatorOff: Bool { owner?.isEnabled == false }

    /// What it is used for when it is used.
    var roles: ServerRoles { server.roles(under: owner) }

    /// The server as programs are told of it.
    var json: JSONValue {
        [
            "serverId": .integer(server.id.rawValue), "protocol": .string(server.serverProtocol.text),
            "address": .string(server.addressText()), "host": .string(server.primaryHost),
            "preset": .bool(server.isPreset), "tested": JSONValue(server.tested), "enabled": .bool(server.isEnabled),
            "operator": owner.map(\.reference) ?? .null, "operatorOff": .bool(isOperatorOff),
            "roles": roles.json(server.serverProtocol), "hasPassword": .bool(server.password != nil),
        ]
    }

    /// In a word, whether it is used.
    var state: Cell {
        if !server.isEnabled { return .text("disabled", .dim) }
        return isOperatorOff ? .text("operator off", .dim) : .text("enabled", .good)
    }

    /// What else there is to say of a server that somebody wants to use.
    var notes: [Note] {
        isOperatorOff && server.isEnabled ? [.note("its operator is off for every profile, so it is not used")] : []
    }
}

extension ServerOperator {
    /// The operator as part of another answer.
    var reference: JSONValue {
        ["operatorId": .integer(id.rawValue), "tag": JSONValue(tag?.text), "name": .string(tradeName)]
    }
}

extension ServerRoles {
    /// The roles that a protocol has, by name.
    func json(_ serverProtocol: ServerProtocol) -> JSONValue {
        .object(ServerRole.of(serverProtocol).map { .init($0.rawValue, .bool(has($0))) })
    }

    /// `storage, proxy`, or `none`.
    var shown: String {
        let names = ServerRole.allCases.filter(has).map(\.rawValue)
        return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}

extension ServerRole {
    /// The roles that servers of a protocol may have.
    static func of(_ serverProtocol: ServerProtocol) -> [ServerRole] {
        switch serverProtocol {
        case .smp: allCases
        case .xftp: [.storage, .proxy]
        }
    }
}
