public import ChatDBEngine
import ChatDBReposAgent
public import ChatDBReposChat
import ChatDBReposKit
public import ChatDBSchema

/// Questions that only both databases together can answer: they refer to each other by value, and no foreign key can
/// cross them. Rule: docs/domain.md, "Between the two databases".
public struct CrossStoreRepo {
    let chat: any ReadTransaction
    let agent: any ReadTransaction

    /// Asks in a transaction of each database, both of one moment as far as their commits go (`Store.readBoth`).
    public init(chat: any ReadTransaction, agent: any ReadTransaction) {
        self.chat = chat
        self.agent = agent
    }

    /// Whom a notification is for: the one that names a server's host and port and a notifier id. Three statements,
    /// one row each. Nil when there is no such queue, when it or its connection is being deleted, when the chat database
    /// lacks the connection or has it in another profile, and for a profile that is hidden, unless those are shown.
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
            // Bytes that are no text are in no row of the chat database, where the id is text.
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
