import ChatDBKit

/// The remedies for finished channels without an active relay. An app connects to relays that are not active yet, and a
/// channel without such a relay needs another one.
enum SilentChannels {
    /// The remedy without the numbers of channels.
    static let general: Hint = """
        Messages of such a channel may reach no subscriber: \(.groupRelays, "GROUP", "--user", "USER") shows the relays \
        and their status; an app connects to those that are New, Connecting, Accepted or Acknowledged. If all are \
        Inactive or Rejected, or lack their relay, add another one in the app, or with \
        \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER").
        """

    /// The remedy for a finding. It is nil for another finding, and for one that does not name all channels.
    static func remedy(for finding: Finding) -> Hint? {
        guard finding.id == StoreWarning.Kind.channelsWithoutActiveRelay.checkID, finding.rows.count == finding.count
        else { return nil }
        return remedy(for: finding.rows)
    }

    /// The remedy for these channels, with their numbers.
    static func remedy(for rows: [FoundRow]) -> Hint {
        let (connecting, others) = (rows.filter { $0.hasUsableRelay }, rows.filter { !$0.hasUsableRelay })
        let shows = rows.count == 1 ? "shows" : "show"
        var remedy: Hint = """
            Messages of such a channel may reach no subscriber: \(rows.each(status)) \(shows) the relays.
            """
        if !connecting.isEmpty {
            remedy = """
                \(remedy) An app connects to the relays of \(connecting.names) that are New, Connecting, Accepted or \
                Acknowledged: start the app, and wait until one is Active. Nothing else is to be done. Only \
                in a store that no app uses, record by hand what the relays have done: chatdb group relay --help lists \
                the commands. They send nothing: elsewhere, they would only hide this finding.
                """
        }
        if !others.isEmpty {
            remedy = """
                \(remedy) An app connects to no relay of \(others.names): none is known to be New, Connecting, Accepted \
                or Acknowledged, or a New one has an address that is not valid. Add another one in the app, or with \
                \(others.each(add)).\(RelayChoice.ofChannels(others))
                """
        }
        return remedy
    }

    private static let status: Hint = "\(.groupRelays, "GROUP", "--user", "USER")"
    private static let add: Hint = "\(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER")"
}

extension [FoundRow] {
    /// The number of rows for which a remedy has commands.
    private static var most: Int { 5 }

    /// The command for each row.
    func each(_ command: Hint) -> Hint {
        let hints = prefix(Self.most).map { command.naming($0) }
        let all = hints.dropFirst().reduce(hints.first ?? command) { "\($0), \($1)" }
        return count > Self.most ? "\(all), …" : all
    }

    /// The names of the rows.
    var names: String { prefix(Self.most).map(\.name).joined(separator: ", ") + (count > Self.most ? ", …" : "") }
}
