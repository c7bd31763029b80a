package import ChatDBKit

/// An operator in the answers of commands.
package struct OperatorRow {
    package let `operator`: ServerOperator
    /// Whether the conditions of use are accepted for it; nil in a store without conditions.
    package let acceptance: ConditionsAcceptance?

    package init(`operator`: ServerOperator, acceptance: ConditionsAcceptance?) {
        self.operator = `operator`
        self.acceptance = acceptance
    }

    package var state: Cell { `operator`.isEnabled ? .text("enabled", .good) : .text("disabled", .dim) }

    package var conditions: Cell {
        switch acceptance {
        case .accepted?: .text("accepted", .good)
        case .required?: .text("required", `operator`.isEnabled ? .bad : .dim)
        case nil: .nothing
        }
    }

    /// All properties of an operator, for programs and spreadsheets.
    package static var fields: [FieldSpec<OperatorRow>] {
        [
            id, .text("tag") { $0.operator.tag?.text }, .text("name") { $0.operator.tradeName },
            .text("legalName") { $0.operator.legalName }, .texts("domains") { $0.operator.domains },
            .flag("enabled") { $0.operator.isEnabled },
            .json("roles") {
                ["smp": $0.operator.smpRoles.json(.smp), "xftp": $0.operator.xftpRoles.json(.xftp)]
            },
            .csv("smpRoles") { .text($0.operator.smpRoles.shown) },
            .csv("xftpRoles") { .text($0.operator.xftpRoles.shown) },
            .json("conditions") { $0.acceptance.map(\.json) ?? .null }, .csv("conditions") { $0.conditions },
        ]
    }

    /// The operators of a store, for people.
    package static var listed: [FieldSpec<OperatorRow>] {
        [
            id, .shown("Operator", shrinking: .end) { .text($0.operator.tradeName) }, .shown("State") { $0.state },
            .shown("Domains", shrinking: .end) { .text($0.operator.domains.joined(separator: ", ")) },
            .shown("SMP", shrinking: .end) { .text($0.operator.smpRoles.shown) },
            .shown("XFTP", shrinking: .end) { .text($0.operator.xftpRoles.shown) },
            .shown("Conditions") { $0.conditions },
        ]
    }

    private static var id: FieldSpec<OperatorRow> { .number("operatorId", "Id") { $0.operator.id.rawValue } }
}

extension ConditionsAcceptance {
    package var json: JSONValue {
        switch self {
        case .accepted(let time, let isAutomatic):
            [
                "accepted": true, "acceptedAt": JSONValue(time?.iso8601), "automatic": .bool(isAutomatic),
                "deadline": nil,
            ]
        case .required(let deadline):
            ["accepted": false, "acceptedAt": nil, "automatic": nil, "deadline": JSONValue(deadline?.iso8601)]
        }
    }
}

extension OperatorConditions {
    /// The current conditions and the action due; null in a store without conditions.
    package var json: JSONValue {
        guard let current else { return .null }
        var (word, deadline): (String?, StoredTime?) = (nil, nil)
        switch action {
        case .accepted?: word = "accepted"
        case .review(_, let time, _)?: (word, deadline) = ("review", time)
        case nil: break
        }
        return [
            "commit": .string(current.commit), "notifiedAt": JSONValue(current.notifiedAt?.iso8601),
            "action": JSONValue(word), "deadline": JSONValue(deadline?.iso8601),
        ]
    }
}
