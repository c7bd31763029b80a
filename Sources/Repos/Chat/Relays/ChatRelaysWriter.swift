public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// What came of adding a relay.
public struct AddedRelay: Sendable, Hashable {
    /// Whether a new row was made or an old one came back.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A new row.
        case added
        /// The soft-deleted row came back, with its id.
        case restored
    }

    /// Which of the two.
    public let outcome: Outcome
    /// The relay as it is now.
    public let relay: ChatRelay
}

/// What came of deleting a relay.
public struct DeletedRelay: Sendable, Hashable {
    /// Whether the row went.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Nothing referred to it: the row went.
        case deleted
        /// A channel refers to it: the row stays, soft-deleted.
        case softDeleted
    }

    /// Which of the two.
    public let outcome: Outcome
    /// How many channels use it; there may be none though a channel that the profile left refers to it.
    public let channelsUsing: Int
    /// The relay as it was.
    public let relay: ChatRelay
}

/// Changes to the relays of a profile. Rule: docs/domain.md, "Chat relays".
public struct ChatRelaysWriter: Writer {
    package typealias Failure = ChatRelaysError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds a relay of the user's own, enabled and untested. An address that is soft-deleted brings that row back, of
    /// several the newest: with its id, so that its channels keep it, and custom even if it was a preset.
    /// An empty name is allowed.
    ///
    /// Throws `invalidRelayAddress`, `invalidRelayName`, `invalidRelayDomain`, `profileNotFound`,
    /// `duplicateRelayAddress` and `duplicateRelayName`, and then has changed nothing. Rule: docs/domain.md,
    /// "Chat relays", Adding again.
    public func add(
        _ given: String, name givenName: String = "", domains givenDomains: [String] = [], of user: UserID
    ) throws(ChatRelaysError) -> AddedRelay {
        let address = try checkedAddress(given)
        let name = try checkedName(givenName)
        let domains = try checkedDomains(givenDomains)
        try requireProfile(user)
        let relays = ChatRelaysRepo(tx)
        if let existing = try relays.find(sameAs: address, of: user) {
            throw .duplicateRelayAddress(existing: existing, given: address.text)
        }
        if let existing = try relays.find(named: name, of: user).first {
            throw .duplicateRelayName(existing: existing, given: name)
        }
        return try addChecked(address, name: name, domains: domains, of: user)
    }

    /// Deletes a custom relay: the row goes when no channel refers to it, otherwise it is soft-deleted. Throws
    /// `relayNotFound`, for one that is soft-deleted already too, and `presetRelayCannotBeDeleted`.
    /// Rule: docs/domain.md, "Chat relays", Deleting.
    public func delete(_ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> DeletedRelay {
        let relay = try ChatRelaysRepo(tx).get(id, of: user)
        if relay.isPreset { throw .presetRelayCannotBeDeleted(relay) }
        return try remove(relay)
    }

    /// Removes the soft-deleted relays of a profile that no channel refers to any more, and answers how many there
    /// were. To be called in the transaction in which the last reference goes.
    @discardableResult
    public func purgeUnreferenced(of user: UserID) throws(ChatRelaysError) -> Int {
        try run(
            """
            DELETE FROM chat_relays
            WHERE user_id = \(user) AND deleted = 1 AND NOT EXISTS (
                SELECT 1 FROM group_relays WHERE group_relays.chat_relay_id = chat_relays.chat_relay_id)
            """)
    }
}

extension ChatRelaysError: ProfileScopedError {}

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

    /// Writes what is different of a relay; another test result gets the time, unless the time of the test is unknown.
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

extension ChatRelaysWriter {
    func checkedAddress(_ given: String) throws(ChatRelaysError) -> RelayAddress {
        do throws(RelayAddressError) {
            return try RelayAddress(given)
        } catch {
            throw .invalidRelayAddress(error)
        }
    }

    func checkedName(_ given: String) throws(ChatRelaysError) -> String {
        if NameRule.trimmed(given).isEmpty { return "" }
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            throw .invalidRelayName(error)
        }
    }

    func checkedDomains(_ given: [String]) throws(ChatRelaysError) -> [String] {
        do throws(InvalidDomain) {
            return try DomainRule.checked(given)
        } catch {
            throw .invalidRelayDomain(error.excerpt)
        }
    }
}
