package import ChatDBKit

/// The servers of a profile by operator.
package struct ServerListReport: Report {
    package let user: User
    package let groups: [UserOperatorServers]
    /// The requested protocol; nil for all.
    package let only: ServerProtocol?
    package let validation: UserServersValidation
    /// The options for the next command.
    package let given: GivenOptions

    package init(
        user: User, groups: [UserOperatorServers], only: ServerProtocol?, validation: UserServersValidation,
        given: GivenOptions
    ) {
        self.user = user
        self.groups = groups
        self.only = only
        self.validation = validation
        self.given = given
    }

    private func rows(_ group: UserOperatorServers) -> [ServerRow] {
        ServerProtocol.allCases.filter { only == nil || only == $0 }.flatMap(group.servers).map {
            ServerRow(server: $0, owner: group.operator)
        }
    }

    package var json: JSONValue {
        [
            "user": user.reference, "servers": .array(groups.flatMap(rows).map(\.json)),
            "errors": JSONValue(validation.errorTexts), "warnings": JSONValue(validation.warningTexts),
        ]
    }

    package var document: Document {
        var blocks: [Block] = []
        for group in groups {
            blocks.append(.heading(title(group)))
            blocks.append(.table(table(rows(group), isOwn: group.operator == nil)))
        }
        let all = groups.flatMap(rows)
        var notes: [Note] = validation.errorTexts.map { .warning($0) }
        if let ids = ids(all.filter { $0.owner != nil && !$0.server.isPreset }) {
            notes.append(.note("custom servers whose hosts belong to an operator: \(ids)"))
        }
        if let ids = ids(all.filter { $0.server.password != nil }) {
            notes.append(.note("the passwords of these servers are not shown (by id): \(ids)"))
        }
        return Document(blocks + [.notes(notes)])
    }

    /// Their ids in a sentence; nil for none.
    private func ids(_ rows: [ServerRow]) -> String? {
        rows.isEmpty ? nil : rows.map { "\($0.server.id)" }.joined(separator: ", ")
    }

    private func title(_ group: UserOperatorServers) -> String {
        guard let owner = group.operator else { return "Own servers of \(user.name)" }
        return owner.tradeName + (owner.isEnabled ? "" : " (disabled for every profile)")
    }

    private func table(_ rows: [ServerRow], isOwn: Bool) -> Table {
        ServerRow.listed.table(
            rows, whenEmpty: isOwn ? given.text("none; \(.serverAdd, "ADDRESS") adds one") : "none")
    }

    package var csvTable: Table { ServerRow.fields.csv(groups.flatMap(rows)) }
}

/// All properties of a server but its password.
package struct ServerShowReport: Report {
    package let user: User
    package let row: ServerRow

    package init(user: User, row: ServerRow) {
        self.user = user
        self.row = row
    }

    private var server: ProtocolServer { row.server }

    package var json: JSONValue {
        [
            "user": user.reference, "server": row.json, "hosts": JSONValue(server.hosts),
            "ownRoles": server.roles.json(server.serverProtocol),
        ]
    }

    package var document: Document {
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
    package var csvTable: Table { ServerRow.fields.csv([row]) }
}

extension ServerRoleChoices {
    /// The choices for the roles of a protocol, by name; null for a role without one.
    package func json(_ serverProtocol: ServerProtocol) -> JSONValue {
        .object(ServerRole.of(serverProtocol).map { .init($0.rawValue, JSONValue(choice($0))) })
    }

    /// `storage, no proxy`; `none of its own` without a choice.
    package func shown(_ serverProtocol: ServerProtocol) -> String {
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
