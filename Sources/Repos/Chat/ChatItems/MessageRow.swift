package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension Message: RowRecord {
    static let columns: Query = """
        messages.message_id, messages.user_id, messages.msg_sent, messages.chat_msg_event, messages.msg_body,
        messages.connection_id, messages.group_id, messages.shared_msg_id, messages.author_group_member_id,
        messages.forwarded_by_group_member_id, messages.broker_ts
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("message_id"), userID: row.get("user_id"),
            direction: MessageDirection(isSent: row.get("msg_sent")), event: row.get("chat_msg_event"),
            body: row.get("msg_body"), connectionID: row.get("connection_id"), groupID: row.get("group_id"),
            sharedMessageID: row.get("shared_msg_id"), authorID: row.get("author_group_member_id"),
            forwardedByID: row.get("forwarded_by_group_member_id"), brokerTime: row.optionalTime("broker_ts"))
    }
}

extension MessageDelivery: RowRecord {
    static let columns: Query = """
        msg_deliveries.msg_delivery_id, msg_deliveries.message_id, msg_deliveries.connection_id,
        msg_deliveries.agent_msg_id, msg_deliveries.delivery_status
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("msg_delivery_id"), messageID: row.get("message_id"), connectionID: row.get("connection_id"),
            agentMessageID: row.get("agent_msg_id"), status: row.get("delivery_status"))
    }
}
