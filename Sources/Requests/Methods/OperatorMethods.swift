import ChatDBKit
import ChatDBReports

/// `operators` and `conditions`: all profiles share them.
enum OperatorMethods {
    private static let id = Parameter<ServerOperatorID>.id("operatorId", "The operator.")
    private static let ids = Parameter<[ServerOperatorID]>.ids(
        "operatorIds", "The operators; all enabled ones that need it if it is missing."
    ).optional

    private static let changed = Shape.members([
        "changed": .flag, "fields": Shapes.changedFields, "operator": Shapes.serverOperator,
        "profiles": .array(
            Shapes.profile.and([
                "smpServers": Shapes.enabled, "xftpServers": Shapes.enabled, "relays": Shapes.enabled,
            ])), "hiddenProfiles": .integer, "warnings": .array(.text),
    ])
    private static let standing = Shape.members([
        "operatorId": .integer, "tag": .nullable(.text), "name": .text, "enabled": .flag,
        "conditions": Shapes.acceptance,
    ])

    static let all: [RequestMethod] = [
        .reading(
            "operators.list", "Lists the operators, and how many of their entries a profile has enabled.",
            [RequestMethod.user],
            result: .members([
                "user": .nullable(Shapes.profile),
                "operators": .array(
                    Shapes.serverOperator.and([
                        "smpServers?": Shapes.enabled, "xftpServers?": Shapes.enabled, "relays?": Shapes.enabled,
                    ])), "conditions": Shapes.conditions,
            ])
        ) { call, chat in
            let user = try call.userIfAny(in: chat)
            return OperatorListReport(
                conditions: try OperatorsRepo(chat).conditions(), user: user,
                groups: try user.map { try ServersRepo(chat).grouped(of: $0.id) } ?? [], given: .none)
        },
        .writing("operators.enable", "Enables an operator for every profile.", [id], result: changed) { call, chat in
            try switchOperator(call, chat, true)
        },
        .writing("operators.disable", "Disables an operator for every profile.", [id], result: changed) { call, chat in
            try switchOperator(call, chat, false)
        },
        .reading(
            "conditions.list", "Lists the operators with the state of their conditions of use.",
            result: .members(["conditions": Shapes.conditions, "operators": .array(standing)])
        ) { _, chat in ConditionsReport(conditions: try OperatorsRepo(chat).conditions()) },
        .writing(
            "conditions.accept",
            "Stores that the current conditions of use are accepted for operators. Sends nothing to them.", [ids],
            result: .members([
                "changed": .flag, "accepted": .array(Shapes.operatorReference), "conditions": Shapes.conditions,
                "operators": .array(standing), "applied": .flag,
            ]), accept),
    ]

    private static func switchOperator(
        _ call: Call, _ chat: any WriteTransaction, _ isOn: Bool
    ) throws -> JSONValue {
        let user = try UsersRepo(chat).active(hidden: call.hidden)
        return try call.changingServers(of: user, in: chat) {
            let old = try OperatorsRepo(chat).get(try call[id])
            if old.isEnabled != isOn { try OperatorsWriter(chat).setEnabled(old.id, isOn) }
            return try OperatorChangeReport(old, of: user, hidden: call.hidden, in: chat) { _, _ in
                isOn ? "is enabled" : "is disabled"
            }
        }
    }

    private static func accept(_ call: Call, _ chat: any WriteTransaction) throws -> JSONValue {
        let named = try call[ids]
        let conditions = try OperatorsRepo(chat).conditions()
        guard let current = conditions.current else { throw ServiceError.noConditions }
        for id in named ?? [] { _ = try OperatorsRepo(chat).get(id) }
        let accepting = conditions.operators.filter { standing in
            !standing.acceptance.isAccepted
                && (named.map { $0.contains(standing.operator.id) } ?? standing.operator.isEnabled)
        }.map(\.operator)
        for one in accepting { try OperatorsWriter(chat).accept(current.id, for: one.id) }
        return ConditionsReport(
            conditions: try OperatorsRepo(chat).conditions(), accepted: accepting, isApplied: true
        ).json
    }
}

extension Call {
    /// The profile that the request names, or the active one; nil if it names none and none is active.
    func userIfAny(in chat: any ReadTransaction) throws -> User? {
        if try self[RequestMethod.user] != nil { return try user(in: chat) }
        return try UsersRepo(chat).active(hidden: hidden)
    }
}
