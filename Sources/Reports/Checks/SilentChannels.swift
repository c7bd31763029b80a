import ChatDBKit

/// The remedies for finished channels without an active relay. An app connects to relays that are not active yet, and a
/// channel without such a relay needs another one.
enum SilentChannels {
    /// The remedy without the numbers of channels.
    static let general: Hint = """
        Messages of such a channel reach no subscriber: \(.groupRelays, "GROUP", "--user", "USER") shows the relays and \
        their status; an app connects to those that are New, Connecting or Accepted. If all are Inactive or Rejected, or \
        lack their relay, add another one in the app, or with \(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER").
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
        var remedy: Hint = "Messages of such a channel reach no subscriber: \(each(rows, status)) \(shows) the relays."
        if !connecting.isEmpty {
            remedy = """
                \(remedy) An app connects to the relays of \(names(connecting)) that are New, Connecting or Accepted: \
                start the app, and wait until one is Active. Nothing else is to be done.
                """
        }
        if !others.isEmpty {
            remedy = """
                \(remedy) No relay of \(names(others)) is New, Connecting or Accepted: add another one in the app, or with \
                \(each(others, add)).
                """
        }
        return remedy
    }

    private static let status: Hint = "\(.groupRelays, "GROUP", "--user", "USER")"
    private static let add: Hint = "\(.groupRelayAdd, "GROUP", "RELAY", "--user", "USER")"
    /// The number of channels for which a remedy has commands.
    private static let most = 5

    /// The command for each channel.
    private static func each(_ rows: [FoundRow], _ command: Hint) -> Hint {
        let hints = rows.prefix(most).map { command.naming($0) }
        let all = hints.dropFirst().reduce(hints.first ?? command) { "\($0), \($1)" }
        return rows.count > most ? "\(all), …" : all
    }

    private static func names(_ rows: [FoundRow]) -> String {
        rows.prefix(most).map(\.name).joined(separator: ", ") + (rows.count > most ? ", …" : "")
    }
}
