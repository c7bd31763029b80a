import ChatDBKit

/// Finds relays of a profile by name, address, id, a host that only one of them has, the text that lists show for a
/// relay without a name, or the beginning of a name or host.
enum RelayFinder {
    /// The relay with this name. Soft-deleted ones are found only on request, and after all others.
    static func find(
        _ given: String, of user: User, by naming: NamedBy = .beginning, includingDeleted: Bool = false,
        in chat: any ReadTransaction
    ) throws -> ChatRelay {
        let all = try ChatRelaysRepo(chat).all(of: user.id, includingDeleted: true)
        let named = NameOrID(given)
        let ways = ways(of: named)
        if let relay = try NameMatcher.one(all.filter { !$0.isDeleted }, by: ways, what: "relay", given) {
            return relay
        }
        if let relay = try NameMatcher.one(all.filter(\.isDeleted), by: ways, what: "relay", given) {
            if includingDeleted { return relay }
            throw RelayIsDeleted(relay: relay, user: user)
        }
        let beginning = [{ (relay: ChatRelay) in named.isBeginning(of: [relay.name, relay.host]) }]
        if naming == .beginning,
            let relay = try NameMatcher.one(all.filter { !$0.isDeleted }, by: beginning, what: "relay", given)
        {
            return relay
        }
        let text = named.text
        let isRow = text.hasPrefix("row:") && Int64(text.dropFirst(4)) != nil
        let ofRow =
            isRow
            ? "; row:N is a row of a channel, and this command takes a relay of the profile: its name, or id:N" : ""
        let message = "the profile \"\(user.name)\" has no relay \"\(text)\"\(ofRow)"
        let owners = try Self.owners(of: named, by: naming, besides: user, in: chat)
        if !owners.isEmpty {
            throw NameError.inOthers(
                code: "relayNotFound", message: message, name: text, owners: owners, list: .relayList)
        }
        if isLost(named, of: user, in: chat) {
            throw HintedError(
                NameError.notFound(
                    code: "relayNotFound", message: "\(message), but a channel refers to one, which is lost",
                    name: text, candidates: [], list: HintedCommand(.relayList)),
                hint: "\(.check) shows what to do about the lost relay")
        }
        throw NameError.notFound(
            code: "relayNotFound", message: message, name: text,
            candidates: all.filter { includingDeleted || !$0.isDeleted }.flatMap { [$0.name, $0.host, $0.shownName] },
            list: HintedCommand(.relayList)
        ).suggesting(named, by: naming, among: all.filter { !$0.isDeleted }.flatMap { [$0.name, $0.host] })
    }

    /// Whether a row of a channel refers to a relay of this id or name that the profile no longer has. Not every store
    /// that is read has such rows.
    private static func isLost(_ named: NameOrID, of user: User, in chat: any ReadTransaction) -> Bool {
        let key = named.name.map(NameRule.key)
        let rows = (try? GroupRelaysRepo(chat).incomplete(ofEach: [user.id])) ?? []
        return rows.contains { row in
            row.lostWords != nil
                && (row.groupRelay.chatRelayID.rawValue == named.id
                    || key != nil && row.memberName.map(NameRule.key) == key)
        }
    }

    /// The other profiles that are not hidden and have a relay of this id or name, or else one whose name begins so.
    private static func owners(
        of named: NameOrID, by naming: NamedBy, besides user: User, in chat: any ReadTransaction
    ) throws -> [User] {
        let key = named.name.map(NameRule.key)
        let others = try UsersRepo(chat).all().filter { $0.id != user.id }
        if let id = named.id,
            let owner = try others.first(where: { try ChatRelaysRepo(chat).find(ChatRelayID(id), of: $0.id) != nil })
        {
            return [owner]
        }
        let names = try others.map { other in
            (user: other, names: try ChatRelaysRepo(chat).all(of: other.id).map(\.name).filter { !$0.isEmpty })
        }
        let whole = names.filter { other in other.names.contains { NameRule.key($0) == key } }
        let begun = naming == .beginning ? names.filter { named.isBeginning(of: $0.names) } : []
        return (whole.isEmpty ? begun : whole).map(\.user)
    }

    private static func ways(of named: NameOrID) -> [(ChatRelay) -> Bool] {
        let name = named.name.map(NameRule.key)
        let address = named.other.flatMap { try? RelayAddress($0) }
        return [
            { relay in !relay.name.isEmpty && name == NameRule.key(relay.name) },
            { relay in address?.addressKey == relay.addressKey },
            { relay in named.id == relay.id.rawValue },
            { relay in named.other?.lowercased() == relay.host.lowercased() },
            { relay in relay.name.isEmpty && name == NameRule.key(relay.shownName) },
        ]
    }
}

extension ChatRelay: Candidate {
    var candidate: String { "id:\(id) (\(calledName))" }
}

/// A soft-deleted relay, named on the command line as if it existed.
struct RelayIsDeleted: Reportable {
    let relay: ChatRelay
    let user: User

    /// An address that this version reads as that of a relay has no password.
    private var hint: Hint {
        if (try? RelayAddress(relay.address))?.linkType == .relay {
            return "\(.relayAdd, relay.address) restores it"
        }
        guard (try? RelayAddress(relay.address)) != nil else {
            return "its address is not valid; \(.relayAdd, "ADDRESS") adds the relay with the right address"
        }
        return "\(.relayShow, "id:\(relay.id)") shows its address; \(.relayAdd, "ADDRESS") restores it"
    }

    var report: ErrorReport {
        ErrorReport(
            "relayNotFound",
            """
            the relay "\(relay.calledName)" (id:\(relay.id)) of "\(user.name)" is deleted; it is kept only for the \
            channels that have or had it
            """,
            state: "Nothing was changed.",
            hint: hint,
            details: ["name": .string(relay.calledName), "chatRelayId": .integer(relay.id.rawValue)], exit: .no)
    }
}
