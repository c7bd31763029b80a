import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// How far the relays of one channel are.
public struct ChannelProgress: Sendable, Hashable {
    /// Active out of all.
    public let progress: RelayProgress
    /// Each of them once, in the order they were chosen; `host` and `groupRelay.status` are what people are shown. Of one
    /// that was added once more it is the part it has since.
    public let relays: [ChannelRelay]

    init(_ parts: [ChannelRelay]) {
        let relays = parts.latest
        self.relays = relays
        progress = RelayProgress(
            active: relays.count { $0.groupRelay.status == .active }, total: relays.count)
    }
}

extension GroupRelaysRepo {
    /// How far the relays of a channel are, with the host and the status of each. 0 of 0 for a group, and for a channel
    /// of somebody else. Throws `groupNotFound`. Rule: docs/domain.md, "Group relays".
    public func progress(of group: GroupID, of user: UserID) throws(GroupsError) -> ChannelProgress {
        ChannelProgress(try all(of: group, of: user))
    }

    /// How far the relays of each channel of a profile are, in one statement. A group without relays is not in it.
    public func progress(of user: UserID) throws(GroupsError) -> [GroupID: RelayProgress] {
        let rows: [ProgressRow] = try all(
            """
            SELECT group_relays.group_id, count(DISTINCT group_relays.chat_relay_id) AS relays_total,
                count(DISTINCT CASE WHEN group_relays.relay_status = \(RelayStatus.active) AND \(GroupRelay.isLatest)
                    THEN group_relays.chat_relay_id END) AS relays_active
            FROM groups
            JOIN group_relays ON group_relays.group_id = groups.group_id
            JOIN \(ChannelRelay.tables)
            WHERE groups.user_id = \(user) AND chat_relays.user_id = \(user)
            GROUP BY group_relays.group_id
            """)
        return Dictionary(rows.map { ($0.groupID, $0.progress) }, uniquingKeysWith: { first, _ in first })
    }
}

extension [ChannelRelay] {
    /// Of parts in their order, the last that each relay has in its channel.
    package var latest: [ChannelRelay] {
        var seen: Set<ChatRelayID> = []
        return reversed().filter { seen.insert($0.relay.id).inserted }.reversed()
    }
}

private struct ProgressRow: RowRecord {
    let groupID: GroupID
    let progress: RelayProgress

    init(row: ResultRow) throws(StoreError) {
        groupID = try row.get("group_id")
        progress = RelayProgress(active: try row.get("relays_active"), total: try row.get("relays_total"))
    }
}
