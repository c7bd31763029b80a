package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ReceivedMessage: RowRecord {
    static let columns: Query = """
        rcv_messages.conn_id, rcv_messages.internal_id, rcv_messages.internal_rcv_id, rcv_messages.external_snd_id,
        rcv_messages.broker_id, rcv_messages.broker_ts, messages.internal_ts, rcv_messages.rcv_queue_id,
        messages.msg_type, messages.msg_flags, messages.msg_body, rcv_messages.internal_hash,
        rcv_messages.external_prev_snd_hash, rcv_messages.integrity, rcv_messages.user_ack,
        rcv_messages.receive_attempts
        """

    static let tables: Query = """
        rcv_messages
        JOIN messages ON messages.conn_id = rcv_messages.conn_id AND messages.internal_id = rcv_messages.internal_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            connectionID: row.get("conn_id"), id: row.get("internal_id"), receivedNumber: row.get("internal_rcv_id"),
            senderNumber: row.get("external_snd_id"), brokerID: row.get("broker_id"),
            brokerTime: row.time("broker_ts"), receivedAt: row.time("internal_ts"), queue: row.get("rcv_queue_id"),
            type: row.get("msg_type"), flags: row.get("msg_flags"), body: row.get("msg_body"),
            hash: row.get("internal_hash"), previousHash: row.get("external_prev_snd_hash"),
            integrity: row.get("integrity"), isAcknowledged: row.get("user_ack"),
            attempts: row.get("receive_attempts"))
    }
}

extension SentMessage: RowRecord {
    static let columns: Query = """
        snd_messages.conn_id, snd_messages.internal_id, snd_messages.internal_snd_id, messages.internal_ts,
        messages.msg_type, messages.msg_flags, coalesce(snd_message_bodies.agent_msg, messages.msg_body) AS body,
        snd_messages.snd_message_body_id, snd_messages.internal_hash, snd_messages.previous_msg_hash,
        snd_messages.msg_encrypt_key, snd_messages.padded_msg_len
        """

    static let tables: Query = """
        snd_messages
        JOIN messages ON messages.conn_id = snd_messages.conn_id AND messages.internal_id = snd_messages.internal_id
        LEFT JOIN snd_message_bodies
            ON snd_message_bodies.snd_message_body_id = snd_messages.snd_message_body_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            connectionID: row.get("conn_id"), id: row.get("internal_id"), number: row.get("internal_snd_id"),
            sentAt: row.time("internal_ts"), type: row.get("msg_type"), flags: row.get("msg_flags"),
            body: row.get("body"), bodyID: row.get("snd_message_body_id"), hash: row.get("internal_hash"),
            previousHash: row.get("previous_msg_hash"), encryptKey: row.get("msg_encrypt_key"),
            paddedLength: row.get("padded_msg_len"))
    }
}

extension PendingDelivery: RowRecord {
    static let columns: Query = """
        snd_message_deliveries.snd_message_delivery_id, snd_message_deliveries.snd_queue_id, \(SentMessage.columns)
        """

    static let tables: Query = """
        snd_message_deliveries
        JOIN snd_messages ON snd_messages.conn_id = snd_message_deliveries.conn_id
            AND snd_messages.internal_id = snd_message_deliveries.internal_id
        JOIN messages ON messages.conn_id = snd_messages.conn_id AND messages.internal_id = snd_messages.internal_id
        LEFT JOIN snd_message_bodies
            ON snd_message_bodies.snd_message_body_id = snd_messages.snd_message_body_id
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("snd_message_delivery_id"), queue: row.get("snd_queue_id"), message: SentMessage(row: row))
    }
}
