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
        let named = NameOrID(given)
        if let relay = try NameMatcher.one(all.latest, by: ways(of: named), what: "relay", given) { return relay }
        if let id = named.id, let relay = all.first(where: { $0.groupRelay.id.rawValue == id }) { return relay }
        let beginning = [{ (one: ChannelRelay) in named.isBeginning(of: [one.relay.name, one.relay.host]) }]
        if naming == .beginning, let relay = try NameMatcher.one(all.latest, by: beginning, what: "relay", given) {
            return relay
        }
        throw NameError.notFound(
            code: "groupRelayNotFound", message: "the channel \"\(group.calledName)\" has no relay \"\(named.text)\"",
            name: named.text, candidates: all.latest.flatMap { [$0.relay.name, $0.relay.host, $0.relay.shownName] },
            list: HintedCommand(.groupRelays, ["id:\(group.id)"])
        ).suggesting(named.begun(by: naming, all.latest.flatMap { [$0.relay.name, $0.relay.host] }))
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
        let name = named.name.map(NameRule.key)
        let address = named.other.flatMap { try? RelayAddress($0) }
        return [
            { !$0.relay.name.isEmpty && name == NameRule.key($0.relay.name) },
            { address?.addressKey == $0.relay.addressKey },
            { named.id == $0.groupRelay.id.rawValue },
            { named.other?.lowercased() == $0.relay.host.lowercased() },
            { $0.relay.name.isEmpty && name == NameRule.key($0.relay.shownName) },
        ]
    }
}

extension ChannelRelay: Candidate {
    var candidate: String { "id:\(groupRelay.id) (\(relay.calledName))" }
}
