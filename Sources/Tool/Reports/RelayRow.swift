import ChatDBKit

/// A relay as commands tell of it.
struct RelayRow {
    let relay: ChatRelay
    let use: RelayUse
    /// Its operator is switched off for every profile, so no new channel uses it.
    let isOperatorOff: Bool
    /// Whose relay it is, by its domains; nil for nobody's.
    let owner: ServerOperator?

    init(_ relay: ChatRelay, _ use: RelayUse, among operators: [ServerOperator]) {
        self.relay = relay
        self.use = use
        owner = operators.owner(of: relay)
        isOperatorOff = owner?.isEnabled == false
    }

    /// The relay as it is now, soft-deleted or not.
    init(_ id: ChatRelayID, of user: UserID, in chat: any ReadTransaction) throws {
        let relays = ChatRelaysRepo(chat)
        self.init(
            try relays.get(id, of: user, includingDeleted: true), try relays.use(of: id, of: user),
            among: try OperatorsRepo(chat).all())
    }

    /// Whether a new channel may use it.
    var isChoosable: Bool { relay.isEnabled && !relay.isDeleted && !isOperatorOff }

    /// The relay as programs are told of it.
    var json: JSONValue {
        [
            "chatRelayId": .integer(relay.id.rawValue), "address": .string(relay.address),
            "name": .string(relay.name), "shownName": .string(relay.shownName), "host": .string(relay.host),
            "domains": JSONValue(relay.domains), "preset": .bool(relay.isPreset), "tested": JSONValue(relay.tested),
            "testedAt": JSONValue(relay.testedAt?.iso8601), "enabled": .bool(relay.isEnabled),
            "deleted": .bool(relay.isDeleted), "operatorOff": .bool(isOperatorOff),
            "channels": ["using": JSONValue(use.using), "active": JSONValue(use.active)],
        ]
    }

    /// In a word, whether a new channel may use it.
    var state: Cell {
        if relay.isDeleted { return .text("soft-deleted", .dim) }
        if !relay.isEnabled { return .text("disabled", .dim) }
        return isOperatorOff ? .text("operator off", .dim) : .text("enabled", .good)
    }

    /// What the last test said.
    var test: Cell { TestResult.cell(relay.tested) }
}
