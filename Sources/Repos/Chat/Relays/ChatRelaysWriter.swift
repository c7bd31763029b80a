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
    /// How many channels use it; there may be none though a channel that was left refers to it.
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
