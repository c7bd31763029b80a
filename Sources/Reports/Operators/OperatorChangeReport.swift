package import ChatDBKit

/// A change to an operator, with its effect on every profile.
package struct OperatorChangeReport: Report {
    package let row: OperatorRow
    package let fields: [FieldChange]
    /// The change as a clause after the operator's name: `is disabled`.
    package let clause: String
    /// The named profile, then the others, with their use of the operator.
    package let profiles: [(user: User, use: OperatorUse)]
    package let hiddenProfiles: Int

    package init(
        row: OperatorRow, fields: [FieldChange], clause: String, profiles: [(user: User, use: OperatorUse)],
        hiddenProfiles: Int
    ) {
        self.row = row
        self.fields = fields
        self.clause = clause
        self.profiles = profiles
        self.hiddenProfiles = hiddenProfiles
    }

    package var json: JSONValue {
        [
            "changed": .bool(!fields.isEmpty), "fields": FieldChange.json(fields),
            "operator": OperatorRow.fields.json(row),
            "profiles": .array(
                profiles.map { .object(($0.user.reference.members ?? []) + $0.use.members) }),
            "hiddenProfiles": JSONValue(hiddenProfiles),
        ]
    }

    package var document: Document {
        let name = "The operator \(row.operator.tradeName)"
        if fields.isEmpty { return [.paragraph("\(name) \(clause) already; nothing was changed.")] }
        let table = Table(
            [Column("Profile", key: "name", shrinking: .end)] + OperatorUse.columns,
            rows: profiles.map { [.text($0.user.name)] + $0.use.cells }, whenEmpty: "no profiles")
        var blocks: [Block] = [.paragraph("\(name) \(clause), for every profile of the store.")]
        if !fields.allSatisfy({ $0.name == "enabled" }) { blocks.append(.table(FieldChange.table(fields))) }
        return Document(
            blocks + [
                .heading("Enabled entries"), .table(table),
                .notes(
                    (hiddenProfiles == 0 ? [] : [.note("and \(counted(hiddenProfiles, "hidden profile"))")])
                        + OperatorUse.notes(row.operator, profiles.map(\.use))),
            ])
    }

    package var csvTable: Table { OperatorRow.fields.csv([row]) }
}

extension OperatorChangeReport {
    /// The current state of the operator, compared with the old one.
    package init(
        _ old: ServerOperator, of user: User?, hidden: HiddenProfiles, in chat: any ReadTransaction,
        clause: (ServerOperator, ServerOperator) -> String
    ) throws {
        let conditions = try OperatorsRepo(chat).conditions()
        let new = try OperatorsRepo(chat).get(old.id)
        let acceptance = conditions.operators.first { $0.operator.id == old.id }?.acceptance
        let allProfiles = try ServersRepo(chat).allProfiles()
        let visible = try UsersRepo(chat).all(hidden: hidden).map(\.id) + [user?.id].compactMap { $0 }
        let shown = allProfiles.filter { visible.contains($0.user.id) }
        let ordered = shown.filter { $0.user.id == user?.id } + shown.filter { $0.user.id != user?.id }
        self.init(
            row: OperatorRow(operator: new, acceptance: conditions.current == nil ? nil : acceptance),
            fields: [
                .flag("enabled", old.isEnabled, new.isEnabled),
                .roles("smpRoles", .smp, old.smpRoles, new.smpRoles),
                .roles("xftpRoles", .xftp, old.xftpRoles, new.xftpRoles),
            ].compactMap { $0 },
            clause: clause(old, new), profiles: ordered.map { ($0.user, OperatorUse(old.id, in: $0.groups)) },
            hiddenProfiles: allProfiles.count - shown.count)
    }
}

extension FieldChange {
    /// A change of the roles of servers.
    fileprivate static func roles(
        _ name: String, _ serverProtocol: ServerProtocol, _ from: ServerRoles, _ to: ServerRoles
    ) -> FieldChange? {
        FieldChange(name, from, to, json: { $0.json(serverProtocol) }, text: \.shown)
    }
}
