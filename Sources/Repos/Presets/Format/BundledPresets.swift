import ChatDBPresetFiles

/// The presets that ship with this build.
public enum BundledPresets {
    /// The preset a new profile starts with unless another is asked for.
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
