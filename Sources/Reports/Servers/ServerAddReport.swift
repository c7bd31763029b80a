package import ChatDBKit

/// The servers that were added.
package struct ServerAddReport: Report {
    package let user: User
    package let rows: [ServerRow]

    package init(user: User, rows: [ServerRow]) {
        self.user = user
        self.rows = rows
    }

    package var json: JSONValue {
        [
            "outcome": "added", "user": user.reference, "server": rows.count == 1 ? rows[0].json : .null,
            "servers": .array(rows.map(\.json)),
        ]
    }

    package var document: Document {
        guard rows.count == 1, let row = rows.first else {
            return [
                .paragraph("\(counted(rows.count, "server")) were added to \(user.name)."),
                .table(ServerRow.listed.table(rows, whenEmpty: "none")), .notes(passwords),
            ]
        }
        let ownerClause = row.owner.map { "; its host belongs to the operator \($0.tradeName)" } ?? ""
        return [
            .paragraph("The \(row.server.label) was added to \(user.name) (id \(row.server.id))\(ownerClause)."),
            .notes(row.notes + passwords),
        ]
    }

    package var csvTable: Table { ServerRow.fields.csv(rows) }

    private var passwords: [Note] {
        let count = rows.filter { $0.server.password != nil }.count
        let words = rows.count == 1 ? "its password" : counted(count, "password")
        let them = count == 1 ? "it" : "them"
        return count == 0
            ? []
            : [
                .note(
                    "the store keeps \(words); lists do not show \(them), and exports omit \(them) without --with-secrets"
                )
            ]
    }
}
