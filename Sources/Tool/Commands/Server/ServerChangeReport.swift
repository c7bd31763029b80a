import ChatDBKit

/// A server that was enabled or disabled, or had that state already.
struct ServerChangeReport: Report {
    let user: User
    let row: ServerRow
    let fields: [FieldChange]

    /// Enables or disables a server, unless it has that state already.
    static func enable(
        _ given: String, _ isEnabled: Bool, of user: User, in chat: any WriteTransaction
    ) throws -> ServerChangeReport {
        let old = try ServerFinder.find(given, of: user, in: chat)
        if old.isEnabled != isEnabled { try ServersWriter(chat).setEnabled(old.id, isEnabled, of: user.id) }
        let new = try ServersRepo(chat).get(old.id, of: user.id)
        return ServerChangeReport(
            user: user, row: try ServerRow(new, in: chat),
            fields: [FieldChange.flag("enabled", old.isEnabled, new.isEnabled)].compactMap { $0 })
    }

    var json: JSONValue {
        [
            "user": user.reference, "changed": .bool(!fields.isEmpty), "fields": FieldChange.json(fields),
            "server": row.json,
        ]
    }

    var document: Document {
        let server = row.server
        let sentence =
            "The \(server.label) (id \(server.id)) of \(user.name) is \(server.isEnabled ? "enabled" : "disabled")"
        return [
            .paragraph(sentence + (fields.isEmpty ? " already; nothing was changed." : ".")),
            .notes(row.notes),
        ]
    }

    var csvTable: Table { ServerRow.fields.csv([row]) }
}
