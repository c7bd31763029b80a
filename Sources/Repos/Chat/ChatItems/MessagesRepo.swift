public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Where messages come and go: a shared id is known there.
public enum MessageRoute: Sendable, Hashable {
    /// A connection to one other.
    case connection(ConnectionID)
    /// A group, whichever of its connections they take.
    case group(GroupID)
}

/// The messages of a profile as they were sent and received. Rule: docs/domain.md, "Messages".
public struct MessagesRepo: Repository {
    package typealias Failure = ChatsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The message of a profile with a number, or nil; that of another profile is nil.
    public func find(_ id: MessageID, of user: UserID) throws(ChatsError) -> Message? {
        try first("SELECT \(Message.columns) FROM messages WHERE message_id = \(id) AND user_id = \(user)")
    }

    /// The message of a profile with a number. Throws `messageNotFound`.
    public func get(_ id: MessageID, of user: UserID) throws(ChatsError) -> Message {
        guard let message = try find(id, of: user) else { throw .messageNotFound(id) }
        return message
    }

    /// The messages with a shared id on a route, oldest first: the first and what came later under its id. None is an
    /// empty list, also for a route of another profile.
    public func all(
        sharedID: String, on route: MessageRoute, of user: UserID
    ) throws(ChatsError) -> [Message] {
        let place: Query =
            switch route {
            case .connection(let id): "connection_id = \(id)"
            case .group(let id): "group_id = \(id)"
            }
        return try all(
            """
            SELECT \(Message.columns) FROM messages
            WHERE \(place) AND shared_msg_id = \(sharedID) AND +user_id = \(user)
            ORDER BY message_id
            """)
    }

    /// The deliveries of a message, by number. Throws `messageNotFound`.
    public func deliveries(of id: MessageID, of user: UserID) throws(ChatsError) -> [MessageDelivery] {
        _ = try get(id, of: user)
        return try all(
            """
            SELECT \(MessageDelivery.columns) FROM msg_deliveries WHERE message_id = \(id) ORDER BY msg_delivery_id
            """)
    }

    /// The deliveries the agent knows by a number on a connection, by number: one message, or those it sent together.
    /// None is an empty list, also for a connection of another profile.
    public func deliveries(
        ofAgentMessage number: AgentMessageID, on connection: ConnectionID, of user: UserID
    ) throws(ChatsError) -> [MessageDelivery] {
        try all(
            """
            SELECT \(MessageDelivery.columns) FROM msg_deliveries
            JOIN messages ON messages.message_id = msg_deliveries.message_id
            WHERE msg_deliveries.connection_id = \(connection) AND msg_deliveries.agent_msg_id = \(number)
                AND +messages.user_id = \(user)
            ORDER BY msg_deliveries.msg_delivery_id
            """)
    }
}
