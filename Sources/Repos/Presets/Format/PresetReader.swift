import ChatDBSchema

/// Reads the parts of a preset and collects what is wrong with them. What is wrong is left out of the result, which is
/// thrown away then.
struct PresetReader {
    static let format = "chatdb-preset"

    /// Whether unknown fields are passed over with a warning.
    let isLenient: Bool
    /// How the caller asks for SimpleX Chat's JSON.
    let simplexName: String
    private(set) var problems = PresetFindings()
    private(set) var warnings = PresetFindings()
    var duplicates = PresetDuplicates()

    init(isLenient: Bool = false, simplexName: String = "") {
        self.isLenient = isLenient
        self.simplexName = simplexName
    }

    mutating func report(_ path: JSONPath, _ message: String) { problems.add(path, message) }

    mutating func warn(_ path: JSONPath, _ message: String) { warnings.add(path, message) }

    mutating func report(_ findings: [PresetDuplicates.Finding]) {
        for finding in findings { report(finding.path, finding.message) }
    }

    // MARK: - The file

    mutating func file(_ document: JSONValue) -> PresetFile {
        guard document.members != nil else {
            report(.root, "it is \(document.typeName); expected an object with \"format\": \"\(Self.format)\"")
            return PresetFile()
        }
        guard document["format"] == .string(Self.format) else {
            let isWithout = document["format"] == nil && !simplexName.isEmpty
            let other = isWithout ? ", or what SimpleX Chat writes (\(simplexName))" : ""
            report(.root["format"], "expected \"\(Self.format)\"\(other)")
            return PresetFile()
        }
        guard let version = document["version"]?.integerValue, version >= 1 else {
            let found = document["version"].map { $0.integerValue.map { "\($0)" } ?? $0.typeName } ?? "missing"
            report(.root["version"], "it is \(found); expected \(PresetFile.version)")
            return PresetFile()
        }
        // What a newer version means is not known, so nothing else in it is a mistake.
        if version > PresetFile.version {
            report(
                .root["version"],
                "it is \(version), and this build reads up to \(PresetFile.version); use a newer chatdb")
            return PresetFile()
        }
        let fields = object(
            document, at: .root, allowed: ["format", "version", "exportedAt", "profile", "operators", "custom"])
        let operators = list(fields["operators"], at: .root["operators"])
        var file = PresetFile(
            exportedAt: time(fields["exportedAt"], at: .root["exportedAt"]),
            profile: text(fields["profile"], at: .root["profile"]),
            operators: operators.compactMap { presetOperator($0.value, at: $0.path) },
            custom: customEntries(fields["custom"]))
        file.tellsOperators = fields["operators"] != nil
        return file
    }

    private mutating func customEntries(_ value: JSONValue?) -> PresetEntries {
        let fields = value.map { object($0, at: .root["custom"], allowed: Self.entryNames) } ?? [:]
        return entries(fields, at: .root["custom"])
    }

    private mutating func time(_ value: JSONValue?, at path: JSONPath) -> StoredTime? {
        guard let given = text(value, at: path) else { return nil }
        if let time = StoredTime(iso8601: given) { return time }
        report(path, "expected a time as 2026-07-20T09:05:00.120Z")
        return nil
    }
}
