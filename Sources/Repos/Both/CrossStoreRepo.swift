public import ChatDBEngine
import ChatDBReposAgent
public import ChatDBReposChat
public import ChatDBReposKit
public import ChatDBSchema

/// Queries over both databases, which refer to each other by value: no foreign key can cross them. Rule:
/// docs/domain.md, "Between the two databases".
///
/// ```swift
/// let target = try store.readBoth { chat, agent in
///     try CrossStoreRepo(chat: chat, agent: agent).target(ofNotification: address)
/// }
/// ```
public struct CrossStoreRepo {
    let chat: any ReadTransaction
    let agent: any ReadTransaction

    /// Reads in a transaction of each database, which `Store.readBoth` begins.
    public init(chat: any ReadTransaction, agent: any ReadTransaction) {
        self.chat = chat
        self.agent = agent
    }

    /// The profile and connection of a notification, which names a server's host and port and a notifier id. Three
    /// statements, one row each. Nil without such a queue, when the queue or its connection is being deleted, and when
    /// the chat database lacks the connection or has it in another profile. Also nil for a hidden profile, unless
    /// hidden profiles are shown.
    public func target(
        ofNotification address: QueueAddress, hidden: HiddenProfiles = .leftOut
    ) throws(CrossStoreError) -> NotificationTarget? {
        try reading { () throws(StoreError) in
            let queue = try agent.first(
                """
                SELECT rcv_queues.rcv_id, rcv_queues.conn_id, connections.user_id, connections.enable_ntfs
                FROM rcv_queues
                JOIN connections ON connections.conn_id = rcv_queues.conn_id
                WHERE \(ReceiveQueuesRepo.isOfNotifier(address)) AND connections.deleted = 0
                """)
            guard let queue else { return nil }
            let agentID: AgentConnectionID = try queue.get("conn_id")
            let agentUser: AgentUserID = try queue.get("user_id")
            // The chat database stores the id as text, so no row has bytes that are not UTF-8.
            guard let text = agentID.text else { return nil }
            let owner = try chat.first(
                """
                SELECT connections.user_id, connections.connection_id, connections.contact_id,
                    connections.group_member_id, group_members.group_id, connections.user_contact_link_id,
                    connections.snd_file_id, connections.rcv_file_id
                FROM connections
                LEFT JOIN group_members ON group_members.group_member_id = connections.group_member_id
                WHERE connections.agent_conn_id = \(text)
                """)
            guard let owner, let user = try user(owner.get("user_id"), hidden), user.agentUserID == agentUser else {
                return nil
            }
            return try NotificationTarget(
                user: user, connectionID: owner.get("connection_id"), entity: entity(of: owner),
                queue: QueueAddress(server: address.server, id: queue.get("rcv_id")), agentConnectionID: agentID,
                hasNotifications: queue.get("enable_ntfs"))
        }
    }

    private func user(_ id: UserID, _ hidden: HiddenProfiles) throws(StoreError) -> User? {
        do throws(UsersError) {
            return try UsersRepo(chat).find(id, hidden: hidden)
        } catch {
            throw error.storeError ?? StoreError(.other, error.message)
        }
    }

    private func entity(of row: ResultRow) throws(StoreError) -> NotificationTarget.Entity {
        if let contact: ContactID = try row.get("contact_id") { return .contact(contact) }
        if let member: GroupMemberID = try row.get("group_member_id"), let group: GroupID = try row.get("group_id") {
            return .member(member, of: group)
        }
        if let link: UserContactLinkID = try row.get("user_contact_link_id") { return .link(link) }
        if let file: FileID = try row.get("snd_file_id") { return .file(file) }
        if let file: FileID = try row.get("rcv_file_id") { return .file(file) }
        return .none
    }

    /// Reads with the error of this subject.
    func reading<T>(_ body: () throws(StoreError) -> T) throws(CrossStoreError) -> T {
        do throws(StoreError) {
            return try body()
        } catch {
            throw .store(error)
        }
    }
}

/// The target of a notification: the queue that it names, its connection, the owner and the profile. Rule:
/// docs/domain.md, "Between the two databases".
public struct NotificationTarget: Sendable, Hashable {
    /// The owner of the chat connection.
    public enum Entity: Sendable, Hashable {
        /// A contact.
        case contact(ContactID)
        /// A member of a group, and the group.
        case member(GroupMemberID, of: GroupID)
        /// A link of the profile's own.
        case link(UserContactLinkID)
        /// A file.
        case file(FileID)
        /// No owner yet: the connection is to become a contact.
        case none
    }

    /// The profile.
    public let user: User
    /// The connection in the chat database.
    public let connectionID: ConnectionID
    /// The owner of the connection.
    public let entity: Entity
    /// The queue the notification names.
    public let queue: QueueAddress
    /// The connection in the agent database.
    public let agentConnectionID: AgentConnectionID
    /// Whether the connection's messages may raise a notification.
    public let hasNotifications: Bool
}

/// The row counts of one profile, in both databases. Rule: docs/domain.md, "Between the two databases".
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
    /// Queues to send to, without those being deleted.
    public let sendQueues: Int
    /// Deliveries that wait; those that have failed are not counted.
    public let waitingDeliveries: Int
}

extension CrossStoreRepo {
    /// The row counts of each profile in both databases, the one used last first. A hundred profiles take as many
    /// statements as one. Hidden profiles are left out unless they are shown. The list is empty when there are none.
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

/// Errors of queries over both databases. Rule: docs/domain.md, "Between the two databases".
public enum CrossStoreError: RuleViolation, Hashable {
    /// A database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        }
    }
}
