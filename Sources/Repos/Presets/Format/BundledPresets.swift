import ChatDBPresetFiles
import ChatDBReposChat
import ChatDBSchema

/// The presets that ship with this build.
public enum BundledPresets {
    /// The preset with which a new profile starts unless the caller names another.
    public static let standardName = "simplex"

    /// The names, sorted.
    public static var names: [String] {
        EmbeddedFiles.all.map(\.path).filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
    }

    /// The text of a preset as it ships, or nil.
    public static func text(named name: String) -> String? {
        EmbeddedFiles.all.first { $0.path == name + ".json" }?.content
    }

    /// A preset by name. Throws `presetNotFound`.
    public static func preset(named name: String = standardName) throws(PresetError) -> PresetFile {
        guard let text = text(named: name) else { throw .presetNotFound(name) }
        return try PresetFile(parsing: text.utf8)
    }
}

/// The operators and entries that only a file claims: the preset that ships with this build does not have them. A
/// profile that starts with the file has it as an operator's all the same. Rule: docs/presets.md, "Whom to trust".
package struct UnverifiedClaims: Sendable, Hashable {
    /// The trade names of operators, in the order of the file.
    package let operators: [String]
    /// The hosts of operators' servers and relays, in the order of the file, each once.
    package let hosts: [String]
    /// The number of these servers and relays.
    package let entries: Int

    /// Compares a file with the preset that ships with this build, by operators' tags and entries' addresses.
    package init(_ file: PresetFile) throws(PresetError) {
        let shipped = try BundledPresets.preset().operators
        var (operators, hosts): ([String], [String]) = ([], [])
        for preset in file.operators {
            let known = shipped.first { $0.tag != nil && $0.tag == preset.tag }
            if known == nil { operators.append(preset.tradeName) }
            for serverProtocol in ServerProtocol.allCases {
                let addresses = Set(known?.entries.servers(serverProtocol).map(\.address.key) ?? [])
                hosts += preset.entries.servers(serverProtocol).map(\.address)
                    .filter { !addresses.contains($0.key) }.map(\.primaryHost)
            }
            let relays = Set(known?.entries.relays.map(\.address.addressKey) ?? [])
            hosts += preset.entries.relays.map(\.address).filter { !relays.contains($0.addressKey) }.map(\.primaryHost)
        }
        self.operators = operators
        entries = hosts.count
        var seen: Set<String> = []
        self.hosts = hosts.filter { seen.insert($0.lowercased()).inserted }
    }
}
