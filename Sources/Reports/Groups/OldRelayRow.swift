package import ChatDBKit

/// An old row of a relay in a channel. It no longer counts, because the relay was added again and has a newer row.
package struct OldRelayRow: Equatable {
    package let row: ChannelRelay
    /// The row that counts.
    package let newer: ChannelRelay

    /// Nil for the newest row of a relay.
    package init?(_ row: ChannelRelay, of user: UserID, in chat: any ReadTransaction) throws {
        let latest = try GroupRelaysRepo(chat).all(of: row.groupRelay.groupID, of: user).latest
        guard let newer = latest.first(where: { $0.relay.id == row.relay.id }), newer.groupRelay.id != row.groupRelay.id
        else { return nil }
        self.row = row
        self.newer = newer
    }

    /// By which row the channel has the relay, a clause.
    package var newerClause: String {
        let row = "row \(newer.groupRelay.id) (\(newer.groupRelay.status.shownName))"
        return newer.groupRelay.status.isCurrent
            ? "the relay stays in the channel by its \(row)" : "only the newer \(row) counts"
    }

    /// - Parameter channel: the channel in a sentence, with its kind.
    func question(of channel: String) -> String {
        """
        End the old row \(row.groupRelay.id) of the relay \(row.relay.calledName) in the \(channel)? It no longer \
        counts: only the membership of its member \(row.groupRelay.memberID) ends, and \(newerClause).
        """
    }

    func answer(of channel: String, isApplied: Bool) -> String {
        let (was, ended) = isApplied ? ("was", "has ended") : ("would be", "would end")
        return """
            The old row \(row.groupRelay.id) of the relay \(row.relay.calledName) \(was) ended in the \(channel). \
            The membership of its member \(row.groupRelay.memberID) \(ended), and \(newerClause).
            """
    }
}
