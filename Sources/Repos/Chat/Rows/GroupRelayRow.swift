package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension GroupRelay: RowRecord {
    static let columns: Query = """
        group_relays.group_relay_id, group_relays.group_id, group_relays.group_member_id,
        group_relays.chat_relay_id, group_relays.relay_status, group_relays.relay_link
        """

    /// The condition that a row of `group_relays` is the last that its relay has in the channel.
    static let isLatest: Query = """
        NOT EXISTS (
            SELECT 1 FROM group_relays later
            WHERE later.chat_relay_id = group_relays.chat_relay_id AND later.group_id = group_relays.group_id
                AND later.group_relay_id > group_relays.group_relay_id)
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("group_relay_id"), groupID: row.get("group_id"), memberID: row.get("group_member_id"),
            chatRelayID: row.get("chat_relay_id"), status: row.get("relay_status"), relayLink: row.get("relay_link"))
    }
}
