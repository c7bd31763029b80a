package import ChatDBKit

/// The relay that was added, restored or enabled.
package struct RelayAddReport: Report {
    package let user: User
    package let added: AddedRelay
    package let row: RelayRow
    /// What SimpleX Chat does with the change; nil for chatdb's own stores.
    package var simplex: SimplexEffect?

    package init(user: User, added: AddedRelay, row: RelayRow, simplex: SimplexEffect? = nil) {
        self.user = user
        self.added = added
        self.row = row
        self.simplex = simplex
    }

    package var json: JSONValue {
        let members: [JSONValue.Member] = [
            .init("outcome", .string(added.outcome.rawValue)), .init("user", user.reference),
            .init("relay", row.json), .init("notes", JSONValue(droppedName)),
        ]
        return .object(members + simplex.members)
    }

    package var document: Document {
        let name = row.relay.calledName
        var blocks: [Block] =
            switch added.outcome {
            case .added: [.paragraph("The relay \(name) was added to \(user.name) (id \(row.relay.id)).")]
            case .restored:
                [.paragraph("The relay \(name) of \(user.name) was restored (id \(row.relay.id)); \(users).")]
            case .enabled: [.paragraph("The preset relay \(name) (id \(row.relay.id)) of \(user.name) is enabled.")]
            }
        blocks.append(.notes(droppedName.map { .note($0) } + row.notes))
        return Document(blocks + simplex.blocks)
    }

    /// The notice that the relay could not keep its name.
    package var droppedName: [String] {
        added.droppedName.map { ["the relay lost its name \"\($0)\", because another relay has that name by now"] }
            ?? []
    }

    private var users: String { row.use.using == 1 ? "1 channel uses it" : "\(row.use.using) channels use it" }

    package var csvTable: Table { RelayRow.fields.csv([row]) }
}
