import ChatDBEngine
import ChatDBSchema

extension TableMapping {
    /// Chat relays, and which channels use them.
    static let relays = [
        TableMapping(
            table: "chat_relays",
            // SimpleX Chat compares addresses byte by byte and keeps no key.
            computed: [Computed("address_key", "\(relayKey.name)(CAST(address AS TEXT))")],
            holds: "relays", tells: [("deleted", "soft-deleted relays")]),
        TableMapping(table: "group_relays", holds: "use of relays"),
    ]

    /// The key of a relay's address; of a text that is none, the text.
    static let relayKey = ReadingFunction("chatdb_relay_key") { value in
        guard case .text(let text) = value else { return value }
        return .text((try? RelayAddress(text))?.addressKey ?? text)
    }
}
