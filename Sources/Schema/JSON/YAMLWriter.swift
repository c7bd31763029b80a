/// Writes YAML piece by piece, so that a long list need not be in memory at once, as a library's emitter requires.
/// Objects and lists of objects take lines, lists of plain values take brackets. Texts are quoted as in JSON, which is
/// the same in YAML and escapes what controls a display.
package struct YAMLWriter: DocumentWriter {
    private static let fullBuffer = 64 * 1024

    /// An open object or array.
    private struct Level {
        let isArray: Bool
        let followsName: Bool
        var count = 0
    }

    /// The place of the next name, element or value.
    private enum Place {
        /// At the beginning of the text, or behind a dash: right there.
        case here
        /// Behind a name: a plain value there, anything else on the lines below.
        case afterName
        case nextLine
    }

    private let sink: JSONWriter.Sink
    private var buffer: [UInt8] = []
    private var levels: [Level] = []
    private var place = Place.here

    package init(to sink: @escaping JSONWriter.Sink) { self.sink = sink }

    package mutating func value(_ value: JSONValue) throws {
        switch value {
        case .object(let members) where !members.isEmpty:
            beginObject()
            for member in members { try self.member(member.name, member.value) }
            endObject()
        case .array(let elements) where elements.contains(where: \.isContainer):
            beginArray()
            for element in elements { try self.value(element) }
            endArray()
        case .null, .bool, .integer, .number, .string, .array, .object:
            beginElement()
            if place == .afterName { append(" ") }
            append(Self.inline(value))
            place = .nextLine
        }
        if buffer.count >= Self.fullBuffer { try flush() }
    }

    package mutating func name(_ name: String) {
        beginLine()
        append(Self.isPlainName(name) ? name : JSONValue.string(name).text(.compact))
        append(":")
        place = .afterName
    }

    package mutating func beginObject() { open(isArray: false) }
    package mutating func endObject() { close("{}") }
    package mutating func beginArray() { open(isArray: true) }
    package mutating func endArray() { close("[]") }

    package mutating func finish() throws {
        append("\n")
        try flush()
    }

    private mutating func open(isArray: Bool) {
        beginElement()
        levels.append(Level(isArray: isArray, followsName: place == .afterName))
        if place == .afterName { place = .nextLine }
    }

    private mutating func close(_ empty: String) {
        if let level = levels.popLast(), level.count == 0 { append(level.followsName ? " " + empty : empty) }
        place = .nextLine
    }

    /// Writes the dash of an element of an array.
    private mutating func beginElement() {
        guard levels.last?.isArray == true else { return }
        beginLine()
        append("- ")
        place = .here
    }

    private mutating func beginLine() {
        if place == .nextLine { append("\n" + String(repeating: "  ", count: levels.count - 1)) }
        if !levels.isEmpty { levels[levels.count - 1].count += 1 }
    }

    private mutating func append(_ text: String) { buffer.append(contentsOf: text.utf8) }

    private mutating func flush() throws {
        defer { buffer.removeAll(keepingCapacity: true) }
        try sink(buffer)
    }

    private static func inline(_ value: JSONValue) -> String {
        guard case .array(let elements) = value else { return value.text(.compact) }
        return "[" + elements.map { $0.text(.compact) }.joined(separator: ", ") + "]"
    }

    private static func isPlainName(_ name: String) -> Bool {
        !name.isEmpty && name.unicodeScalars.allSatisfy { $0.isASCII && $0.properties.isAlphabetic }
    }
}

extension JSONValue {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        case .null, .bool, .integer, .number, .string: false
        }
    }
}
