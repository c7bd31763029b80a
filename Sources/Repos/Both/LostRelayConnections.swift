package import ChatDBEngine
package import ChatDBSchema

/// The relays of a channel with which the profile has no connection any more, because one of the two databases lacks
/// its row. Rule: docs/domain.md, "Group relays".
package struct LostRelayConnections: Sendable, Hashable {
    /// The database that lacks the connection, by the member that is the relay.
    package private(set) var databases: [GroupMemberID: DatabaseName] = [:]

    /// None is lost, as far as is known.
    package init() {}

    /// Looks for the connections with the relays of a channel.
    ///
    /// - Parameter agent: the agent database; nil if it is missing or cannot be read.
    package init(
        of group: GroupID, of user: User, chat: any ReadTransaction, agent: (any ReadTransaction)?
    ) throws(StoreError) {
        for (member, relay) in try Self.relays(of: group, of: user, in: chat) {
            if relay.hasRows {
                guard let agent, !relay.inUse.isEmpty else { continue }
                var isThere = false
                for id in relay.inUse where try Self.has(id, agent) { isThere = true }
                if !isThere { databases[member] = .agent }
            } else if relay.wasAsked, try Self.hasConnections(user, chat, agent) {
                databases[member] = .chat
            }
        }
    }

    /// What the chat database says about the connections with a relay.
    private struct Relay {
        /// Whether the relay was asked, so that an app had connected to it.
        var wasAsked = false
        /// Whether the chat database has a connection with it.
        var hasRows = false
        /// The connections that were neither deleted nor given up.
        var inUse: [AgentConnectionID] = []
    }

    /// The relays whose membership has not ended.
    private static func relays(
        of group: GroupID, of user: User, in chat: any ReadTransaction
    ) throws(StoreError) -> [GroupMemberID: Relay] {
        let ended = GroupMemberStatus.known.filter(\.isHistory).map(\.text)
        let asked: [RelayStatus] = [.invited, .accepted, .acknowledgedRoster, .active]
        let rows = try chat.rows(
            """
            SELECT group_relays.group_member_id, group_relays.relay_status,
                \(chat.dialect.utf8("connections.agent_conn_id")) AS agent_key,
                CASE WHEN connections.conn_status LIKE 'deleted%' OR connections.conn_status LIKE 'failed%'
                    THEN 1 ELSE 0 END AS is_over
            FROM group_relays
            JOIN group_members ON group_members.group_member_id = group_relays.group_member_id
            LEFT JOIN connections ON connections.group_member_id = group_relays.group_member_id
            WHERE group_relays.group_id = \(group) AND group_members.user_id = \(user.id)
                AND group_members.member_status NOT IN (\(list: ended))
            """)
        var relays: [GroupMemberID: Relay] = [:]
        for row in rows {
            let (member, status): (GroupMemberID, RelayStatus) = (
                try row.get("group_member_id"), try row.get("relay_status")
            )
            var relay = relays[member] ?? Relay()
            relay.wasAsked = asked.contains(status)
            if let id: AgentConnectionID = try row.get("agent_key") {
                relay.hasRows = true
                let isOver: Bool = try row.get("is_over")
                if !isOver { relay.inUse.append(id) }
            }
            relays[member] = relay
        }
        return relays
    }

    private static func has(_ id: AgentConnectionID, _ agent: any ReadTransaction) throws(StoreError) -> Bool {
        try agent.count("SELECT count(*) FROM connections WHERE conn_id = \(id)") > 0
    }

    /// Whether the profile has any connection. A store without one was never connected, and has lost none.
    private static func hasConnections(
        _ user: User, _ chat: any ReadTransaction, _ agent: (any ReadTransaction)?
    ) throws(StoreError) -> Bool {
        let inChat = try chat.first("SELECT 1 AS found FROM connections WHERE user_id = \(user.id) LIMIT 1")
        if inChat != nil { return true }
        let query: Query = "SELECT 1 AS found FROM connections WHERE user_id = \(user.agentUserID) LIMIT 1"
        return try agent?.first(query) != nil
    }
}
