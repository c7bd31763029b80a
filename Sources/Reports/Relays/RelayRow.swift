package import ChatDBKit

/// A relay in the answers of commands.
package struct RelayRow {
    package let relay: ChatRelay
    package let use: RelayUseCount
    /// Whether its operator is disabled for every profile, so that no new channel uses it.
    package let isOperatorDisabled: Bool
    /// The operator that has its domain; nil for none.
    package let owner: ServerOperator?

    package init(_ relay: ChatRelay, _ use: RelayUseCount, among operators: [ServerOperator]) {
        self.relay = relay
        self.use = use
        owner = operators.owner(of: relay)
        isOperatorDisabled = owner?.isEnabled == false
    }

    /// The current state of the relay, soft-deleted or not.
    package init(_ id: ChatRelayID, of user: UserID, in chat: any ReadTransaction) throws {
        let relays = ChatRelaysRepo(chat)
        self.init(
            try relays.get(id, of: user, includingDeleted: true), try relays.use(of: id, of: user),
            among: try OperatorsRepo(chat).all())
    }

    /// Whether a new channel may use it.
    package var isChoosable: Bool { relay.isChoosable(isOperatorOff: isOperatorDisabled) }

    /// The relay as programs read it.
    package var json: JSONValue { Self.fields.json(self) }

    /// Whether a new channel may use it, or the reasons why none may.
    package var state: Cell {
        guard let off = relay.offWords(isOperatorOff: isOperatorDisabled) else { return .text("enabled", .good) }
        return .text(off, relay.hasValidAddress ? .dim : .bad)
    }

    /// The result of the last test.
    package var test: Cell { TestResult.cell(relay.tested) }
}

extension ChatRelay {
    /// The reasons why no new channel may use the relay; nil if one may. `relay add` enables a soft-deleted relay, so
    /// its switch is no reason. An address that is not valid is the last reason, and comes after the switch.
    package func offWords(isOperatorOff: Bool) -> String? {
        let own = isDeleted ? "soft-deleted" : isEnabled ? nil : "disabled"
        var words = [own, isOperatorOff ? "operator off" : nil].compactMap(\.self)
        if !hasValidAddress { words = (words.isEmpty ? ["enabled"] : words) + ["invalid address"] }
        return words.isEmpty ? nil : words.joined(separator: ", ")
    }
}

extension RelayUseCount {
    /// The channels that refer to the relay, in words for a sentence about it: `used by 2 channels; in 1 more it is
    /// inactive`. Empty if none does.
    package var words: String {
        if using + others == 0 { return "" }
        let used = using == 0 ? "used by no channel" : "used by \(counted(using, "channel"))"
        return ([used] + otherWords).joined(separator: "; ")
    }

    /// The channels that refer to the relay without using it, a clause for each reason.
    package var otherWords: [String] {
        var isFirst = using == 0
        func channels(_ count: Int) -> String {
            defer { isFirst = false }
            return isFirst ? counted(count, "channel") : "\(count) more"
        }
        var words: [String] = []
        if inactive > 0 { words.append("in \(channels(inactive)) it is inactive") }
        if rejected > 0 { words.append("in \(channels(rejected)) it is rejected") }
        if left > 0 {
            words.append("\(channels(left)) that the profile is no longer in \(left == 1 ? "refers" : "refer") to it")
        }
        return words
    }
}

extension [RelayRow] {
    /// What the columns Channels and Active leave out; empty if every channel that refers to one of the relays uses it.
    /// Rule: docs/domain.md, "Chat relays", In use.
    package var uncounted: [Hint] {
        var hints: [Hint] = []
        if contains(where: { $0.use.others > 0 }) {
            hints.append(
                """
                Channels counts the channels that use a relay, not those that were left or in which it is inactive or \
                rejected; \(.relayShow, "RELAY") lists these too
                """)
        }
        let lost = filter { $0.use.lost > 0 }.count
        if lost > 0 {
            hints.append(
                """
                Channels leaves out channels that have lost their rows of relays (group_relays), so \
                \(ChatDBReports.counted(lost, "relay")) may be used by more channels; \(.relayShow, "RELAY") names them
                """)
        }
        return hints
    }
}

extension RelayRow {
    /// `preset` or `custom`.
    package var kind: String { relay.isPreset ? "preset" : "custom" }

    /// Notes for a person who wants to use the relay.
    package var notes: [Note] {
        let off: [Note] =
            isOperatorDisabled && relay.isEnabled
            ? [.note("its operator is disabled, so no new channel uses the relay")] : []
        guard let owner, !relay.isPreset else { return off }
        return [.note("its domains belong to \(owner.tradeName): disabling that operator disables the relay too")] + off
    }

    /// What channels keep of a relay that new ones do not use; empty if none uses it.
    package var channelsKeepIt: String {
        switch use.using {
        case 0: ""
        case 1: "; the channel that uses it keeps it"
        default: "; the \(use.using) channels that use it keep it"
        }
    }
}

extension RelayRow {
    private typealias Field = FieldSpec<RelayRow>

    /// All properties of a relay, for programs and spreadsheets.
    package static var fields: [FieldSpec<RelayRow>] {
        [
            id, address, .text("name") { $0.relay.name }, .text("shownName") { $0.relay.shownName }, host,
            .texts("domains") { $0.relay.domains }, .flag("preset") { $0.relay.isPreset },
            .flag("tested") { $0.relay.tested }, .time("testedAt") { $0.relay.testedAt },
            .flag("enabled") { $0.relay.isEnabled }, .flag("deleted") { $0.relay.isDeleted },
            .flag("operatorOff") { $0.isOperatorDisabled }, using, active,
        ]
    }

    /// The relays of a profile, for people.
    package static var listed: [FieldSpec<RelayRow>] {
        [id, called(.end), address, shownState, .shown("Test") { $0.test }, using, active]
    }

    /// The relays of a profile by their use, for people.
    package static var byUse: [FieldSpec<RelayRow>] {
        [id, called(.middle), host, .shown("Kind") { .text($0.kind) }, shownState, using, active]
    }

    private static var id: Field { .number("chatRelayId", "Id") { $0.relay.id.rawValue } }
    private static var address: Field { .text("address", "Address", shrinking: .listedAddress) { $0.relay.address } }
    private static var host: Field { .text("host", "Host", shrinking: .middle) { $0.relay.host } }
    private static var shownState: Field { .shown("State") { $0.state } }
    private static var using: Field { .count("using", in: "channels", "Channels") { $0.use.using } }
    private static var active: Field { .count("active", in: "channels", "Active") { $0.use.active } }

    private static func called(_ shrinking: Column.Shrinking) -> Field {
        .shown("Relay", shrinking: shrinking) { .text($0.relay.calledName) }
    }
}
