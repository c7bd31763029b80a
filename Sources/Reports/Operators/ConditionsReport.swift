package import ChatDBKit

/// The state of the conditions of use, or what a command made of it.
package struct ConditionsReport: Report {
    package let conditions: OperatorConditions
    /// For `accept`: the operators for which the conditions are accepted by it.
    package var accepted: [ServerOperator]?
    /// For `accept`: whether it was no dry run.
    package var isApplied = false

    package init(conditions: OperatorConditions, accepted: [ServerOperator]? = nil, isApplied: Bool = false) {
        self.conditions = conditions
        self.accepted = accepted
        self.isApplied = isApplied
    }

    private var rows: [OperatorRow] {
        conditions.operators.map { standing in
            OperatorRow(
                operator: standing.operator, acceptance: conditions.current == nil ? nil : standing.acceptance)
        }
    }

    private var deadline: StoredTime? {
        if case .review(_, let deadline, _)? = conditions.action { deadline } else { nil }
    }

    package var json: JSONValue {
        let state: [JSONValue.Member] = [
            .init("conditions", conditions.json),
            .init("operators", .array(rows.map { OperatorRow.withConditions.json($0) })),
        ]
        guard let accepted else { return .object(state) }
        return .object(
            [
                .init("changed", .bool(!accepted.isEmpty)), .init("accepted", .array(accepted.map(\.reference))),
            ] + state + [.init("applied", .bool(isApplied))])
    }

    package var document: Document {
        let table = Block.table(OperatorRow.listedConditions.table(rows, whenEmpty: "no operators"))
        guard let current = conditions.current else {
            return [table, .notes([.note("the store has no conditions of use; an app stores them")])]
        }
        guard let accepted else {
            return [
                .fields([
                    Field("Version", key: "commit", .text(current.commit)),
                    Field("Notified", key: "notifiedAt", .time(current.notifiedAt?.date)),
                ]), table, .notes(notes),
            ]
        }
        let names = accepted.map(\.tradeName).joined(separator: ", ")
        let sentence =
            accepted.isEmpty
            ? "The conditions of use are accepted already; nothing was changed."
            : "The conditions of use (\(current.commit)) \(isApplied ? "are now" : "would be") accepted for \(names)."
        return [.paragraph(sentence), table]
    }

    private var notes: [Note] {
        guard case .review(let due, _, _)? = conditions.action else { return [] }
        let names = due.map(\.tradeName).joined(separator: ", ")
        return [.note("to review \(deadline.map { "until \($0.iso8601)" } ?? "now"): \(names)")]
    }

    package var csvTable: Table { OperatorRow.withConditions.csv(rows) }
}

extension OperatorRow {
    /// The operators with their conditions, for programs and spreadsheets.
    fileprivate static var withConditions: [FieldSpec<OperatorRow>] {
        [
            id, .text("tag") { $0.operator.tag?.text }, .text("name") { $0.operator.tradeName },
            .flag("enabled") { $0.operator.isEnabled },
            .json("conditions") { $0.acceptance.map(\.json) ?? .null }, .csv("conditions") { $0.conditions },
            .csv("acceptedAt") { .time($0.accepted?.date) },
        ]
    }

    /// The same for people.
    fileprivate static var listedConditions: [FieldSpec<OperatorRow>] {
        [
            id, .shown("Operator", shrinking: .end) { .text($0.operator.tradeName) }, .shown("State") { $0.state },
            .shown("Conditions") { $0.conditions }, .shown("Accepted") { .time($0.accepted?.date) },
        ]
    }

    private static var id: FieldSpec<OperatorRow> { .number("operatorId", "Id") { $0.operator.id.rawValue } }

    private var accepted: StoredTime? {
        if case .accepted(let time, _)? = acceptance { time } else { nil }
    }
}
