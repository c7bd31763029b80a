import ChatDBKit

/// Finds relays of a channel that the profile owns: by name, address, unique host, the id that `group relays` lists,
/// or the beginning of a name or host.
enum ChannelRelayFinder {
    /// The relay with its latest row; an id also finds an earlier row.
    static func find(
        _ given: String, of group: Group, _ user: User, by naming: NamedBy = .beginning, in chat: any ReadTransaction
    ) throws -> ChannelRelay {
        try requireOwnChannel(group)
        let all = try GroupRelaysRepo(chat).all(of: group.id, of: user.id)
        if let relay = try relay(given, among: all, by: naming) { return relay }
        let row = try row(given, of: group, user, in: chat)
        throw notFound(given, by: naming, in: group, among: all, row)
    }

    /// The same for `group relay remove`, which also takes rows that lack their relay or their member. A name means a
    /// relay before such a row.
    static func findToRemove(
        _ given: String, of group: Group, _ user: User, in chat: any ReadTransaction
    ) throws -> GroupRelayRemovalReport.Target {
        let all = try GroupRelaysRepo(chat).all(of: group.id, of: user.id)
        let isChangeable = (try? requireOwnChannel(group)) != nil
        if isChangeable, let relay = try relay(given, among: all, by: .wholeName) { return .relay(relay) }
        // No relay serves the channel by such a row, so it may be deleted whatever the profile is in the channel.
        if let row = try row(given, of: group, user, in: chat) { return .row(row) }
        try requireOwnChannel(group)
        let rows = try GroupRelaysRepo(chat).incomplete(of: group.id, of: user.id)
        throw notFound(given, by: .wholeName, in: group, among: all, nil, orRows: rows)
    }

    private static func relay(
        _ given: String, among all: [ChannelRelay], by naming: NamedBy
    ) throws -> ChannelRelay? {
        let named = NameOrID(given)
        if let relay = try NameMatcher.one(all.latest, by: ways(of: named), what: "relay", given) { return relay }
        if let id = named.id, let relay = all.first(where: { $0.groupRelay.id.rawValue == id }) { return relay }
        if naming != .beginning { return nil }
        let beginning = [{ (one: ChannelRelay) in named.isBeginning(of: [one.relay.name, one.relay.host]) }]
        return try NameMatcher.one(all.latest, by: beginning, what: "relay", given)
    }

    /// The row of the channel that lacks its relay or its member; nil if none is meant.
    private static func row(
        _ given: String, of group: Group, _ user: User, in chat: any ReadTransaction
    ) throws -> IncompleteGroupRelay? {
        let named = NameOrID(given)
        let rows = try GroupRelaysRepo(chat).incomplete(of: group.id, of: user.id)
        let ofRelays = ways(of: named, \IncompleteGroupRelay.relay)
        let ways = [{ row in named.id == row.groupRelay.id.rawValue }] + ofRelays
        return try NameMatcher.one(rows, by: ways, what: "row", given)
    }

    private static func notFound(
        _ given: String, by naming: NamedBy, in group: Group, among all: [ChannelRelay], _ row: IncompleteGroupRelay?,
        orRows rows: [IncompleteGroupRelay] = []
    ) -> any Reportable {
        let name = NameOrID(given).text
        let names = all.latest.flatMap { [$0.relay.name, $0.relay.host] }
        let missing =
            row.map { "; its row id:\($0.groupRelay.id) lacks \($0.lackedWords), and does not count" } ?? ids(of: rows)
        return NameError.notFound(
            code: "groupRelayNotFound",
            message: "the channel \"\(group.calledName)\" has no relay \"\(name)\"\(missing)", name: name,
            candidates: row != nil ? [] : all.latest.flatMap { [$0.relay.name, $0.relay.host, $0.relay.shownName] },
            list: HintedCommand(.groupRelays, ["id:\(group.id)"])
        ).suggesting(NameOrID(given).begun(by: naming, names))
    }

    /// The ids of rows that lack their relay or their member, a clause. A row that lacks its relay has no name, although
    /// a list of members shows the name of its member.
    private static func ids(of rows: [IncompleteGroupRelay]) -> String {
        if rows.isEmpty { return "" }
        let most = 3
        let ids = rows.prefix(most).map { "id:\($0.groupRelay.id) (\($0.calledName))" }.joined(separator: ", ")
        let more = rows.count > most ? " and \(rows.count - most) more" : ""
        return rows.count == 1
            ? "; the row that lacks \(rows[0].lackedWords) is \(ids)"
            : "; the rows that lack their relay or their member are \(ids)\(more)"
    }

    /// Throws unless the group is a channel that the profile owns.
    static func requireOwnChannel(_ group: Group) throws {
        if !group.isChannel { throw GroupsError.notAChannel(group) }
        try requireOwner(of: group)
    }

    /// Throws unless the profile is in the group as an owner.
    static func requireOwner(of group: Group) throws {
        let hint = Hint.command(.groupShow, "id:\(group.id)")
        guard group.membership?.role == .owner else { throw HintedError(GroupsError.notOwner(group), hint: hint) }
        guard group.isCurrent else { throw HintedError(GroupsError.notInGroup(group), hint: hint) }
    }

    private static func ways(of named: NameOrID) -> [(ChannelRelay) -> Bool] {
        let ofRelays = ways(of: named, \ChannelRelay.optionalRelay)
        return Array(ofRelays.prefix(2)) + [{ named.id == $0.groupRelay.id.rawValue }] + ofRelays.dropFirst(2)
    }

    /// The ways to name a relay: its name, its address, its host, and what lists show for a relay without a name.
    private static func ways<Row>(
        of named: NameOrID, _ relay: KeyPath<Row, ChatRelay?>
    ) -> [(Row) -> Bool] {
        let name = named.name.map(NameRule.key)
        let address = named.other.flatMap { try? RelayAddress($0) }
        let ways: [(ChatRelay) -> Bool] = [
            { !$0.name.isEmpty && name == NameRule.key($0.name) }, { address?.addressKey == $0.addressKey },
            { named.other?.lowercased() == $0.host.lowercased() },
            { $0.name.isEmpty && name == NameRule.key($0.shownName) },
        ]
        return ways.map { isMeant in { row in row[keyPath: relay].map(isMeant) == true } }
    }
}

extension ChannelRelay: Candidate {
    var candidate: String { "id:\(groupRelay.id) (\(relay.calledName))" }

    fileprivate var optionalRelay: ChatRelay? { relay }
}

extension IncompleteGroupRelay: Candidate {
    var candidate: String { "id:\(groupRelay.id) (\(calledName))" }
}
