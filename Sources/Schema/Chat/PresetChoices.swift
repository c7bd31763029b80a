/// The user's last choice about a server or relay of an operator that the profile no longer has. Rule: docs/domain.md,
/// "Operators and servers", Choices.
public enum PresetChoice: StoredText {
    /// The profile lost the entry enabled, without a deletion by the user.
    case enabled
    /// The profile lost the entry disabled, without a deletion by the user.
    case disabled
    /// The user deleted the entry.
    case deleted
    /// A text that this build does not know: a newer app stored it.
    case unknown(String)

    /// The stored texts.
    public static let texts: StoredTexts<PresetChoice> = [
        .enabled: "enabled",
        .disabled: "disabled",
        .deleted: "deleted",
    ]

    /// The text of ``unknown(_:)``; nil for a value that this build knows.
    public var unknownText: String? { if case .unknown(let text) = self { text } else { nil } }
}

/// The identity of a server or relay, as the store has it in `preset_choices`. Two texts of one address have the same.
package struct PresetEntryKey: Sendable, Hashable {
    /// `relay`, or the protocol of a server.
    package let kind: String
    /// The address key of a relay. Of a server, the first host in lower case, and the port if the address has one.
    package let addressKey: String

    package init(kind: String, addressKey: String) {
        self.kind = kind
        self.addressKey = addressKey
    }

    /// The relay with an address key.
    package static func relay(_ addressKey: String) -> PresetEntryKey {
        PresetEntryKey(kind: "relay", addressKey: addressKey)
    }

    /// The server with a protocol, first host and port.
    package static func server(_ serverProtocol: ServerProtocol, host: String, port: String) -> PresetEntryKey {
        PresetEntryKey(
            kind: serverProtocol.text, addressKey: host.lowercased() + (port.isEmpty ? "" : ":\(port)"))
    }
}

extension CatalogueTable {
    /// What the user chose about entries of operators' lists.
    static let chatPresetChoices: [CatalogueTable] = [
        CatalogueTable(
            "preset_choices",
            "The user's last choice about a server or relay of an operator that the profile no longer has.",
            [
                .public("preset_choice_id", "the row's number"),
                .public("user_id", "the profile whose choice it is"),
                .public("kind", "relay, smp or xftp"),
                .personal("address_key", "what makes two addresses the same relay or server"),
                .state("choice", "enabled, disabled or deleted", PresetChoice.self),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ])
    ]
}
