package import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension ChatRelaysWriter {
    /// Gives a custom relay another address, name or domains; what is nil stays. Another text of the address makes the
    /// relay untested; the address of another relay is refused while a channel refers to this one.
    ///
    /// Throws `relayNotFound`, `presetRelayCannotBeEdited`, `invalidRelayAddress`, `invalidRelayName`,
    /// `invalidRelayDomain`, `relayInUse`, `duplicateRelayAddress` and `duplicateRelayName`, and then has changed
    /// nothing. Rule: docs/domain.md, "Chat relays", Preset and custom.
    @discardableResult
    public func edit(
        _ id: ChatRelayID, address givenAddress: String? = nil, name givenName: String? = nil,
        domains givenDomains: [String]? = nil, of user: UserID
    ) throws(ChatRelaysError) -> ChatRelay {
        let relays = ChatRelaysRepo(tx)
        let old = try relays.get(id, of: user)
        if old.isPreset { throw .presetRelayCannotBeEdited(old) }
        var edited = RelayEdit(old)
        if let givenName { edited.name = try checkedName(givenName) }
        if let givenDomains { edited.domains = try checkedDomains(givenDomains) }
        if let givenAddress {
            let address = try checkedAddress(givenAddress)
            try edited.move(to: address, usage: relays.usage(of: id, of: user))
            if let existing = try relays.find(sameAs: address, of: user), existing.id != id {
                throw .duplicateRelayAddress(existing: existing, given: address.text)
            }
        }
        if let existing = try relays.find(named: edited.name, of: user).first(where: { $0.id != id }) {
            throw .duplicateRelayName(existing: existing, given: edited.name)
        }
        try write(edited.relay, over: old)
        return try relays.get(id, of: user)
    }

    /// Switches a relay on or off for new channels, a preset one too; its channels keep it. Throws `relayNotFound`, for
    /// a soft-deleted one too.
    public func setEnabled(_ id: ChatRelayID, _ isEnabled: Bool, of user: UserID) throws(ChatRelaysError) {
        try set("enabled = \(isEnabled)", id, of: user)
    }

    /// Stores how the test of a relay went, with the time; nil makes it untested. Throws `relayNotFound`, for a
    /// soft-deleted one too. Rule: docs/domain.md, "Chat relays", Testing.
    public func setTested(_ id: ChatRelayID, _ passed: Bool?, of user: UserID) throws(ChatRelaysError) {
        try set(Self.testedColumns(passed, at: now), id, of: user)
    }

    /// Writes what is different of a relay; another test result gets the time, unless nobody knows when that was.
    package func write(_ relay: ChatRelay, over old: ChatRelay, isTestedNow: Bool = true) throws(ChatRelaysError) {
        if relay == old { return }
        let time: Query = isTestedNow ? now : "NULL"
        let tested: Query = relay.tested == old.tested ? "" : Self.testedColumns(relay.tested, at: time) + ","
        try set(
            """
            address = \(relay.address), address_key = \(relay.addressKey), display_name = \(relay.name),
            domains = \(OperatorDomains.text(relay.domains)), \(tested) enabled = \(relay.isEnabled)
            """, relay.id, of: relay.userID)
    }

    private static func testedColumns(_ passed: Bool?, at time: Query) -> Query {
        "tested = \(passed), tested_at = \(passed == nil ? "NULL" : time)"
    }

    package func set(_ columns: Query, _ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) {
        let changed = try run(
            """
            UPDATE chat_relays SET \(columns), updated_at = \(now)
            WHERE chat_relay_id = \(id) AND user_id = \(user) AND deleted = 0
            """)
        if changed == 0 { throw .relayNotFound(.id(id)) }
    }
}

/// A relay as it is to be.
package struct RelayEdit {
    private let old: ChatRelay
    private var address: String
    private var addressKey: String
    package var name: String
    package var domains: [String]
    package var tested: Bool?
    package var isEnabled: Bool

    package init(_ relay: ChatRelay) {
        old = relay
        (address, addressKey) = (relay.address, relay.addressKey)
        (name, domains, tested, isEnabled) = (relay.name, relay.domains, relay.tested, relay.isEnabled)
    }

    /// Gives the relay another address. A text of the same relay is no move, but what was tested was the other text.
    mutating func move(to given: RelayAddress, usage: RelayWithUse) throws(ChatRelaysError) {
        if given.addressKey != addressKey, usage.isReferenced {
            throw .relayInUse(old, channelsUsing: usage.use.using)
        }
        follow(given)
    }

    /// Gives the relay an address without asking whether that is another relay. Another text was not tested.
    package mutating func follow(_ given: RelayAddress) {
        if given.text != address { tested = nil }
        (address, addressKey) = (given.text, given.addressKey)
    }

    package var relay: ChatRelay {
        ChatRelay(
            id: old.id, userID: old.userID, address: address, addressKey: addressKey, name: name, domains: domains,
            isPreset: old.isPreset, tested: tested, testedAt: tested == old.tested ? old.testedAt : nil,
            isEnabled: isEnabled, isDeleted: old.isDeleted)
    }
}
