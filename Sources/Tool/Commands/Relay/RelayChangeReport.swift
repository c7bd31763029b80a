import ChatDBKit

/// A relay that was changed, or that was as wanted already.
struct RelayChangeReport: Report {
    let user: User
    let row: RelayRow
    let fields: [FieldChange]
    /// What was done, as a clause after the relay's name: `is disabled`.
    let clause: String
    /// Whether the table of fields says more than the clause.
    var showsFields = false

    /// The relay as it is now, compared with what it was.
    init(
        _ before: ChatRelay, of user: User, in chat: any ReadTransaction, showsFields: Bool = false,
        clause: (RelayRow) -> String
    ) throws {
        self.user = user
        self.showsFields = showsFields
        row = try RelayRow(before.id, of: user.id, in: chat)
        fields = before.changes(to: row.relay)
        self.clause = clause(row)
    }

    var json: JSONValue {
        [
            "user": user.reference, "changed": .bool(!fields.isEmpty), "fields": FieldChange.json(fields),
            "relay": row.json,
        ]
    }

    var document: Document {
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

    var csvTable: Table { RelayListReport(user: user, relays: [row]).csvTable }
}

extension ChatRelay {
    /// What is different in another state of the same relay.
    fileprivate func changes(to new: ChatRelay) -> [FieldChange] {
        [
            .text("address", address, new.address), .text("name", name, new.name),
            .texts("domains", domains, new.domains), .tested(tested, new.tested),
            .time("testedAt", testedAt, new.testedAt), .flag("enabled", isEnabled, new.isEnabled),
        ].compactMap { $0 }
    }
}

extension RelayRow {
    /// `preset` or `custom`.
    var kind: String { relay.isPreset ? "preset" : "custom" }

    /// What else there is to say of a relay that somebody wants to use.
    var notes: [Note] {
        let off: [Note] =
            isOperatorOff && relay.isEnabled ? [.note("its operator is off, so no new channel uses it")] : []
        guard let owner, !relay.isPreset else { return off }
        return [.note("by its domains it belongs to \(owner.tradeName), with which it is switched on and off")] + off
    }

    /// What the channels have of a relay that is not there for new ones any more; empty when none uses it.
    var channelsKeepIt: String {
        switch use.using {
        case 0: ""
        case 1: "; the channel that uses it keeps it"
        default: "; the \(use.using) channels that use it keep it"
        }
    }
}
