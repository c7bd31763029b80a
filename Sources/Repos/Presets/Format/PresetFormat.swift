import ChatDBSchema

/// The format of a file of relays and servers.
public enum PresetFormat: String, Sendable, Hashable, CaseIterable {
    /// A preset, as JSON or YAML.
    case chatdb
    /// The JSON in which SimpleX Chat gives and takes a profile's servers.
    case simplexAPI = "simplex-api"
    /// Addresses, with nothing else.
    case list
}

/// A file that was read.
public struct ReadPreset: Sendable, Hashable {
    /// The content.
    public let file: PresetFile
    /// The format.
    public let format: PresetFormat
    /// Warnings about what was ignored because the reader was lenient, or has no place in a preset; usually empty.
    public let warnings: [PresetProblem]
}

extension PresetFile {
    /// The largest file that is read.
    public static let largestFile = 16 * 1024 * 1024

    /// The largest kept file that is read. It may be larger, because the user must be able to restore any profile.
    public static let largestKeptFile = 256 * 1024 * 1024

    /// Reads a file of any format. Reports all its problems at once, up to 100, each with its line, column and path.
    ///
    /// The format follows from the end of the name (`.json`, `.yaml`, `.yml`, `.txt`) and the beginning of the text. A
    /// byte order mark and CRLF are accepted. An unknown field is a problem; a lenient reader ignores it with a
    /// warning. Throws `invalidPreset`, also for more bytes than the limit. Rule: docs/presets.md, "The file".
    ///
    /// - Parameter simplexName: how the caller asks for SimpleX Chat's JSON, for the message about a file without a
    ///   format.
    public static func read(
        _ bytes: some Sequence<UInt8>, named name: String = "", as format: PresetFormat? = nil,
        isLenient: Bool = false, upTo limit: Int = largestFile, simplexName: String = "the format simplex-api"
    ) throws(PresetError) -> ReadPreset {
        let bytes = withoutMark(Array(bytes))
        guard bytes.count <= limit else {
            throw .invalidPreset([PresetProblem("it has more than \(limit >> 20) MiB")], more: 0)
        }
        let syntax = PresetSyntax(of: bytes, named: name, as: format)
        if bytes.isEmpty, syntax != .list { throw .invalidPreset([PresetProblem("it is empty")], more: 0) }
        if syntax != .list, format == nil, let problem = PresetSyntax.problem(of: bytes, named: name) {
            throw .invalidPreset([PresetProblem(problem)], more: 0)
        }
        switch syntax {
        case .list: return try PresetListReader.read(bytes)
        case .json:
            if isYAML(bytes) {
                let problem = "it is YAML, and not JSON: give the file a name that ends with .yaml"
                throw .invalidPreset([PresetProblem(problem)], more: 0)
            }
            let document = try PresetDocument(json: bytes, upTo: limit)
            return try read(document, as: format, PresetReader(isLenient: isLenient, simplexName: simplexName))
        case .yaml:
            let document = try PresetDocument(yaml: bytes)
            return try read(document, as: format, PresetReader(isLenient: isLenient, simplexName: simplexName))
        }
    }

    /// Whether a text that should be JSON is a preset in YAML. A preset in JSON begins with a bracket.
    private static func isYAML(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first(where: { $0 > 0x20 }), !"{[".utf8.contains(first) else { return false }
        return (try? PresetDocument(yaml: bytes))?.value["format"] != nil
    }

    /// Reads a preset in JSON, strictly. Throws `invalidPreset`.
    public init(parsing bytes: some Sequence<UInt8>) throws(PresetError) {
        self = try Self.read(PresetDocument(json: Self.withoutMark(Array(bytes))), as: .chatdb, PresetReader()).file
    }

    private static func read(
        _ document: PresetDocument, as given: PresetFormat?, _ reader: PresetReader
    ) throws(PresetError) -> ReadPreset {
        let format = given ?? (SimplexServersReader.recognizes(document.value) ? .simplexAPI : .chatdb)
        var reader = reader
        let file =
            switch format {
            case .simplexAPI: SimplexServersReader.file(document.value, with: &reader)
            case .chatdb, .list: reader.file(document.value)
            }
        guard reader.problems.isEmpty else {
            throw .invalidPreset(reader.problems.located(in: document), more: reader.problems.more)
        }
        return ReadPreset(file: file, format: format, warnings: reader.warnings.located(in: document))
    }

    private static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        return bytes.starts(with: mark) ? Array(bytes.dropFirst(mark.count)) : bytes
    }
}

/// The grammar by which a text is parsed.
enum PresetSyntax {
    case json
    case yaml
    case list

    /// The syntax follows from the end of the name (no list begins as JSON does, or has the field `format` of a preset),
    /// otherwise from the first character that is no blank, otherwise from whether a line begins as an address does. A
    /// list with other lines is a list too, so that its problems name these lines.
    init(of bytes: [UInt8], named name: String, as format: PresetFormat?) {
        let looksLikeJSON = Self.looksLikeJSON(bytes)
        switch (format, Self.ending(of: name)) {
        case (.list, _): self = .list
        case (_, "json"): self = .json
        case (_, "yaml"), (_, "yml"): self = .yaml
        case (nil, "txt") where !looksLikeJSON: self = Self.hasFormatInYAML(bytes) ? .yaml : .list
        case _ where looksLikeJSON: self = .json
        case (nil, _) where PresetListReader.recognizes(bytes) || Self.looksLikeList(bytes): self = .list
        default: self = bytes.isEmpty ? .json : .yaml
        }
    }

    /// The problem of a text that is no preset at all; nil for a text that may be one.
    static func problem(of bytes: [UInt8], named name: String) -> String? {
        if looksLikeList(bytes) { return PresetProblem.ofList }
        if ["json", "yaml", "yml"].contains(ending(of: name)) || looksLikeJSON(bytes) || hasFormatInYAML(bytes) {
            return nil
        }
        // An object may be a preset that lacks the field, and its problems say so.
        if (try? PresetDocument(yaml: bytes))?.value.members != nil { return nil }
        return """
            it is neither a preset in JSON or YAML, which has the field "format", nor a list, which has only addresses \
            on its lines
            """
    }

    private static func ending(of name: String) -> String {
        name.split(separator: ".", omittingEmptySubsequences: false).last.map { $0.lowercased() } ?? ""
    }

    private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    private static func looksLikeList(_ bytes: [UInt8]) -> Bool {
        !looksLikeJSON(bytes) && !hasFormatInYAML(bytes) && PresetListReader.hasLine(in: bytes)
    }

    /// Whether the first line that is neither blank nor a comment has the field `format`, or any line has the `format` of
    /// chatdb's presets. Every line of a list begins with an address.
    private static func hasFormatInYAML(_ bytes: [UInt8]) -> Bool {
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        let first = lines.first { line in
            let text = line.drop(while: \.isWhitespace)
            return !text.isEmpty && !text.hasPrefix("#") && !text.hasPrefix("---")
        }
        if first?.hasPrefix("format:") == true { return true }
        return lines.contains { line in
            line.hasPrefix("format:") && line.dropFirst("format:".count).contains("chatdb-preset")
        }
    }
}
