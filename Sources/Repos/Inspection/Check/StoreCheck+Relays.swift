import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
import ChatDBSchema

/// Rule: docs/domain.md, "Chat relays".
extension StoreCheck {
    static let ofRelays = [
        StoreCheck(
            "duplicateRelay", .error, "relays that a profile has twice",
            // relay delete and relay edit refuse a preset, so the finding is about the other one.
            rows: [
                """
                SELECT chat_relay_id FROM (
                    SELECT chat_relay_id, row_number() OVER (
                        PARTITION BY user_id, address_key ORDER BY preset DESC, chat_relay_id) AS place
                    FROM chat_relays WHERE deleted = 0 AND address_key <> '') AS relays
                WHERE place > 1 ORDER BY chat_relay_id
                """
            ]),
        StoreCheck(
            "duplicateRelayName", .error, "relays with the same name as another relay of the profile"
        ) { checked, found in
            var names: Set<NameInProfile> = []
            try checked.transaction(.chat).forEach(
                """
                SELECT chat_relay_id, user_id, display_name FROM chat_relays WHERE deleted = 0
                ORDER BY preset DESC, chat_relay_id
                """
            ) { row in
                let name = NameInProfile(user: try row.get("user_id"), key: NameRule.key(try row.get("display_name")))
                if !name.key.isEmpty, !names.insert(name).inserted { found.add(try row.get("chat_relay_id") as Int64) }
            }
        },
        StoreCheck(
            "invalidRelayAddress", .warning, "relays whose address is not valid"
        ) { checked, found in
            // No command lists a soft-deleted relay, and no new channel can choose it.
            try checked.transaction(.chat).forEach(
                "SELECT chat_relay_id, address FROM chat_relays WHERE deleted = 0 ORDER BY chat_relay_id"
            ) { row in
                let address: String? = try? row.get("address")
                if address.map(ChatRelay.isAddress) != true { found.add(try row.get("chat_relay_id") as Int64) }
            }
        },
        StoreCheck(
            "wrongAddressKey", .error, "relays whose key is not that of their address",
            repair: Repair(act: "corrects the keys that no other relay has", work: repairAddressKeys)
        ) { checked, found in
            try addresses(checked) { id, address, key in
                if let address, address.addressKey != key { found.add(id) }
            }
        },
        StoreCheck(
            "deletedRelayWithoutReference", .warning, "soft-deleted relays that no channel refers to",
            needs: ["group_members", "contact_profiles"],
            rows: ["SELECT chat_relay_id FROM chat_relays WHERE \(isForgotten) ORDER BY chat_relay_id"],
            repair: .removing(isForgotten, from: "chat_relays")),
    ]

    private static let isForgotten: Query = "deleted = 1 AND NOT \(ChatRelay.isReferenced)"

    private static func addresses(
        _ checked: CheckContext, _ body: (_ id: Int64, _ address: RelayAddress?, _ key: String) -> Void
    ) throws {
        try checked.transaction(.chat).forEach(
            "SELECT chat_relay_id, address, address_key FROM chat_relays ORDER BY chat_relay_id"
        ) { row in
            body(
                try row.get("chat_relay_id"), try? RelayAddress(try row.get("address")), try row.get("address_key"))
        }
    }

    private static func repairAddressKeys(_ rows: RepairContext) throws -> Int {
        var wrong: [(id: Int64, key: String)] = []
        try addresses(CheckContext(chat: rows.chat, agent: nil)) { id, address, key in
            if let address, address.addressKey != key { wrong.append((id, address.addressKey)) }
        }
        var changed = 0
        // One by one, because two of them may be the same relay. There are at most a few.
        for (id, key) in wrong {
            changed += try rows.chat.run(
                """
                UPDATE chat_relays SET address_key = \(key), updated_at = \(rows.now)
                WHERE chat_relay_id = \(id) AND (deleted = 1 OR NOT EXISTS (
                    SELECT 1 FROM chat_relays AS other
                    WHERE other.user_id = chat_relays.user_id AND other.address_key = \(key) AND other.deleted = 0))
                """)
        }
        return changed
    }
}

/// A name as it is compared within a profile.
struct NameInProfile: Hashable {
    let user: Int64
    let key: String
}
