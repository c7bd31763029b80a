import ChatDBKit

/// Finds relays of a channel that the profile owns: by name, address, unique host, the row that `group relays` lists
/// (`row:3`), or the beginning of a name or host. An id (`id:3`) means the row too, unless the list of the profile has
/// another relay of the channel with this id.
enum ChannelRelayFinder {
    /// The relay with its latest row; a number also finds an earlier row.
    static func find(
        _ given: String, of group: Group, _ user: User, by naming: NamedBy = .beginning, in chat: any ReadTransaction
    ) throws -> ChannelRelay {
        try requireOwnChannel(group)
        let all = try GroupRelaysRepo(chat).all(of: group.id, of: user.id)
        let rows = try GroupRelaysRepo(chat).incomplete(of: group.id, of: user.id)
        try requireOneReading(of: given, in: group, all, rows)
        if let relay = try relay(given, among: all, by: naming) { return relay }
        if let lost = try lostRow(given, of: group, user, in: chat) { throw lost }
        throw notFound(given, by: naming, in: group, among: all, try row(given, among: rows))
    }

    /// The same for `group relay remove`, which also takes rows that lack their relay or their member, and members whose
    /// rows are lost. A name means a relay before such a row or member.
    static func findToRemove(
        _ given: String, of group: Group, _ user: User, in chat: any ReadTransaction
    ) throws -> GroupRelayRemovalReport.Target {
        let all = try GroupRelaysRepo(chat).all(of: group.id, of: user.id)
        let rows = try GroupRelaysRepo(chat).incomplete(of: group.id, of: user.id)
        try requireOneReading(of: given, in: group, all, rows)
        let isChangeable = (try? requireOwnChannel(group)) != nil
        if isChangeable, let relay = try relay(given, among: all, by: .wholeName) { return .relay(relay) }
        // No relay serves the channel by such a row, so it may be deleted whatever the profile is in the channel.
        if let row = try row(given, among: rows) { return .row(row) }
        try requireOwnChannel(group)
        if let name = rowOrName(given).name.map(NameRule.key),
            let member = try GroupRelaysRepo(chat).lostMembers(in: group.id, of: user.id)
                .first(where: { NameRule.key($0.localDisplayName) == name })
        {
            return .member(try RelayMembersRepo(chat).get(member.id, of: user.id))
        }
        if let lost = try lostRow(given, of: group, user, in: chat) { throw lost }
        throw notFound(given, by: .wholeName, in: group, among: all, nil, orRows: rows)
    }

    private static func relay(
        _ given: String, among all: [ChannelRelay], by naming: NamedBy
    ) throws -> ChannelRelay? {
        let named = rowOrName(given)
        if let relay = try NameMatcher.one(all.latest, by: ways(of: named), what: "relay", given) { return relay }
        if let id = named.id, let relay = all.first(where: { $0.groupRelay.id.rawValue == id }) { return relay }
        if naming != .beginning { return nil }
        let beginning = [{ (one: ChannelRelay) in named.isBeginning(of: [one.relay.name, one.relay.host]) }]
        return try NameMatcher.one(all.latest, by: beginning, what: "relay", given)
    }

    /// The row of the channel that lacks its relay or its member; nil if none is meant.
    private static func row(_ given: String, among rows: [IncompleteGroupRelay]) throws -> IncompleteGroupRelay? {
        let named = rowOrName(given)
        let ofRelays = ways(of: named, \IncompleteGroupRelay.relay)
        let ways = [{ row in named.id == row.groupRelay.id.rawValue }] + ofRelays
        return try NameMatcher.one(rows, by: ways, what: "row", given)
    }

    /// The number of a row, `row:3`, as an id. Any other text is a name or an id.
    private static func rowOrName(_ given: String) -> NameOrID {
        let number = given.hasPrefix("row:") ? Int64(given.dropFirst(4)) : nil
        return NameOrID(number.map { "id:\($0)" } ?? given)
    }

    /// Throws `ambiguousName` for a number that is the row of one relay of the channel, and the id of another one in the
    /// list of the profile. `row:3` has one meaning.
    private static func requireOneReading(
        of given: String, in group: Group, _ all: [ChannelRelay], _ incomplete: [IncompleteGroupRelay]
    ) throws {
        let named = rowOrName(given)
        guard !given.hasPrefix("row:"), let number = named.id,
            !all.contains(where: { $0.relay.name == named.name })
        else { return }
        let lost = incomplete.map { (row: $0.groupRelay, name: $0.candidate) }
        let latest = all.latest.map { (row: $0.groupRelay, name: $0.candidate) } + lost
        let rows = all.map { (row: $0.groupRelay, name: $0.candidate) } + lost
        guard let meant = rows.first(where: { $0.row.id.rawValue == number }) else { return }
        let others = latest.filter {
            $0.row.chatRelayID.rawValue == number && $0.row.chatRelayID != meant.row.chatRelayID
        }
        if others.isEmpty { return }
        let names = ([meant] + others).map(\.name)
        throw HintedError(
            NameError.ambiguous(what: "relay", name: given, candidates: names),
            message: """
                "\(given)" is the row of one relay of the channel "\(group.calledName)", and the id of another one in the \
                list of the profile: \(names.joined(separator: ", "))
                """,
            hint: "use row:N; \(.groupRelays, "id:\(group.id)") lists the rows")
    }

    private static func notFound(
        _ given: String, by naming: NamedBy, in group: Group, among all: [ChannelRelay], _ row: IncompleteGroupRelay?,
        orRows rows: [IncompleteGroupRelay] = []
    ) -> any Reportable {
        let name = NameOrID(given).text
        let names = all.latest.flatMap { [$0.relay.name, $0.relay.host] }
        let listed = all.latest.first { $0.relay.id.rawValue == NameOrID(given).id }
        let other = listed.map { "; the relay with this id in the list of the profile is \($0.candidate)" } ?? ""
        let missing =
            row.map { "; row:\($0.groupRelay.id) lacks \($0.lackedWords), and does not count" } ?? ids(of: rows)
        return NameError.notFound(
            code: "groupRelayNotFound",
            message: "the channel \"\(group.calledName)\" has no relay \"\(name)\"\(other)\(missing)", name: name,
            candidates: row != nil ? [] : all.latest.flatMap { [$0.relay.name, $0.relay.host, $0.relay.shownName] },
            list: HintedCommand(.groupRelays, ["id:\(group.id)"])
        ).suggesting(NameOrID(given), by: naming, among: names)
    }

    /// The error for the name of a relay that is a member of the channel, and whose row with the status is lost. It is
    /// nil if no such member has the name.
    private static func lostRow(
        _ given: String, of group: Group, _ user: User, in chat: any ReadTransaction
    ) throws -> HintedError? {
        guard let name = rowOrName(given).name.map(NameRule.key) else { return nil }
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
    var candidate: String { "row:\(groupRelay.id) (\(relay.calledName))" }

    fileprivate var optionalRelay: ChatRelay? { relay }
}

extension IncompleteGroupRelay: Candidate {
    var candidate: String { "row:\(groupRelay.id) (\(nameInBrackets))" }
}
