package import ChatDBKit

/// The operators of a store.
package struct OperatorListReport: Report {
    package let conditions: OperatorConditions
    /// The profile whose servers and relays are counted; nil if none is active or named.
    package let user: User?
    package let groups: [UserOperatorServers]
    /// The options for the next command.
    package let given: GivenOptions

    package init(conditions: OperatorConditions, user: User?, groups: [UserOperatorServers], given: GivenOptions) {
        self.conditions = conditions
        self.user = user
        self.groups = groups
        self.given = given
    }

    private var rows: [OperatorRow] {
        conditions.operators.map { standing in
            OperatorRow(
                operator: standing.operator, acceptance: conditions.current == nil ? nil : standing.acceptance)
        }
    }

    package var json: JSONValue {
        [
            "user": user.map(\.reference) ?? .null,
            "operators": .array(
                rows.map { row in
                    let use = user.map { _ in OperatorUse(row.operator.id, in: groups).members }
                    return .object(OperatorRow.fields.members(row) + (use ?? []))
                }),
            "conditions": conditions.json,
        ]
    }

    package var document: Document {
        let rows = rows
        var blocks: [Block] = [
            .table(
                OperatorRow.listed.table(
                    rows,
                    whenEmpty: given.text(
                        "no operators; \(.presetImport, "FILE", "--trust-operators") imports some")))
        ]
        if let user, !rows.isEmpty {
            blocks.append(.heading("Enabled for \(user.name)"))
            blocks.append(
                .table(
                    Table(
                        [Column("Operator", shrinking: .end)] + OperatorUse.columns,
                        rows: rows.map { row in
                            [.text(row.operator.tradeName)] + OperatorUse(row.operator.id, in: groups).cells
                        }, whenEmpty: "")))
            blocks.append(
                .notes(
                    rows.map(\.operator).flatMap { OperatorUse.notes($0, [OperatorUse($0.id, in: groups)]) }))
        }
        if case .review(let due, let deadline, _)? = conditions.action {
            let names = due.map(\.tradeName).joined(separator: ", ")
            blocks.append(
                .notes([
                    .note("conditions of use to review \(deadline.map { "until \($0.iso8601)" } ?? "now"): \(names)")
                ]))
        }
        return Document(blocks)
    }

    package var csvTable: Table { OperatorRow.fields.csv(rows) }
}

/// A profile's use of an operator: the numbers of enabled entries and of all, by kind.
package struct OperatorUse {
    package struct Count {
        package let enabled: Int
        package let total: Int

        package init(_ switches: [Bool]) {
            enabled = switches.count { $0 }
            total = switches.count
        }

        package var json: JSONValue { ["total": JSONValue(total), "enabled": JSONValue(enabled)] }
        package var cell: Cell { .text("\(enabled) of \(total)") }
    }

    package let smpServers: Count
    package let xftpServers: Count
    package let relays: Count

    package init(_ id: ServerOperatorID, in groups: [UserOperatorServers]) {
        let group = groups.first { $0.operator?.id == id }
        smpServers = Count(group?.smpServers.map(\.isEnabled) ?? [])
        xftpServers = Count(group?.xftpServers.map(\.isEnabled) ?? [])
        relays = Count(group?.chatRelays.map(\.isEnabled) ?? [])
    }

    package var members: [JSONValue.Member] {
        [
            .init("smpServers", smpServers.json), .init("xftpServers", xftpServers.json), .init("relays", relays.json),
        ]
    }

    /// Whether an entry is enabled.
    private var hasEnabled: Bool { smpServers.enabled + xftpServers.enabled + relays.enabled > 0 }

    /// Says of a disabled operator that its enabled entries are not used.
    package static func notes(_ owner: ServerOperator, _ uses: [OperatorUse]) -> [Note] {
        if owner.isEnabled || !uses.contains(where: \.hasEnabled) { return [] }
        return [.note("no profile uses the enabled entries of \(owner.tradeName) while that operator is disabled")]
    }

    package static let columns = [
        Column("SMP servers", key: "smpServers", alignment: .right),
        Column("XFTP servers", key: "xftpServers", alignment: .right), Column("Relays", alignment: .right),
    ]

    package var cells: [Cell] { [smpServers.cell, xftpServers.cell, relays.cell] }
}
