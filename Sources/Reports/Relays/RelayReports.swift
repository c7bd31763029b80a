package import ChatDBKit

/// The relays of a profile.
package struct RelayListReport: Report {
    package let user: User
    package let relays: [RelayRow]
    /// Whether the version of the store has relays.
    private let isKept: Bool
    /// The options for the next command.
    package let given: GivenOptions

    package init(user: User, relays: [RelayRow], isKept: Bool = true, given: GivenOptions = .none) {
        self.user = user
        self.relays = relays
        self.isKept = isKept
        self.given = given
    }

    package init(
        of user: User, includingDeleted: Bool, in chat: any ReadTransaction, _ given: GivenOptions = .none
    ) throws {
        let operators = try OperatorsRepo(chat).all()
        let usage = try ChatRelaysRepo(chat).usage(of: user.id, includingDeleted: includingDeleted)
        self.init(
            user: user, relays: usage.map { RelayRow($0.relay, $0.use, among: operators) },
            isKept: try KeptTables(in: chat).relays, given: given)
    }

    package var json: JSONValue {
        ["user": user.reference, "relays": .array(relays.map(\.json))]
    }

    package var document: Document {
        let preset = relays.filter(\.relay.isPreset)
        let custom = relays.filter { !$0.relay.isPreset }
        var blocks: [Block] = [
            .heading("Preset relays of \(user.name)"), .table(RelayRow.listed.table(preset, whenEmpty: "none")),
            .heading("Custom relays"),
            .table(
                RelayRow.listed.table(
                    custom, whenEmpty: given.text("none; \(.relayAdd, "ADDRESS") adds one"))),
        ]
        if isKept, !relays.contains(where: \.isChoosable) {
            blocks.append(.notes([.warning(ChatRelaysError.noEnabledRelays.message)]))
        }
        return Document(blocks + [notes])
    }

    fileprivate var notes: Block { .notes(relays.uncounted.map { Note.note(given.text($0)) }) }

    package var csvTable: Table { RelayRow.fields.csv(relays) }
}

/// The relays of a profile with the channels that use them.
package struct RelayUsageReport: Report {
    package let list: RelayListReport

    package init(list: RelayListReport) {
        self.list = list
    }

    package var json: JSONValue { list.json }

    package var document: Document {
        [
            .table(
                RelayRow.byUse.table(
                    list.relays, whenEmpty: list.given.text("no relays; \(.relayAdd, "ADDRESS") adds one"))),
            list.notes,
        ]
    }

    package var csvTable: Table { list.csvTable }
}

/// A relay and the channels that refer to it.
package struct RelayShowReport: Report {
    package let user: User
    package let row: RelayRow
    package let `operator`: ServerOperator?
    /// The channels that use it.
    package let channels: [RelayChannel]
    /// The channels that refer to it without using it.
    package let others: [RelayChannel]
    /// The rows of channels that refer to it and do not count.
    package let uncounted: [UncountedRelayRow]
    /// The channels that have lost their row of it.
    package let lost: [ChannelOfLostRow]
    /// The options for the next command; nil if chatdb cannot change the channels of the store.
    package let given: GivenOptions?

    package init(
        user: User, row: RelayRow, `operator`: ServerOperator?, channels: [RelayChannel], others: [RelayChannel],
        uncounted: [UncountedRelayRow], lost: [ChannelOfLostRow], given: GivenOptions? = nil
    ) {
        self.user = user
        self.row = row
        self.operator = `operator`
        self.channels = channels
        self.others = others
        self.uncounted = uncounted
        self.lost = lost
        self.given = given
    }

    package var json: JSONValue {
        [
            "user": user.reference, "relay": row.json,
            "usedBy": .array(channels.map { RelayChannel.fields.json($0) }),
            "otherChannels": .array(others.map { RelayChannel.fields.json($0) }),
            "uncountedRows": .array(uncounted.map { UncountedRelayRow.fields.json($0) }),
            "channelsOfLostRows": .array(lost.map(\.json)),
        ]
    }

    package var document: Document {
        let relay = row.relay
        var blocks: [Block] = [
            .heading("Relay \(relay.calledName) of \(user.name)"),
            .fields([
                Field("Id", key: "chatRelayId", .number(relay.id.rawValue)),
                Field("Name", .text(relay.name.isEmpty ? nil : relay.name)), Field("Address", .text(relay.address)),
                Field("Host", .text(relay.host)),
                Field("Domains", .text(relay.domains.isEmpty ? nil : relay.domains.joined(separator: ", "))),
                Field("Kind", .text(row.kind)), Field("Operator", .text(`operator`?.tradeName)),
                Field("State", row.state), Field("Test", row.test),
                Field("Tested", key: "testedAt", .time(relay.testedAt?.date)),
                Field("Active in", key: "active", .text("\(row.use.active) of \(counted(row.use.using, "channel"))")),
            ]),
            .heading("Channels"), .table(RelayChannel.listed.table(channels, whenEmpty: "no channel uses it")),
        ]
        if !others.isEmpty {
            blocks += [
                .heading("Other channels that refer to it"),
                .table(RelayChannel.listedOthers.table(others, whenEmpty: "")),
            ]
        }
        if !uncounted.isEmpty {
            blocks += [
                .heading("Rows that refer to it and do not count"),
                .table(UncountedRelayRow.listed.table(uncounted, whenEmpty: "")), .notes(nextStep),
            ]
        }
        return Document(blocks + [.notes(lostNotes)])
    }

    /// The note about channels that have lost their row of the relay; empty if there are none.
    private var lostNotes: [Note] {
        if lost.isEmpty { return [] }
        guard let given else { return [.note(lost.clause)] }
        let step: Hint = "\(.check) shows what to do"
        return [.note("\(lost.clause); \(given.text(step))")]
    }

    /// The note with the next step for rows that lack their member; empty if there are none.
    private var nextStep: [Note] {
        guard let given, uncounted.contains(where: { $0.reason == .memberMissing && !$0.hasUnknownRole })
        else { return [] }
        let step: Hint = "\(.check) shows whether rows were lost, and its remedy has the next step"
        return [.note(given.text(step))]
    }

    /// The channels; `relay list` has the properties of the relay as a table.
    package var csvTable: Table { RelayChannel.fields.csv(channels + others) }
}

extension RelayChannel {
    fileprivate static var fields: [FieldSpec<RelayChannel>] {
        [
            idField, .text("name") { $0.displayName }, localName, .text("relayStatus") { $0.status.text },
            .text("relayLink") { $0.relayLink }, hostField, .text("membership") { $0.membership?.text },
            .csv("using") { .yesNo($0.isUsing) },
        ]
    }

    fileprivate static var listed: [FieldSpec<RelayChannel>] { [idField, localName, statusField, hostField] }

    fileprivate static var listedOthers: [FieldSpec<RelayChannel>] {
        [idField, localName, .shown("Membership") { .text($0.membership?.text) }, statusField, hostField]
    }

    private static var statusField: FieldSpec<RelayChannel> {
        .shown("Status") { .text($0.status.shownName, $0.status == .active ? .good : nil) }
    }

    private static var idField: FieldSpec<RelayChannel> { .number("groupId", "Id") { $0.groupID.rawValue } }
    private static var localName: FieldSpec<RelayChannel> {
        .text("localDisplayName", "Name", shrinking: .end) { $0.localDisplayName }
    }
    private static var hostField: FieldSpec<RelayChannel> {
        .text("host", "Link host", shrinking: .middle) { $0.host }
    }
}
