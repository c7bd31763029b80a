import Schema

extension PresetFile {
    /// Reads a preset. Everything that is wrong with it is told at once, up to 100 problems.
    ///
    /// Strict: a wrong type, an unknown field, a newer version, an address that is none, the same relay, server,
    /// relay name or operator twice are problems. A byte order mark and CRLF are no problem. Throws `invalidPreset`.
    public init(parsing bytes: some Sequence<UInt8>) throws(PresetError) {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = Array(bytes)
        let document: JSONValue
        do throws(JSONSyntaxError) {
            document = try JSONValue(parsing: bytes.starts(with: mark) ? bytes[3...] : bytes[...])
        } catch {
            throw .invalidPreset([PresetProblem("", "it is not JSON: \(error)")], more: 0)
        }
        var reader = PresetReader()
        let file = reader.file(document)
        if reader.problems.isEmpty { reader.findDuplicates(in: file) }
        if !reader.problems.isEmpty { throw .invalidPreset(reader.problems, more: reader.more) }
        self = file
    }
}

/// Reads the parts of a preset and collects what is wrong with them. What is wrong is left out of the result, which is
/// thrown away then.
struct PresetReader {
    static let format = "chatdb-preset"
    private static let mostProblems = 100

    private(set) var problems: [PresetProblem] = []
    private(set) var more = 0

    mutating func report(_ path: String, _ message: String) {
        if problems.count < Self.mostProblems {
            problems.append(PresetProblem(path, message))
        } else {
            more += 1
        }
    }

    // MARK: - The file

    mutating func file(_ document: JSONValue) -> PresetFile {
        guard document.members != nil else {
            report("", "it is \(document.typeName); expected an object with \"format\": \"\(Self.format)\"")
            return PresetFile()
        }
        guard document["format"] == .string(Self.format) else {
            report("format", "expected \"\(Self.format)\"")
            return PresetFile()
        }
        guard let version = document["version"]?.integerValue, version >= 1 else {
            report("version", "expected \(PresetFile.version)")
            return PresetFile()
        }
        // What a newer version means is not known, so nothing else in it is a mistake.
        if version > PresetFile.version {
            report("version", "it is \(version), and this build reads up to \(PresetFile.version); use a newer chatdb")
            return PresetFile()
        }
        let fields = object(
            document, at: "", allowed: ["format", "version", "exportedAt", "profile", "operators", "custom"])
        let operators = list(fields["operators"], at: "operators")
        return PresetFile(
            exportedAt: time(fields["exportedAt"], at: "exportedAt"),
            profile: text(fields["profile"], at: "profile"),
            operators: operators.compactMap { presetOperator($0.value, at: $0.path) },
            custom: fields["custom"].map { customEntries($0) } ?? PresetEntries())
    }

    private mutating func customEntries(_ value: JSONValue) -> PresetEntries {
        entries(object(value, at: "custom", allowed: Self.entryNames), at: "custom.")
    }

    private mutating func time(_ value: JSONValue?, at path: String) -> StoredTime? {
        guard let given = text(value, at: path) else { return nil }
        if let time = StoredTime(iso8601: given) { return time }
        report(path, "expected a time as 2026-07-20T09:05:00.120Z")
        return nil
    }

    // MARK: - Values

    /// The members of an object. Reports another value, and members that are not allowed.
    mutating func object(_ value: JSONValue, at path: String, allowed: [String]) -> [String: JSONValue] {
        guard let members = value.members else {
            report(path, "it is \(value.typeName); expected an object")
            return [:]
        }
        for member in members where !allowed.contains(member.name) {
            let place = path.isEmpty ? member.name : "\(path).\(member.name)"
            report(place, "unknown field; expected one of \(allowed.joined(separator: ", "))")
        }
        return Dictionary(members.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The elements of an array, each with its path; none when it is not there.
    mutating func list(_ value: JSONValue?, at path: String) -> [(value: JSONValue, path: String)] {
        guard let value else { return [] }
        guard let elements = value.arrayValue else {
            report(path, "it is \(value.typeName); expected an array")
            return []
        }
        return elements.enumerated().map { ($1, "\(path)[\($0)]") }
    }

    mutating func text(_ value: JSONValue?, at path: String) -> String? {
        guard let value else { return nil }
        if let text = value.stringValue { return text }
        report(path, "it is \(value.typeName); expected a string")
        return nil
    }

    mutating func flag(_ value: JSONValue?, at path: String) -> Bool? {
        guard let value else { return nil }
        if let flag = value.boolValue { return flag }
        report(path, "it is \(value.typeName); expected true or false")
        return nil
    }

    mutating func number(_ value: JSONValue?, at path: String) -> Int {
        if let number = value?.integerValue, let count = Int(exactly: number), count >= 0 { return count }
        report(path, value == nil ? "it is missing; expected a number from 0" : "expected a whole number from 0")
        return 0
    }

    /// A name by the rule for names; nil when there is none or it breaks the rule.
    mutating func name(_ value: JSONValue?, at path: String) -> String? {
        guard let given = text(value, at: path) else { return nil }
        do throws(NameProblem) {
            return try NameRule.checked(given)
        } catch {
            report(path, "it \(error.message)")
            return nil
        }
    }

    mutating func domains(_ value: JSONValue?, at path: String) -> [String] {
        list(value, at: path).compactMap { element in
            guard let given = text(element.value, at: element.path) else { return nil }
            let domain = NameRule.trimmed(given)
            if DomainRule.isDomain(domain) { return domain }
            report(element.path, "expected a domain of letters, digits, hyphens and dots")
            return nil
        }
    }
}

extension JSONValue {
    /// What kind of value it is, with its article.
    var typeName: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
