import ChatDBEngine
public import ChatDBReposChat
public import ChatDBSchema

/// How much one profile has, in both databases.
/// Rule: docs/domain.md, "Between the two databases".
public struct CrossStoreCounts: Sendable, Hashable {
    /// The profile.
    public let user: User
    /// Whether the agent database has the profile, and does not delete it.
    public let hasAgentUser: Bool
    /// Contacts, without the profile's own and without soft-deleted ones.
    public let contacts: Int
    /// Groups, channels among them.
    public let groups: Int
    /// Connections in the chat database.
    public let chatConnections: Int
    /// Connections in the agent database, without those being deleted.
    public let agentConnections: Int
    /// Connections of the agent that are being deleted.
    public let deletedConnections: Int
    /// Queues to receive from, without those being deleted.
    public let receiveQueues: Int
    /// Queues to send to, without those on their way out.
    public let sendQueues: Int
    /// Deliveries that wait; those that have failed are not counted.
    public let waitingDeliveries: Int
}

extension CrossStoreRepo {
    /// How much each profile has in both databases, the one used last first: as many statements for a hundred profiles
    /// as for one. Hidden profiles are left out unless they are shown. None is an empty list.
    public func counts(hidden: HiddenProfiles = .leftOut) throws(CrossStoreError) -> [CrossStoreCounts] {
        let users: [User]
        do throws(UsersError) {
            users = try UsersRepo(chat).all(hidden: hidden)
        } catch {
            throw .store(error.storeError ?? StoreError(.other, error.message))
        }
        return try reading { () throws(StoreError) in
            let ids = users.map(\.id)
            let contacts = try ProfileCounts.contacts(of: ids, in: chat)
            let groups = try by(ids, "groups", in: chat)
            let connections = try by(ids, "connections", in: chat)
            let agentSide = try agentCounts(of: users.map(\.agentUserID))
            return users.map { user in
                let there = agentSide[user.agentUserID] ?? AgentSide()
                return CrossStoreCounts(
                    user: user, hasAgentUser: there.isThere, contacts: contacts[user.id] ?? 0,
                    groups: groups[user.id] ?? 0, chatConnections: connections[user.id] ?? 0,
                    agentConnections: there.connections, deletedConnections: there.deletedConnections,
                    receiveQueues: there.receiveQueues, sendQueues: there.sendQueues,
                    waitingDeliveries: there.deliveries)
            }
        }
    }

    private struct AgentSide {
        var isThere = false
        var connections = 0
        var deletedConnections = 0
        var receiveQueues = 0
        var sendQueues = 0
        var deliveries = 0
    }

    /// Rows of a table of the chat database by profile.
    private func by(
        _ users: [UserID], _ table: String, in chat: any ReadTransaction
    ) throws(StoreError) -> [UserID: Int] {
        var counts: [UserID: Int] = [:]
        let rows = try chat.rows(
            """
            SELECT user_id, count(*) AS row_count FROM \(identifier: table)
            WHERE user_id IN (\(list: users.map(\.rawValue))) GROUP BY user_id
            """)
        for row in rows { counts[try row.get("user_id")] = try row.get("row_count") }
        return counts
    }

    private func agentCounts(of users: [AgentUserID]) throws(StoreError) -> [AgentUserID: AgentSide] {
        let list = users.map(\.rawValue)
        var sides: [AgentUserID: AgentSide] = [:]
        for row in try agent.rows("SELECT user_id FROM users WHERE user_id IN (\(list: list)) AND deleted = 0") {
            sides[try row.get("user_id"), default: AgentSide()].isThere = true
        }
        let connections = try agent.rows(
            """
            SELECT user_id, count(*) - sum(deleted) AS kept, sum(deleted) AS deleted FROM connections
            WHERE user_id IN (\(list: list)) GROUP BY user_id
            """)
        for row in connections {
            let id: AgentUserID = try row.get("user_id")
            sides[id, default: AgentSide()].connections = try row.get("kept")
            sides[id, default: AgentSide()].deletedConnections = try row.get("deleted")
        }
        let parts: [(Query, WritableKeyPath<AgentSide, Int>)] = [
            ("rcv_queues part ON part.conn_id = connections.conn_id AND part.deleted = 0", \.receiveQueues),
            ("snd_queues part ON part.conn_id = connections.conn_id AND part.deleted = 0", \.sendQueues),
            ("snd_message_deliveries part ON part.conn_id = connections.conn_id AND part.failed = 0", \.deliveries),
        ]
        for (join, path) in parts {
            let rows = try agent.rows(
                """
                SELECT connections.user_id, count(*) AS row_count FROM connections JOIN \(join)
                WHERE connections.user_id IN (\(list: list)) GROUP BY connections.user_id
                """)
            for row in rows {
                sides[try row.get("user_id"), default: AgentSide()][keyPath: path] = try row.get("row_count")
            }
        }
        return sides
    }
}
