import ChatDBEngine

/// Sent messages that go before their connection does. Rule: docs/domain.md, "Agent database", Sending.
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
