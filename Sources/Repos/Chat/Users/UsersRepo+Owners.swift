import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Whose is it? What the network brings comes with a number of the agent or of a row. It comes for hidden profiles as for
/// all others, so these questions find them too; `isHidden` tells.
/// Rule: docs/domain.md, "Profiles", Scope.
extension UsersRepo {
    /// The profile that the agent knows by a number, or nil.
    public func find(agentUser: AgentUserID) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE agent_user_id = \(agentUser)")
    }

    /// The profile that has a connection of the agent, or nil.
    public func find(agentConnection: AgentConnectionID) throws(UsersError) -> User? {
        guard let text = agentConnection.text else { return nil }
        return try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM connections WHERE agent_conn_id = \(text))
            """)
    }

    /// The profile that has a contact, soft-deleted or not, or nil.
    public func find(contact: ContactID) throws(UsersError) -> User? {
        try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM contacts WHERE contact_id = \(contact))
            """)
    }

    /// The profile that has a group or a channel, or nil.
    public func find(group: GroupID) throws(UsersError) -> User? {
        try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM groups WHERE group_id = \(group))
            """)
    }

    /// The profile that sends or receives a file, or nil.
    public func find(file: FileID) throws(UsersError) -> User? {
        try first(
            """
            SELECT \(User.columns) FROM users
            WHERE user_id = (SELECT user_id FROM files WHERE file_id = \(file))
            """)
    }
}
