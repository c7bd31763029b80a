package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatRelay: RowRecord {
    package static let columns: Query = """
        chat_relays.chat_relay_id, chat_relays.user_id, chat_relays.address, chat_relays.address_key,
        chat_relays.display_name, chat_relays.domains, chat_relays.preset, chat_relays.tested, chat_relays.tested_at,
        chat_relays.enabled, chat_relays.deleted
        """

    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            id: row.get("chat_relay_id"), userID: row.get("user_id"), address: row.get("address"),
            addressKey: row.get("address_key"), name: row.get("display_name"),
            domains: OperatorDomains.list(row.get("domains")), isPreset: row.get("preset"),
            tested: row.get("tested"), testedAt: row.optionalTime("tested_at"), isEnabled: row.get("enabled"),
            isDeleted: row.get("deleted"))
    }
}
