public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The relays of a profile. Rule: docs/domain.md, "Chat relays".
///
/// Soft-deleted relays are in an answer only where it says so. An id of another profile is not found.
public struct ChatRelaysRepo: Repository {
    package typealias Failure = ChatRelaysError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All relays of a profile, presets first, then by number; with `includingDeleted` the soft-deleted ones too.
    /// None is an empty list.
    public func all(of user: UserID, includingDeleted: Bool = false) throws(ChatRelaysError) -> [ChatRelay] {
        try all(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            ORDER BY preset DESC, chat_relay_id
            """)
    }

    /// The relay of a profile with a number, or nil.
    public func find(
        _ id: ChatRelayID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatRelaysError) -> ChatRelay? {
        try first(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE chat_relay_id = \(id) AND user_id = \(user) AND deleted IN (\(list: includingDeleted ? [0, 1] : [0]))
            """)
    }

    /// The relay of a profile with a number. Throws `relayNotFound`.
    public func get(
        _ id: ChatRelayID, of user: UserID, includingDeleted: Bool = false
    ) throws(ChatRelaysError) -> ChatRelay {
        guard let relay = try find(id, of: user, includingDeleted: includingDeleted) else {
            throw .relayNotFound(.id(id))
        }
        return relay
    }

    /// The relay of a profile that an address leads to, whatever the text of the address, or nil.
    public func find(sameAs address: RelayAddress, of user: UserID) throws(ChatRelaysError) -> ChatRelay? {
        try first(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND address_key = \(address.addressKey) AND deleted = 0
            """)
    }

    /// The soft-deleted relay of a profile that an address leads to, of several the newest, or nil.
    func findDeleted(sameAs address: RelayAddress, of user: UserID) throws(ChatRelaysError) -> ChatRelay? {
        try first(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND address_key = \(address.addressKey) AND deleted = 1
            ORDER BY chat_relay_id DESC LIMIT 1
            """)
    }

    /// The relays of a profile with a name, compared trimmed and without case, by number. More than one only in a
    /// store that another app wrote; none for an empty name.
    public func find(named name: String, of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        let key = NameRule.key(name)
        if key.isEmpty { return [] }
        // In Swift, because a database folds the case of ASCII letters only.
        return try all(of: user).filter { NameRule.key($0.name) == key }.sorted { $0.id < $1.id }
    }

    /// The relays of a profile that it has not switched off, those of operators that are off too, presets first, then
    /// by number. None is an empty list.
    public func enabled(of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        try all(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE user_id = \(user) AND deleted = 0 AND enabled = 1
            ORDER BY preset DESC, chat_relay_id
            """)
    }

    /// The relays that "test all" tests: enabled, and of an operator that is on, because nothing of one that is off is
    /// to be asked for anything. Presets first, then by number; none is an empty list. Rule: docs/domain.md,
    /// "Chat relays", Testing.
    public func testable(of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        try ofOperatorsThatAreOn(enabled(of: user))
    }

    // MARK: - Choosing

    /// The relays a new channel may use: enabled, not deleted, and of an operator that is on, presets first, then by
    /// number. None is an empty list. Rule: docs/domain.md, "Choosing relays".
    public func choosable(of user: UserID) throws(ChatRelaysError) -> [ChatRelay] {
        try ofOperatorsThatAreOn(enabled(of: user))
    }

    private func ofOperatorsThatAreOn(_ relays: [ChatRelay]) throws(ChatRelaysError) -> [ChatRelay] {
        let operators: [ServerOperator] = try all(ServerOperator.list)
        return relays.filter { operators.owner(of: $0)?.isEnabled != false }
    }

    /// Chooses so many different relays for a new channel, in the order of their numbers; the same generator chooses
    /// the same ones. Throws `noEnabledRelays` when there is none to choose, `notEnoughRelays` when there are fewer.
    public func choose(
        _ wanted: Int, of user: UserID, using generator: inout some RandomNumberGenerator
    ) throws(ChatRelaysError) -> [ChatRelay] {
        let relays = try choosable(of: user)
        if relays.isEmpty { throw .noEnabledRelays }
        if relays.count < wanted { throw .notEnoughRelays(wanted: wanted, enabled: relays.count) }
        return relays.shuffled(using: &generator).prefix(max(0, wanted)).sorted { $0.id < $1.id }
    }
}
