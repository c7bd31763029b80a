package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// How far a group that was opened by its link is. Rule: docs/domain.md, "Prepared groups".
public struct GroupPreparation: Sendable, Hashable {
    /// Whether the connection by the link is prepared.
    public let isConnectionPrepared: Bool
    /// Whether joining has started.
    public let isStarted: Bool
    /// The shared id of the welcome message, if it is shown.
    public let welcomeMessage: String?
    /// The shared id of the message that goes with the request to join, if there is one.
    public let requestMessage: String?
}

extension GroupsRepo {
    /// How far a group that was opened by its link is; nil for a group that the profile made or was invited to. Throws
    /// `groupNotFound`.
    public func preparation(of id: GroupID, of user: UserID) throws(GroupsError) -> GroupPreparation? {
        if try !get(id, of: user).group.isPrepared { return nil }
        return try first(
            """
            SELECT conn_link_prepared_connection, conn_link_started_connection, welcome_shared_msg_id,
                request_shared_msg_id
            FROM groups WHERE group_id = \(id) AND user_id = \(user)
            """)
    }
}

extension GroupPreparation: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        isConnectionPrepared = try row.get("conn_link_prepared_connection")
        isStarted = try row.get("conn_link_started_connection")
        welcomeMessage = try row.get("welcome_shared_msg_id")
        requestMessage = try row.get("request_shared_msg_id")
    }
}
