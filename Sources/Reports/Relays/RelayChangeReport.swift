package import ChatDBKit

/// A relay that was changed, or had that state already.
package struct RelayChangeReport: Report {
    package let user: User
    package let row: RelayRow
    package let fields: [FieldChange]
    /// The change as a clause after the relay's name: `is disabled`.
    package let clause: String
    /// Whether the table of fields says more than the clause.
    package var showsFields = false

    /// The current state of the relay, compared with the old one.
    package init(
        _ before: ChatRelay, of user: User, in chat: any ReadTransaction, showsFields: Bool = false,
        clause: (RelayRow) -> String
    ) throws {
        self.user = user
        self.showsFields = showsFields
        row = try RelayRow(before.id, of: user.id, in: chat)
        fields = before.changes(to: row.relay)
        self.clause = clause(row)
    }

    package var json: JSONValue {
        [
            "user": user.reference, "changed": .bool(!fields.isEmpty), "fields": FieldChange.json(fields),
            "relay": row.json,
        ]
    }

    package var document: Document {
        let name = "The relay \(row.relay.calledName) (id \(row.relay.id)) of \(user.name)"
        var blocks: [Block] = [
            .paragraph(
                fields.isEmpty
                    ? "\(name) \(clause) already; nothing was changed." : "\(name) \(clause).")
        ]
        if showsFields, !fields.isEmpty { blocks.append(.table(FieldChange.table(fields))) }
        blocks.append(.notes(row.notes))
        return Document(blocks)
    }

    package var csvTable: Table { RelayRow.fields.csv([row]) }
}

extension ChatRelay {
    /// The differences from another state of the same relay.
    fileprivate func changes(to new: ChatRelay) -> [FieldChange] {
        [
            .text("address", address, new.address), .text("name", name, new.name),
            .texts("domains", domains, new.domains), .tested(tested, new.tested),
            .time("testedAt", testedAt, new.testedAt), .flag("enabled", isEnabled, new.isEnabled),
        ].compactMap { $0 }
    }
}
