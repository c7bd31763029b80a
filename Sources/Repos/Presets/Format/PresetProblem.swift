import ChatDBReposChat
import ChatDBReposKit
package import ChatDBSchema

/// One thing that is wrong in a preset.
public struct PresetProblem: Sendable, Hashable, CustomStringConvertible {
    /// Where, as `custom.relays[3].address`; an empty text is the whole file.
    public let path: String
    /// The line of the file, from 1; nil when the place is unknown.
    public let line: Int?
    /// The character in the line, from 1; nil when the place is unknown.
    public let column: Int?
    /// A clause with the problem and what was expected.
    public let message: String

    /// The beginning of the clause about a field that this build does not know.
    static let unknownField = "unknown field"

    /// The problem of a list of addresses whose name ends as that of a preset does.
    package static let ofList = """
        it looks like a list of addresses, and not like a preset, which has the field "format"
        """

    /// Whether the file can be read as a list of addresses.
    package var isOfList: Bool { message == Self.ofList }

    /// Whether a lenient reader passes it over.
    package var isUnknownField: Bool { message.hasPrefix(Self.unknownField) }

    init(_ message: String, path: JSONPath = .root, at position: TextPosition? = nil) {
        self.path = path.description
        line = position?.line
        column = position?.column
        self.message = message
    }

    /// `line 4, column 18, custom.relays[3].address: expected …`, as far as that is known.
    public var description: String {
        var places: [String] = []
        if let line { places.append("line \(line)") }
        if let column { places.append("column \(column)") }
        if !path.isEmpty { places.append(path) }
        return places.isEmpty ? message : "\(places.joined(separator: ", ")): \(message)"
    }

    package var json: JSONValue {
        [
            "path": .string(path), "line": JSONValue(line), "column": JSONValue(column), "message": .string(message),
        ]
    }
}

extension [PresetProblem] {
    /// The problems in sentences. What is wrong in the same way with several lines of a list is one sentence, which names
    /// the first of them.
    var sentences: [String] {
        let most = 10
        let ofLines = Dictionary(grouping: filter { $0.path.isEmpty && $0.line != nil }, by: \.message)
        var told: Set<String> = []
        return compactMap { problem -> String? in
            guard problem.path.isEmpty, let same = ofLines[problem.message], same.count > 1 else {
                return problem.description
            }
            guard told.insert(problem.message).inserted else { return nil }
            let lines = same.compactMap(\.line).map(String.init)
            let shown = lines.prefix(most).joined(separator: ", ") + (lines.count > most ? ", …" : "")
            return "lines \(shown): \(problem.message)"
        }
    }
}

/// The problems found while a document is read, up to a limit. Further problems are counted.
struct PresetFindings {
    private static let most = 100

    private(set) var listed: [(path: JSONPath, message: String)] = []
    private(set) var more = 0

    var isEmpty: Bool { listed.isEmpty }

    mutating func add(_ path: JSONPath, _ message: String) {
        if listed.count < Self.most {
            listed.append((path, message))
        } else {
            more += 1
        }
    }

    /// With the places in the file, in the order of the file.
    func located(in document: PresetDocument) -> [PresetProblem] {
        if listed.isEmpty { return [] }
        let positions = document.positions(of: listed.map(\.path))
        return listed.map { PresetProblem($0.message, path: $0.path, at: positions[$0.path]) }
            .sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    }
}

/// The operators, servers, relays, and names of relays that a file has listed so far. A second one is reported, with
/// the place of the first.
struct PresetDuplicates {
    /// Something that was there already: its place, and the sentence about it.
    typealias Finding = (path: JSONPath, message: String)

    private var operators: [OperatorKey: JSONPath] = [:]
    private var servers: [ServerKey: JSONPath] = [:]
    private var relays: [String: JSONPath] = [:]
    private var names: [String: JSONPath] = [:]

    mutating func note(_ preset: PresetOperator, at path: JSONPath) -> [Finding] {
        Self.note(OperatorKey(preset), at: path, "operator", in: &operators)
    }

    mutating func note(_ server: PresetServer, at path: JSONPath) -> [Finding] {
        Self.note(server.address.key, at: path, "server", in: &servers)
    }

    /// The name belongs to the relay; an empty name is not compared.
    mutating func note(_ relay: PresetRelay, at path: JSONPath, name namePath: JSONPath? = nil) -> [Finding] {
        let address = Self.note(relay.address.addressKey, at: path, "relay", in: &relays)
        guard let namePath, !relay.name.isEmpty else { return address }
        return address + Self.note(NameRule.key(relay.name), at: namePath, "name", in: &names)
    }

    private static func note<Key: Hashable>(
        _ key: Key, at path: JSONPath, _ what: String, in seen: inout [Key: JSONPath]
    ) -> [Finding] {
        if let first = seen[key] { return [(path, "the same \(what) as \(first)")] }
        seen[key] = path
        return []
    }
}

/// The identity of an operator in a preset: the tag; without a tag, domains and trade name.
struct OperatorKey: Hashable {
    private let tag: String?
    private let domains: [String]
    private let tradeName: String

    init(_ preset: PresetOperator) {
        tag = preset.tag?.text
        domains = preset.tag == nil ? preset.domains : []
        tradeName = preset.tag == nil ? preset.tradeName : ""
    }
}
