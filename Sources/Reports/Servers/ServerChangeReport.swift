package import ChatDBKit

/// A server that was changed, or had that state already.
package struct ServerChangeReport: Report {
    package let user: User
    package let row: ServerRow
    package let fields: [FieldChange]
    /// The change as a clause after the server's name: `is disabled`.
    package let clause: String
    /// Whether the table of fields says more than the clause.
    package let showsFields: Bool

    /// The current state of the server, compared with the old one.
    package init(
        _ old: ProtocolServer, of user: User, in chat: any ReadTransaction, clause: String, showsFields: Bool = false
    ) throws {
        let new = try ServersRepo(chat).get(old.id, of: user.id)
        self.user = user
        row = try ServerRow(new, in: chat)
        fields = old.changes(to: new)
        self.clause = clause
        self.showsFields = showsFields
    }

    package var json: JSONValue {
        [
            "user": user.reference, "changed": .bool(!fields.isEmpty), "fields": FieldChange.json(fields),
            "server": row.json,
        ]
    }

    package var document: Document {
        let server = row.server
        let sentence = "The \(server.label) (id \(server.id)) of \(user.name) \(clause)"
        var blocks: [Block] = [
            .paragraph(sentence + (fields.isEmpty ? " already; nothing was changed." : "."))
        ]
        if showsFields, !fields.isEmpty { blocks.append(.table(FieldChange.table(fields))) }
        return Document(blocks + [.notes(row.notes)])
    }

    package var csvTable: Table { ServerRow.fields.csv([row]) }
}

extension ProtocolServer {
    /// The differences from another state of the same server. No value has a password.
    package func changes(to new: ProtocolServer) -> [FieldChange] {
        [
            .text("address", addressText(), new.addressText()),
            .flag("hasPassword", password != nil, new.password != nil),
            // Two passwords that differ are shown alike.
            password != nil && new.password != nil
                ? FieldChange(
                    "password", password, new.password, json: { _ in "(secret)" }, text: { _ in "(secret)" }) : nil,
            .tested(tested, new.tested), .flag("enabled", isEnabled, new.isEnabled),
            FieldChange(
                "ownRoles", roles, new.roles, json: { $0.json(serverProtocol) }, text: { $0.shown(serverProtocol) }),
        ].compactMap { $0 }
    }
}
