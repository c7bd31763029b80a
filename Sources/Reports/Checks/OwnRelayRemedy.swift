import ChatDBKit

/// The remedy for connections that work no longer and lead to the relays of a channel that the profile owns. No admin
/// invites a relay again: the owner takes it out of the channel, and adds it or another one.
struct OwnRelayRemedy {
    /// The connections with relays that are in their channels.
    private let present: [FoundRow]
    /// The connections with relays that are no longer in their channels.
    private let ended: [FoundRow]
    /// Whether the finding has no other connections, except those without an owner.
    private let isAll: Bool

    /// The findings about connections that work no longer.
    private static let ids: Set<String> = ["connectionWithoutAgent", "connectionDeletedOnOneSide", "disabledQueue"]

    /// Nil for another finding, and for one without such connections.
    init?(_ finding: Finding) {
        guard Self.ids.contains(finding.id) else { return nil }
        let relays = finding.rows.filter { $0.ownRelay != nil }
        if relays.isEmpty { return nil }
        present = relays.filter { $0.ownRelay?.hasEnded == false }
        ended = relays.filter { $0.ownRelay?.hasEnded == true }
        let ownerless = finding.rows.filter { $0.missing.contains(FoundRow.owner) }
        isAll = relays.count + ownerless.count == finding.count
    }

    /// Whether the remedy advises to take relays out of their channels.
    var removesRelays: Bool { !present.isEmpty }

    /// The whole remedy.
    ///
    /// - Parameter others: the remedy for the other connections.
    func remedy(besides others: Hint, in kind: FoundDatabase.Kind) -> Hint {
        var hints: [Hint] = isAll ? [] : [others]
        if !present.isEmpty { hints.append(ofPresent(in: kind)) }
        if !ended.isEmpty { hints.append(ofEnded) }
        return Hint(hints.enumerated().flatMap { place, hint in (place == 0 ? [] : [.text(" ")]) + hint.parts })
    }

    private func ofPresent(in kind: FoundDatabase.Kind) -> Hint {
        let (isOne, names) = (present.count == 1, Self.names(present))
        let sentence =
            isOne
            ? "The profile owns the channel of \(names), and the channel no longer reaches the relay by it."
            : "The profile owns the channels of \(names), and the channels no longer reach the relays by them."
        let (relays, them) = isOne ? ("the relay", "it") : ("such relays", "them")
        let remove: Hint =
            kind == .simplex
            ? "In the app, remove \(relays) from the channel, and add \(them) again, or add others."
            : """
            Take \(relays) out of the channel in the app, or with \
            \(.groupRelayRemove, "GROUP", "ROW", "--user", "USER"). Then add \(them) again, or add others, in the app \
            or with \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER").
            """
        let steps: Hint =
            "\(.groupRelays, "GROUP", "--user", "USER") shows the relays of the channel. \(remove)"
        return "\(sentence) \(steps.naming(present))"
    }

    private var ofEnded: Hint {
        let (isOne, names) = (ended.count == 1, Self.names(ended))
        return isOne
            ? "The relay of \(names) is no longer in the channel: nothing uses the connection, and no action is needed."
            : """
            The relays of \(names) are no longer in their channels: nothing uses the connections, and no action is \
            needed.
            """
    }

    /// The connections by number, of many the first ten: `connection 5, connection 7`.
    private static func names(_ rows: [FoundRow]) -> String {
        rows.prefix(FoundRows.mostShown).map { "connection \($0.row)" }.joined(separator: ", ")
            + (rows.count > FoundRows.mostShown ? ", …" : "")
    }
}
