package import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

/// The choices about entries of operators' lists. The table has a row for an entry only while the profile does not have
/// the entry. Rule: docs/domain.md, "Operators and servers", Choices.
extension ReadTransaction {
    /// The choices of a profile.
    package func presetChoices(of user: UserID) throws(StoreError) -> [PresetEntryKey: PresetChoice] {
        var choices: [PresetEntryKey: PresetChoice] = [:]
        for row in try rows("SELECT kind, address_key, choice FROM preset_choices WHERE user_id = \(user)") {
            choices[PresetEntryKey(kind: try row.get("kind"), addressKey: try row.get("address_key"))] =
                try row.get("choice")
        }
        return choices
    }
}

/// The reason why a profile loses an entry.
package enum PresetRemoval: Sendable, Hashable {
    /// The user deletes it.
    case deletion
    /// The list of its operator no longer has it.
    case drop
    /// The profile becomes equal to a file that does not have it.
    case restoration

    /// The choice to keep about an entry. A custom entry has no switch that its operator's list would follow.
    func choice(ofPreset isPreset: Bool, isEnabled: Bool) -> PresetChoice {
        if self == .deletion || !isPreset { return .deleted }
        return isEnabled ? .enabled : .disabled
    }
}

extension Writer {
    /// Keeps the choice about an entry that is removed.
    func keep(_ choice: PresetChoice, about entry: PresetEntryKey, of user: UserID) throws(Failure) {
        try run(
            """
            INSERT INTO preset_choices (user_id, kind, address_key, choice, created_at, updated_at)
            VALUES (\(user), \(entry.kind), \(entry.addressKey), \(choice), \(now), \(now))
            ON CONFLICT (user_id, kind, address_key) DO UPDATE
            SET choice = excluded.choice, updated_at = excluded.updated_at
            """)
    }

    /// Forgets the choice about an entry that the profile gets or has.
    func forgetChoice(about entry: PresetEntryKey, of user: UserID) throws(Failure) {
        try run(
            """
            DELETE FROM preset_choices
            WHERE user_id = \(user) AND kind = \(entry.kind) AND address_key = \(entry.addressKey)
            """)
    }
}

extension UsersWriter {
    /// Gives a new profile the choices of another one.
    package func copyChoices(of other: UserID, to user: UserID) throws(UsersError) {
        try run(
            """
            INSERT INTO preset_choices (user_id, kind, address_key, choice, created_at, updated_at)
            SELECT \(user), kind, address_key, choice, \(now), \(now) FROM preset_choices WHERE user_id = \(other)
            """)
    }
}

extension ChatRelay {
    package var choiceKey: PresetEntryKey { .relay(addressKey) }

    /// Whether one of the operators has its host or one of its domains, so that the operator's list may have the relay.
    func isOf(_ operators: [ServerOperator]) -> Bool {
        operators.owner(of: self) != nil || operators.owner(ofHosts: [host]) != nil
    }
}

extension ProtocolServer {
    package var choiceKey: PresetEntryKey { .server(serverProtocol, host: primaryHost, port: port) }

    /// Whether one of the operators has one of its hosts, so that the operator's list may have the server.
    func isOf(_ operators: [ServerOperator]) -> Bool { operators.owner(of: self) != nil }
}

extension ServerAddress {
    package var choiceKey: PresetEntryKey { .server(serverProtocol, host: primaryHost, port: portText) }
}
