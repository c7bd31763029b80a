import ChatDBKit

/// Finds relays of a channel that the profile owns: by name, address, unique host, the id in the list of the profile
/// (`id:3`), the row that `group relays` lists (`row:3`), or the beginning of a name or host. A number without a prefix
/// is an id or a row, and is refused if the two differ.
enum ChannelRelayFinder {
    /// The relay with its latest row; the number of a row also finds an earlier row.
    static func find(
        _ given: String, of group: Group, _ user: User, by naming: NamedBy = .beginning, in chat: any ReadTransaction
    ) throws -> ChannelRelay {
        try requireOwnChannel(group)
        let all = try GroupRelaysRepo(chat).all(of: group.id, of: user.id)
        let rows = try GroupRelaysRepo(chat).incomplete(of: group.id, of: user.id)
        let listed = try ChatRelaysRepo(chat).all(of: user.id)
        try requireOneReading(of: given, in: group, all, rows, listed)
        if let relay = try relay(given, among: all, by: naming) { return relay }
        if let lost = try lostRow(given, of: group, user, in: chat) { throw lost }
        throw notFound(given, by: naming, in: group, among: all, listed, try row(given, among: rows))
    }

    /// The same for `group relay remove`, which also takes rows that lack their relay or their member, and members whose
    /// rows are lost. A name means a relay before such a row or member.
    static func findToRemove(
        _ given: String, of group: Group, _ user: User, in chat: any ReadTransaction
    ) throws -> GroupRelayRemovalReport.Target {
        let all = try GroupRelaysRepo(chat).all(of: group.id, of: user.id)
        let rows = try GroupRelaysRepo(chat).incomplete(of: group.id, of: user.id)
        let listed = try ChatRelaysRepo(chat).all(of: user.id)
        try requireOneReading(of: given, in: group, all, rows, listed)
        let isChangeable = (try? requireOwnChannel(group)) != nil
        if isChangeable, let relay = try relay(given, among: all, by: .wholeName) {
            if let old = try OldRelayRow(relay, of: user.id, in: chat) { return .oldRow(old) }
            return .relay(relay)
        }
        // No relay serves the channel by such a row, so it may be deleted whatever the profile is in the channel.
        if let row = try row(given, among: rows) { return .row(row) }
        try requireOwnChannel(group)
        let lostMembers = try GroupRelaysRepo(chat).lostMembers(in: group.id, of: user.id)
        let number = given.hasPrefix("member:") ? Int64(given.dropFirst(7)) : nil
        let name = RowOrName(given).named.name.map(NameRule.key)
        if let member = lostMembers.first(where: { $0.id.rawValue == number })
            ?? lostMembers.first(where: { NameRule.key($0.localDisplayName) == name })
        {
            return .member(try RelayMembersRepo(chat).get(member.id, of: user.id))
        }
        if let lost = try lostRow(given, of: group, user, in: chat) { throw lost }
        throw notFound(given, by: .wholeName, in: group, among: all, listed, nil, orRows: rows)
    }

    private static func relay(
        _ given: String, among all: [ChannelRelay], by naming: NamedBy
    ) throws -> ChannelRelay? {
        let meant = RowOrName(given)
        if let relay = try NameMatcher.one(all.latest, by: ways(of: meant), what: "relay", given) { return relay }
        if let row = meant.row, let relay = all.first(where: { $0.groupRelay.id.rawValue == row }) { return relay }
        if naming != .beginning { return nil }
        let beginning = [{ (one: ChannelRelay) in meant.named.isBeginning(of: [one.relay.name, one.relay.host]) }]
        return try NameMatcher.one(all.latest, by: beginning, what: "relay", given)
    }

    /// The row of the channel that lacks its relay or its member; nil if none is meant.
    private static func row(_ given: String, among rows: [IncompleteGroupRelay]) throws -> IncompleteGroupRelay? {
        let meant = RowOrName(given)
        let ofRelays = ways(of: meant.named, \IncompleteGroupRelay.relay)
        let ways: [(IncompleteGroupRelay) -> Bool] =
            [{ meant.row == $0.groupRelay.id.rawValue }, { $0.relay != nil && meant.id == $0.relay?.id.rawValue }]
            + ofRelays
        return try NameMatcher.one(rows, by: ways, what: "row", given)
    }

    /// What a text means: the row of a channel, or a name or an id of a relay. A number without a prefix may be both.
    private struct RowOrName {
        /// The number of a row; nil for a text that is marked as an id or a name, and for one that is no number.
        let row: Int64?
        /// The id of a relay in the list of the profile.
        let id: Int64?
        /// The name or the id; neither for `row:3`.
        let named: NameOrID

        init(_ given: String) {
            let number = given.hasPrefix("row:") ? Int64(given.dropFirst(4)) : nil
            // The text of an id has no name and nothing else that could be found.
            named = NameOrID(number.map { "id:\($0)" } ?? given)
            id = number == nil ? named.id : nil
            row = number ?? (named.other == nil ? nil : named.id)
        }
    }

    /// Throws `ambiguousName` for a number without a prefix that is a row of the channel, and the id of a relay in the
    /// list of the profile which has another row of the channel or none.
    private static func requireOneReading(
        of given: String, in group: Group, _ all: [ChannelRelay], _ incomplete: [IncompleteGroupRelay],
        _ listed: [ChatRelay]
    ) throws {
        let meant = RowOrName(given)
        guard let row = meant.row, let id = meant.id,
            !all.contains(where: { $0.relay.name == meant.named.name })
        else { return }
        let lost = incomplete.map { (row: $0.groupRelay.id, relay: $0.relay, name: $0.candidate) }
        let rows = all.map { (row: $0.groupRelay.id, relay: Optional($0.relay), name: $0.candidate) } + lost
        let latest = all.latest.map { (row: $0.groupRelay.id, relay: Optional($0.relay), name: $0.candidate) } + lost
        guard let ofRow = rows.first(where: { $0.row.rawValue == row }) else { return }
        let inChannel = latest.filter { $0.relay?.id.rawValue == id }
        guard let relay = inChannel.first?.relay ?? listed.first(where: { $0.id.rawValue == id }),
            !inChannel.contains(where: { $0.row == ofRow.row })
        else { return }
        let names = [ofRow.name, relay.candidate]
        throw HintedError(
            NameError.ambiguous(what: "relay", name: given, candidates: names),
            message: """
                "\(given)" is a row of the channel "\(group.calledName)", and the id of a relay in the list of the \
                profile, and they differ: \(names.joined(separator: ", "))
                """,
            hint: """
                use row:\(row) or id:\(id); \(.groupRelays, "id:\(group.id)") lists the rows, and \(.relayList) the ids
                """)
    }

    private static func notFound(
        _ given: String, by naming: NamedBy, in group: Group, among all: [ChannelRelay], _ listed: [ChatRelay],
        _ row: IncompleteGroupRelay?, orRows rows: [IncompleteGroupRelay] = []
    ) -> any Reportable {
        let name = NameOrID(given).text
        let names = all.latest.flatMap { [$0.relay.name, $0.relay.host] }
        let other = other(of: RowOrName(given), among: all, listed)
        let missing =
            row.map { "; row:\($0.groupRelay.id) lacks \($0.lackedWords), and does not count" } ?? ids(of: rows)
        return NameError.notFound(
            code: "groupRelayNotFound",
            message: "the channel \"\(group.calledName)\" has no relay \"\(name)\"\(other)\(missing)", name: name,
            candidates: row != nil ? [] : all.latest.flatMap { [$0.relay.name, $0.relay.host, $0.relay.shownName] },
            list: HintedCommand(.groupRelays, ["id:\(group.id)"])
        ).suggesting(NameOrID(given), by: naming, among: names)
    }

    /// What a number that finds nothing means in the other list, a clause: that of the profile, or the rows.
    private static func other(of meant: RowOrName, among all: [ChannelRelay], _ listed: [ChatRelay]) -> String {
        if let id = meant.id {
            let relay = listed.first { $0.id.rawValue == id }
            let row = all.first { $0.groupRelay.id.rawValue == id }
            return (relay.map { "; the relay with this id in the list of the profile is \($0.calledName)" } ?? "")
                + (row.map { "; the row with this number is \($0.candidate)" } ?? "")
        }
        let relay = all.latest.first { $0.relay.id.rawValue == meant.row }
        return relay.map { "; the relay id:\($0.relay.id) in the list of the profile is \($0.candidate)" } ?? ""
    }

    /// The error for the name of a relay that is a member of the channel, and whose row with the status is lost. It is
    /// nil if no such member has the name.
    private static func lostRow(
        _ given: String, of group: Group, _ user: User, in chat: any ReadTransaction
    ) throws -> HintedError? {
        guard let name = RowOrName(given).named.name.map(NameRule.key) else { return nil }
        let repo = GroupRelaysRepo(chat)
        let rows = try repo.all(of: group.id, of: user.id).map(\.groupRelay.memberID)
        let incomplete = try repo.incomplete(of: group.id, of: user.id).map(\.groupRelay.memberID)
        let members = try RelayMembersRepo(chat).all(of: group.id, of: user.id).map(\.member)
        let member = members.first { member in
            NameRule.key(member.localDisplayName) == name && !member.status.isHistory
                && !(rows + incomplete).contains(member.id)
        }
        guard let member else { return nil }
        let listed = try ChatRelaysRepo(chat).choosable(of: user.id).first { NameRule.key($0.name) == name }
        let add = HintedCommand(.groupRelayAdd, ["id:\(group.id)", listed.map { "id:\($0.id)" } ?? "RELAY"])
        return HintedError(
            NameError.notFound(
                code: "groupRelayNotFound",
                message: """
                    the row of the relay "\(member.localDisplayName)" in the channel "\(group.calledName)" is lost \
                    (group_relays), and the relay is only a member there
                    """, name: NameOrID(given).text, candidates: [],
                list: HintedCommand(.groupRelays, ["id:\(group.id)"])),
            hint: """
                if \(.backupList) shows a backup from before the loss, \(.restore, "FOLDER") restores it; otherwise \
                \(add) adds the relay again, as a new member
                """)
    }

    /// The ids of rows that lack their relay or their member, a clause. A row that lacks its relay has no name, although
    /// a list of members shows the name of its member.
    private static func ids(of rows: [IncompleteGroupRelay]) -> String {
        if rows.isEmpty { return "" }
        let most = 3
        let ids = rows.prefix(most).map(\.candidate).joined(separator: ", ")
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

    private static func ways(of meant: RowOrName) -> [(ChannelRelay) -> Bool] {
        let ofRelays = ways(of: meant.named, \ChannelRelay.optionalRelay)
        let isNumbered: (ChannelRelay) -> Bool = {
            meant.row == $0.groupRelay.id.rawValue || meant.id == $0.relay.id.rawValue
        }
        return Array(ofRelays.prefix(2)) + [isNumbered] + ofRelays.dropFirst(2)
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
    var candidate: String { "row:\(groupRelay.id) (\(relay.calledName))" }

    fileprivate var optionalRelay: ChatRelay? { relay }
}

extension IncompleteGroupRelay: Candidate {
    var candidate: String { "row:\(groupRelay.id) (\(nameInBrackets))" }
}
