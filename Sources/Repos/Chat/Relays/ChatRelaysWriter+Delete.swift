import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// The result of deleting a relay.
public struct DeletedRelay: Sendable, Hashable {
    /// Whether the row was removed.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
        /// Nothing referred to it, and the row was removed.
        case deleted
        /// A channel refers to it, or has lost its row of it: the row of the relay stays, soft-deleted.
        case softDeleted
    }

    /// The kind of result.
    public let outcome: Outcome
    /// The number of channels that use it. It may be 0 although a channel that was left refers to the relay.
    public let channelsUsing: Int
    /// The relay as it was.
    public let relay: ChatRelay
}

/// Rule: docs/domain.md, "Chat relays", Deleting.
extension ChatRelaysWriter {
    /// Deletes a custom relay: removes its row when no channel refers to it, and soft-deletes it otherwise. Throws
    /// `relayNotFound`, also for a soft-deleted one, and `presetRelayCannotBeDeleted`. Rule: docs/domain.md, "Chat
    /// relays", Deleting.
    public func delete(_ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> DeletedRelay {
        try remove(try ChatRelaysRepo(tx).deletable(id, of: user))
    }

    /// Removes the soft-deleted relays of a profile to which no channel refers any longer, and returns their number.
    /// Call it in the transaction that removes the last reference.
    @discardableResult
    public func purgeUnreferenced(of user: UserID) throws(ChatRelaysError) -> Int {
        let unreferenced: Query = """
            user_id = \(user) AND deleted = 1 AND NOT \(ChatRelay.isReferenced)
            """
        // Rows that another app or an earlier version soft-deleted have no choice yet.
        let undecided: [ChatRelay] = try ChatRelaysRepo(tx).all(
            """
            SELECT \(ChatRelay.columns) FROM chat_relays
            WHERE \(unreferenced) AND NOT EXISTS (
                SELECT 1 FROM chat_relays other
                WHERE other.user_id = chat_relays.user_id AND other.address_key = chat_relays.address_key
                    AND other.deleted = 0)
                AND NOT EXISTS (
                    SELECT 1 FROM preset_choices
                    WHERE preset_choices.user_id = chat_relays.user_id AND preset_choices.kind = 'relay'
                        AND preset_choices.address_key = chat_relays.address_key)
            """)
        if !undecided.isEmpty {
            let operators: [ServerOperator] = try ChatRelaysRepo(tx).all(ServerOperator.list)
            for relay in undecided { try keep(.deleted, about: relay, among: operators) }
        }
        return try run("DELETE FROM chat_relays WHERE \(unreferenced)")
    }

    /// Deletes a relay. Only the import of a preset file may delete a preset relay. Keeps the user's choice about the
    /// relay, so that the list of its operator does not enable it again.
    ///
    /// - Parameter operators: all operators of the store; read from it if nil.
    package func remove(
        _ relay: ChatRelay, by removal: PresetRemoval = .deletion, among operators: [ServerOperator]? = nil
    ) throws(ChatRelaysError) -> DeletedRelay {
        let channels = try ChatRelaysRepo(tx).use(of: relay.id, of: relay.userID).using
        let gone = try run(
            """
            DELETE FROM chat_relays
            WHERE chat_relay_id = \(relay.id) AND user_id = \(relay.userID) AND NOT \(ChatRelay.isReferenced)
            """)
        if gone > 0 {
            try keep(
                removal.choice(ofPreset: relay.isPreset, isEnabled: relay.isEnabled), about: relay, among: operators)
            return DeletedRelay(outcome: .deleted, channelsUsing: channels, relay: relay)
        }
        // The row of a relay that channels refer to must stay. If the user or a restored file removes a preset relay,
        // its row is disabled, and so is the relay when its operator's list brings it back. A relay that the list
        // itself drops keeps its switch.
        let isDisabled = relay.isPreset && removal != .drop
        try keep(
            removal.choice(ofPreset: relay.isPreset, isEnabled: relay.isEnabled && !isDisabled), about: relay,
            among: operators)
        let columns: Query = isDisabled ? "deleted = 1, enabled = 0" : "deleted = 1"
        try run(
            """
            UPDATE chat_relays SET \(columns), updated_at = \(now)
            WHERE chat_relay_id = \(relay.id) AND user_id = \(relay.userID)
            """)
        return DeletedRelay(outcome: .softDeleted, channelsUsing: channels, relay: relay)
    }

    /// Keeps the choice about a relay that is removed. A relay of no operator leaves no choice.
    private func keep(
        _ choice: PresetChoice, about relay: ChatRelay, among operators: [ServerOperator]?
    ) throws(ChatRelaysError) {
        if !relay.isPreset {
            let all: [ServerOperator]
            if let operators { all = operators } else { all = try ChatRelaysRepo(tx).all(ServerOperator.list) }
            if !relay.isOf(all) { return }
        }
        try keep(choice, about: relay.choiceKey, of: relay.userID)
    }
}

extension ChatRelaysRepo {
    /// The relay, which may be deleted. Throws `relayNotFound` and `presetRelayCannotBeDeleted`.
    func deletable(_ id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> ChatRelay {
        let relay = try get(id, of: user)
        if relay.isPreset { throw .presetRelayCannotBeDeleted(relay) }
        return relay
    }

    /// The result that `ChatRelaysWriter.delete` would have, with its errors.
    package func deletion(of id: ChatRelayID, of user: UserID) throws(ChatRelaysError) -> DeletedRelay {
        let relay = try deletable(id, of: user)
        let usage = try usage(of: id, of: user)
        return DeletedRelay(
            outcome: usage.isReferenced ? .softDeleted : .deleted, channelsUsing: usage.use.using, relay: relay)
    }

    /// The number of relays that `ChatRelaysWriter.purgeUnreferenced` would remove without this reference.
    package func purgeable(without gone: RelayReference, of user: UserID) throws(ChatRelaysError) -> Int {
        try count(
            """
            SELECT count(*) FROM chat_relays
            WHERE user_id = \(user) AND deleted = 1 AND NOT \(ChatRelay.isReferenced(besides: gone))
            """)
    }
}
