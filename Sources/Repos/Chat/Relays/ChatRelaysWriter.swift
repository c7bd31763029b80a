public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The result of adding a relay.
public struct AddedRelay: Sendable, Hashable {
    /// Whether a new row was made or an old one came back.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// A new row.
        case added
        /// The soft-deleted row came back, with its id.
        case restored
        /// The profile has it as a preset relay that was disabled, and it is enabled now.
        case enabled
    }

    /// The kind of result.
    public let outcome: Outcome
    /// The relay as it is now.
    public let relay: ChatRelay
    /// The name that the restored relay had and could not keep, because another relay has it by now; nil otherwise.
    public let droppedName: String?

    init(outcome: Outcome, relay: ChatRelay, droppedName: String? = nil) {
        self.outcome = outcome
        self.relay = relay
        self.droppedName = droppedName
    }
}

/// Changes to the relays of a profile. Rule: docs/domain.md, "Chat relays".
///
/// ```swift
/// let address = "https://relay.example.org/r#8EQmGJ2nVbXyTzRkPw0sLd5uHfCa1iOo7tNqZgWvBxM"
/// let added = try store.write { try ChatRelaysWriter($0).add(address, name: "my relay", of: user.id) }
/// print(added.outcome == .restored ? "The relay is back." : "The relay was added.")
/// ```
public struct ChatRelaysWriter: Writer {
    package typealias Failure = ChatRelaysError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Adds a relay of the user's own, enabled and untested. The address of a soft-deleted relay brings its row back,
    /// of several rows the newest. The row keeps its id, so its channels keep the relay; it is custom, even if it was a
    /// preset. It keeps its name and domains unless others are given. A former preset loses its domains, which belong
    /// to its operator. A relay loses a name that another one has by now. The address of a preset relay that is
    /// disabled enables that relay. A name and domains that are nil are not given; an empty name is allowed.
    ///
    /// Throws `invalidRelayAddress`, `invalidRelayName`, `invalidRelayDomain`, `profileNotFound`,
    /// `duplicateRelayAddress` and `duplicateRelayName`; nothing has changed then. Rule: docs/domain.md, "Chat relays",
    /// Adding again.
    public func add(
        _ given: String, name givenName: String? = nil, domains givenDomains: [String]? = nil, of user: UserID
    ) throws(ChatRelaysError) -> AddedRelay {
        let address = try checkedAddress(given)
        var (name, domains): (String?, [String]?) = (nil, nil)
        if let givenName { name = try checkedName(givenName) }
        if let givenDomains { domains = try checkedDomains(givenDomains) }
        try requireProfile(user)
        let relays = ChatRelaysRepo(tx)
        if let existing = try relays.find(sameAs: address, of: user) {
            guard existing.isDisabledPreset(named: name, domains: domains) else {
                throw .duplicateRelayAddress(existing: existing, given: address.text)
            }
            try setEnabled(existing.id, true, of: user)
            return AddedRelay(outcome: .enabled, relay: try relays.get(existing.id, of: user))
        }
        if let name, let existing = try relays.find(named: name, of: user).first {
            throw .duplicateRelayName(existing: existing, given: name)
        }
        return try addChecked(address, name: name, domains: domains, of: user)
    }
}

extension ChatRelay {
    /// Whether it is a preset relay that is disabled, and has this name and these domains where they are given.
    fileprivate func isDisabledPreset(named name: String?, domains: [String]?) -> Bool {
        isPreset && !isEnabled && name.map { NameRule.key($0) == NameRule.key(self.name) } ?? true
            && domains.map { $0 == self.domains } ?? true
    }
}

extension ChatRelaysError: ProfileScopedError {}

extension ChatRelaysWriter {
    /// Gives an added relay without a name that of its host, with a number if another relay has that name.
    package func naming(_ added: AddedRelay) throws(ChatRelaysError) -> AddedRelay {
        let relay = added.relay
        guard relay.name.isEmpty else { return added }
        let taken = Set(try ChatRelaysRepo(tx).all(of: relay.userID).map { NameRule.key($0.name) })
        let name = NameRule.free(linkHost(relay.address), besides: taken)
        return AddedRelay(
            outcome: added.outcome, relay: try edit(relay.id, name: name, of: relay.userID),
            droppedName: added.droppedName)
    }
}

extension ChatRelaysWriter {
    /// Gives a custom relay another address, name or domains; what is nil stays. Another text of the address makes the
    /// relay untested; the address of another relay is refused while a channel refers to this one.
    ///
    /// Throws `relayNotFound`, `presetRelayCannotBeEdited`, `invalidRelayAddress`, `invalidRelayName`,
    /// `invalidRelayDomain`, `relayInUse`, `duplicateRelayAddress` and `duplicateRelayName`; nothing has changed then.
    /// Rule: docs/domain.md, "Chat relays", Preset and custom.
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
            // Before `relayInUse`, which asks for a new relay with the address: none can be added if one has it.
            if let existing = try relays.find(sameAs: address, of: user), existing.id != id {
                throw .duplicateRelayAddress(existing: existing, given: address.text)
            }
            try edited.move(to: address, usage: relays.usage(of: id, of: user))
        }
        if let existing = try relays.find(named: edited.name, of: user).first(where: { $0.id != id }) {
            throw .duplicateRelayName(existing: existing, given: edited.name)
        }
        try write(edited.relay, over: old)
        return try relays.get(id, of: user)
    }

    /// Switches a relay on or off for new channels, a preset one too; its channels keep it. Throws `relayNotFound`, for
    /// a soft-deleted one too, and `relayAddressNotValid` for one that would be switched on. Rule: docs/domain.md,
    /// "Choosing relays".
    public func setEnabled(_ id: ChatRelayID, _ isEnabled: Bool, of user: UserID) throws(ChatRelaysError) {
        if isEnabled {
            let relay = try ChatRelaysRepo(tx).get(id, of: user)
            if !relay.hasValidAddress { throw .relayAddressNotValid(relay) }
        }
        try set("enabled = \(isEnabled)", id, of: user)
    }

    /// Stores the result of a relay's test, with the time; nil makes the relay untested. Throws `relayNotFound`, also
    /// for a soft-deleted one. Rule: docs/domain.md, "Chat relays", Testing.
    public func setTested(_ id: ChatRelayID, _ passed: Bool?, of user: UserID) throws(ChatRelaysError) {
        try set(Self.testedColumns(passed, at: now), id, of: user)
    }

    /// Writes the changed values of a relay. Another test result gets the present time, unless the time of the test is
    /// unknown.
    package func write(_ relay: ChatRelay, over old: ChatRelay, isTestedNow: Bool = true) throws(ChatRelaysError) {
        if relay == old { return }
        if relay.addressKey != old.addressKey { try forgetChoice(about: relay.choiceKey, of: relay.userID) }
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

/// The new state of a relay.
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

    /// Gives the relay another address. Another text for the same relay is allowed while channels use it, but makes it
    /// untested.
    mutating func move(to given: RelayAddress, usage: RelayWithUse) throws(ChatRelaysError) {
        if given.addressKey != addressKey, usage.isReferenced {
            throw .relayInUse(old, channelsUsing: usage.use.using)
        }
        follow(given)
    }

    /// Gives the relay an address without checking whether it is that of another relay. With another text the relay is
    /// untested.
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
    /// The result of the last test, whose time is not known.
    let tested: Bool?

    package init(address: RelayAddress, name: String, domains: [String], tested: Bool? = nil) {
        self.address = address
        self.name = name
        self.domains = domains
        self.tested = tested
    }
}

extension ChatRelaysWriter {
    /// Adds a relay of the user's own that conflicts with no other, or brings back its newest soft-deleted row, which
    /// keeps a name and domains that are nil. `reserved` has the keys of names that relays will get which are not
    /// stored yet.
    func addChecked(
        _ address: RelayAddress, name: String?, domains: [String]?, of user: UserID, reserved: Set<String> = []
    ) throws(ChatRelaysError) -> AddedRelay {
        let relays = ChatRelaysRepo(tx)
        guard let old = try relays.findDeleted(sameAs: address, of: user) else {
            let id = try insert(
                address, name: name ?? "", domains: domains ?? [], of: user, isPreset: false, isEnabled: true)
            return AddedRelay(outcome: .added, relay: try relays.get(id, of: user))
        }
        let holders = try relays.find(named: old.name, of: user)
        let isTaken = !holders.isEmpty || reserved.contains(NameRule.key(old.name))
        let dropped = name == nil && isTaken ? old.name : nil
        try restore(
            old.id, of: user, address: address, name: name ?? (isTaken ? "" : old.name),
            domains: domains ?? (old.isPreset ? [] : old.domains), isPreset: false, isEnabled: true)
        return AddedRelay(outcome: .restored, relay: try relays.get(old.id, of: user), droppedName: dropped)
    }

    /// Inserts a relay that was found to be a new one.
    func insert(
        _ address: RelayAddress, name: String, domains: [String], of user: UserID, isPreset: Bool, isEnabled: Bool
    ) throws(ChatRelaysError) -> ChatRelayID {
        let relay = NewRelay(address: address, name: name, domains: domains)
        try forgetChoice(about: .relay(address.addressKey), of: user)
        return ChatRelayID(
            try insert(
                newRow(relay, of: user, isPreset: isPreset, isEnabled: isEnabled), returning: "chat_relay_id"))
    }

    /// Inserts a relay that was found to be a new one, without asking for its number.
    package func insert(
        _ relay: NewRelay, of user: UserID, isPreset: Bool, isEnabled: Bool
    ) throws(ChatRelaysError) {
        try forgetChoice(about: .relay(relay.address.addressKey), of: user)
        try run(newRow(relay, of: user, isPreset: isPreset, isEnabled: isEnabled))
    }

    private func newRow(_ relay: NewRelay, of user: UserID, isPreset: Bool, isEnabled: Bool) -> Query {
        let now = now
        let number = newNumber(in: .chatRelays)
        return """
            INSERT INTO chat_relays (
                \(number.column)user_id, address, address_key, display_name, domains, preset, enabled, tested,
                tested_at, created_at, updated_at)
            VALUES (
                \(number.value)\(user), \(relay.address.text), \(relay.address.addressKey), \(relay.name),
                \(OperatorDomains.text(relay.domains)), \(isPreset), \(isEnabled), \(relay.tested),
                NULL, \(now), \(now))
            """
    }

    /// Brings a soft-deleted row back, untested unless it keeps the result of its test.
    package func restore(
        _ id: ChatRelayID, of user: UserID, address: RelayAddress, name: String, domains: [String], isPreset: Bool,
        isEnabled: Bool, keepsTest: Bool = false
    ) throws(ChatRelaysError) {
        try forgetChoice(about: .relay(address.addressKey), of: user)
        let tested: Query = keepsTest ? "" : "tested = NULL, tested_at = NULL,"
        try run(
            """
            UPDATE chat_relays
            SET deleted = 0, enabled = \(isEnabled), preset = \(isPreset), address = \(address.text),
                address_key = \(address.addressKey), display_name = \(name), domains = \(OperatorDomains.text(domains)),
                \(tested) updated_at = \(now)
            WHERE chat_relay_id = \(id) AND user_id = \(user)
            """)
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
