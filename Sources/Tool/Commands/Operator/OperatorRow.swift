import ChatDBKit

/// An operator as commands tell of it.
struct OperatorRow {
    let `operator`: ServerOperator
    /// Whether the conditions of use are accepted for it; nil in a store that knows none.
    let acceptance: ConditionsAcceptance?

    var json: JSONValue {
        [
            "operatorId": .integer(`operator`.id.rawValue), "tag": JSONValue(`operator`.tag?.text),
            "name": .string(`operator`.tradeName), "legalName": JSONValue(`operator`.legalName),
            "domains": JSONValue(`operator`.domains), "enabled": .bool(`operator`.isEnabled),
            "roles": ["smp": `operator`.smpRoles.json(.smp), "xftp": `operator`.xftpRoles.json(.xftp)],
            "conditions": acceptance.map(\.json) ?? .null,
        ]
    }

    var state: Cell { `operator`.isEnabled ? .text("enabled", .good) : .text("disabled", .dim) }

    var conditions: Cell {
        switch acceptance {
        case .accepted?: .text("accepted", .good)
        case .required?: .text("required", `operator`.isEnabled ? .bad : .dim)
        case nil: .nothing
        }
    }

    /// Operators for spreadsheets.
    static func csv(_ rows: [OperatorRow]) -> Table {
        let keys = [
            "operatorId", "tag", "name", "legalName", "domains", "enabled", "smpRoles", "xftpRoles", "conditions",
        ]
        return Table(
            keys.map { Column($0, key: $0) },
            rows: rows.map { row in
                let one = row.operator
                return [
                    .number(one.id.rawValue), .text(one.tag?.text), .text(one.tradeName), .text(one.legalName),
                    .text(one.domains.joined(separator: " ")), .yesNo(one.isEnabled), .text(one.smpRoles.shown),
                    .text(one.xftpRoles.shown), row.conditions,
                ]
            }, whenEmpty: "")
    }
}

extension ConditionsAcceptance {
    fileprivate var json: JSONValue {
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
