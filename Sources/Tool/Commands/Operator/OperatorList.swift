import ArgumentParser
import ChatDBKit

struct OperatorList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators, and how many of their entries a profile has enabled.",
        discussion: """
            Examples:
              chatdb operator list
              chatdb operator list --user work
              chatdb operator list --format json
            """, aliases: ["ls"])

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profileIfAny(in: chat)
            return OperatorListReport(
                conditions: try OperatorsRepo(chat).conditions(), user: user,
                groups: try user.map { try ServersRepo(chat).grouped(of: $0.id) } ?? [], given: profile.repeated)
        }
        try output.write(report)
    }
}

/// The operators of a store.
struct OperatorListReport: Report {
    let conditions: OperatorConditions
    /// The profile whose servers and relays are counted; nil if none is active or named.
    let user: User?
    let groups: [UserOperatorServers]
    /// The options for the next command.
    let given: GivenOptions

    private var rows: [OperatorRow] {
        conditions.operators.map { standing in
            OperatorRow(
                operator: standing.operator, acceptance: conditions.current == nil ? nil : standing.acceptance)
        }
    }

    var json: JSONValue {
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

    var document: Document {
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

    var csvTable: Table { OperatorRow.fields.csv(rows) }
}
