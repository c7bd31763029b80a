import ChatDBEngine

/// Sent messages that are removed before their connection. Rule: docs/domain.md, "Agent database", Sending.
enum SentMessages {
    /// Removes the sent messages of a condition about columns of `snd_messages`, with their deliveries, and with the
    /// bodies that no other message refers to. To be run in this order, in one transaction.
    static func removal(of messages: Query) -> [Query] {
        [
            SharedBodies.removal(with: messages),
            """
            DELETE FROM messages
            WHERE (conn_id, internal_id) IN (
                SELECT snd_messages.conn_id, snd_messages.internal_id FROM snd_messages WHERE \(messages))
            """,
        ]
    }
}

/// Bodies that several sent messages share. Rule: docs/domain.md, "Agent database", Sending.
enum SharedBodies {
    /// Removes the bodies that only messages of a condition refer to. To be run before these messages are removed, in
    /// the same transaction; the condition is about columns of `snd_messages`.
    static func removal(with messages: Query) -> Query {
        """
        DELETE FROM snd_message_bodies
        WHERE snd_message_body_id IN (
                SELECT snd_messages.snd_message_body_id FROM snd_messages WHERE \(messages))
            AND NOT EXISTS (
                SELECT 1 FROM snd_messages
                WHERE snd_messages.snd_message_body_id = snd_message_bodies.snd_message_body_id
                    AND NOT (\(messages)))
        """
    }
}
