public import ArgumentParser
public import ChatDBKit

/// `chat` or `agent`, as `--only` takes them.
extension DatabaseName: WordArgument {}

/// A protocol on the command line: `smp` or `xftp`.
extension ServerProtocol: WordArgument {}

/// Roles are written as they are stored; one that no build knows is a slip of the finger.
extension GroupMemberRole: ExpressibleByArgument {
    /// The role with this stored text, whatever the case of its letters; nil for any other text.
    public init?(argument: String) {
        guard let role = Self.known.first(where: { $0.text == argument.lowercased() }) else { return nil }
        self = role
    }

    /// For help and completions, from the least to the most.
    public static var allValueStrings: [String] { known.map(\.text) }
}

extension PresetFormat: WordArgument {}
extension PresetImportOptions.Mode: WordArgument {}
extension PresetImportOptions.OnConflict: WordArgument {}
