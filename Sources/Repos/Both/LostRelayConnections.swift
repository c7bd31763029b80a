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
        let isOfGroup: Query = "group_relays.group_id = \(group) AND group_members.user_id = \(user.id)"
        let missing = try chat.rows(Self.missingInChat(where: isOfGroup)).map { row throws(StoreError) in
            try row.get("group_member_id") as GroupMemberID
        }
        if !missing.isEmpty, try Self.hasConnections(user.id, user.agentUserID, chat, agent) {
            for member in missing { databases[member] = .chat }
        }
        guard let agent else { return }
        for (member, inUse) in try Self.connections(where: isOfGroup, in: chat) {
            var isThere = false
            for id in inUse where try Self.has(id, agent) { isThere = true }
            if !isThere { databases[member] = .agent }
        }
    }

    /// The relays of channels with which the chat database has no connection, although an app had asked them: as rows
    /// with `group_relay_id`, `group_id`, `chat_relay_id`, `group_member_id` and `user_id`. Relays whose membership has
    /// ended are left out.
    ///
    /// - Parameter condition: about `group_relays` and `group_members`.
    package static func missingInChat(where condition: Query) -> Query {
        """
        SELECT group_relays.group_relay_id, group_relays.group_id, group_relays.chat_relay_id,
            group_relays.group_member_id, group_members.user_id
        FROM group_relays
        JOIN group_members ON group_members.group_member_id = group_relays.group_member_id
        WHERE (\(condition)) AND group_relays.relay_status IN (\(list: asked.map(\.text)))
            AND group_members.member_status NOT IN (\(list: ended))
            AND NOT EXISTS (
                SELECT 1 FROM connections WHERE connections.group_member_id = group_relays.group_member_id)
        """
    }

    /// The statuses of a relay that was asked, so that an app had connected to it.
    private static let asked: [RelayStatus] = [.invited, .accepted, .acknowledgedRoster, .active]
    /// The statuses of a membership that has ended.
    private static let ended = GroupMemberStatus.known.filter(\.isHistory).map(\.text)

    /// The connections with the relays whose membership has not ended, except those that were deleted or given up.
    private static func connections(
        where condition: Query, in chat: any ReadTransaction
    ) throws(StoreError) -> [GroupMemberID: [AgentConnectionID]] {
        let rows = try chat.rows(
            """
            SELECT group_relays.group_member_id, \(chat.dialect.utf8("connections.agent_conn_id")) AS agent_key
            FROM group_relays
            JOIN group_members ON group_members.group_member_id = group_relays.group_member_id
            JOIN connections ON connections.group_member_id = group_relays.group_member_id
            WHERE (\(condition)) AND group_members.member_status NOT IN (\(list: ended))
                AND connections.conn_status NOT LIKE 'deleted%' AND connections.conn_status NOT LIKE 'failed%'
            """)
        var connections: [GroupMemberID: [AgentConnectionID]] = [:]
        for row in rows {
            let (member, id): (GroupMemberID, AgentConnectionID) = (
                try row.get("group_member_id"), try row.get("agent_key")
            )
            connections[member, default: []].append(id)
        }
        return connections
    }

    private static func has(_ id: AgentConnectionID, _ agent: any ReadTransaction) throws(StoreError) -> Bool {
        try agent.count("SELECT count(*) FROM connections WHERE conn_id = \(id)") > 0
    }

    /// Whether the profile has any connection. A store without one was never connected, and has lost none.
    package static func hasConnections(
        _ user: UserID, _ agentUser: AgentUserID, _ chat: any ReadTransaction, _ agent: (any ReadTransaction)?
    ) throws(StoreError) -> Bool {
        let inChat = try chat.first("SELECT 1 AS found FROM connections WHERE user_id = \(user) LIMIT 1")
        if inChat != nil { return true }
        let query: Query = "SELECT 1 AS found FROM connections WHERE user_id = \(agentUser) LIMIT 1"
        return try agent?.first(query) != nil
    }
}
