import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

/// The values of a relay whose row is to be inserted; they were checked.
package struct NewRelay {
    let address: RelayAddress
    let name: String
    let domains: [String]
    /// The result of the last test. When that was is not known.
    let tested: Bool?

    package init(address: RelayAddress, name: String, domains: [String], tested: Bool? = nil) {
        self.address = address
        self.name = name
        self.domains = domains
        self.tested = tested
    }
}

extension ChatRelaysWriter {
    /// Adds a relay of the user's own that clashes with no other, or brings back the newest soft-deleted row of it.
    func addChecked(
        _ address: RelayAddress, name: String, domains: [String], of user: UserID
    ) throws(ChatRelaysError) -> AddedRelay {
        let relays = ChatRelaysRepo(tx)
        if let old = try relays.findDeleted(sameAs: address, of: user) {
            try restore(
                old.id, of: user, address: address, name: name, domains: domains, isPreset: false, isEnabled: true)
            return AddedRelay(outcome: .restored, relay: try relays.get(old.id, of: user))
        }
        let id = try insert(address, name: name, domains: domains, of: user, isPreset: false, isEnabled: true)
        return AddedRelay(outcome: .added, relay: try relays.get(id, of: user))
    }

    /// Inserts a relay that was found to be a new one.
    func insert(
        _ address: RelayAddress, name: String, domains: [String], of user: UserID, isPreset: Bool, isEnabled: Bool
    ) throws(ChatRelaysError) -> ChatRelayID {
        let relay = NewRelay(address: address, name: name, domains: domains)
        return ChatRelayID(
            try insert(
                newRow(relay, of: user, isPreset: isPreset, isEnabled: isEnabled), returning: "chat_relay_id"))
    }

    /// Inserts a relay that was found to be a new one, without asking for its number.
    package func insert(
        _ relay: NewRelay, of user: UserID, isPreset: Bool, isEnabled: Bool
    ) throws(ChatRelaysError) {
        try run(newRow(relay, of: user, isPreset: isPreset, isEnabled: isEnabled))
    }

    private func newRow(_ relay: NewRelay, of user: UserID, isPreset: Bool, isEnabled: Bool) -> Query {
        let now = now
        return """
            INSERT INTO chat_relays (
                user_id, address, address_key, display_name, domains, preset, enabled, tested, tested_at, created_at,
                updated_at)
            VALUES (
                \(user), \(relay.address.text), \(relay.address.addressKey), \(relay.name),
                \(OperatorDomains.text(relay.domains)), \(isPreset), \(isEnabled), \(relay.tested),
                NULL, \(now), \(now))
            """
    }

    /// Brings a soft-deleted row back, untested.
    package func restore(
        _ id: ChatRelayID, of user: UserID, address: RelayAddress, name: String, domains: [String], isPreset: Bool,
        isEnabled: Bool
    ) throws(ChatRelaysError) {
        try run(
            """
            UPDATE chat_relays
            SET deleted = 0, enabled = \(isEnabled), preset = \(isPreset), address = \(address.text),
                address_key = \(address.addressKey), display_name = \(name), domains = \(OperatorDomains.text(domains)),
                tested = NULL, tested_at = NULL, updated_at = \(now)
            WHERE chat_relay_id = \(id) AND user_id = \(user)
            """)
    }

    /// Deletes a relay, a preset one too, which only its operator's list may.
    package func remove(_ relay: ChatRelay) throws(ChatRelaysError) -> DeletedRelay {
        let channels = try ChatRelaysRepo(tx).use(of: relay.id, of: relay.userID).using
        let gone = try run(
            """
            DELETE FROM chat_relays
            WHERE chat_relay_id = \(relay.id) AND user_id = \(relay.userID) AND NOT EXISTS (
                SELECT 1 FROM group_relays WHERE group_relays.chat_relay_id = chat_relays.chat_relay_id)
            """)
        if gone > 0 { return DeletedRelay(outcome: .deleted, channelsUsing: channels, relay: relay) }
        try run(
            """
            UPDATE chat_relays SET deleted = 1, updated_at = \(now)
            WHERE chat_relay_id = \(relay.id) AND user_id = \(relay.userID)
            """)
        return DeletedRelay(outcome: .softDeleted, channelsUsing: channels, relay: relay)
    }
}
