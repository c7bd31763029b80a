/// A writer that writes a document piece by piece. `JSONWriter` and `YAMLWriter` take the same calls.
package protocol DocumentWriter {
    /// Writes a whole value: the document, the next element of an array, or what belongs to the name before it.
    mutating func value(_ value: JSONValue) throws
    /// Writes the name of the next value in an object.
    mutating func name(_ name: String)
    /// Writes a name and its value.
    mutating func member(_ name: String, _ value: JSONValue) throws
    mutating func beginObject()
    mutating func endObject()
    mutating func beginArray()
    mutating func endArray()
    /// Ends the document with a newline and passes the rest to the sink.
    mutating func finish() throws
}

extension DocumentWriter {
    package mutating func member(_ name: String, _ value: JSONValue) throws {
        self.name(name)
        try self.value(value)
    }
}

/// Writes JSON piece by piece, so that a long array need not be in memory at once. The same pieces give the same
/// bytes as `JSONValue.text`, and a newline at the end.
///
///     var writer = JSONWriter { try file.write($0) }
///     writer.beginObject()
///     writer.name("relays")
///     writer.beginArray()
///     for relay in relays { try writer.value(relay.json) }
///     writer.endArray()
///     writer.endObject()
///     try writer.finish()
package struct JSONWriter: DocumentWriter {
    /// Takes the written bytes, in their order.
    package typealias Sink = (_ bytes: [UInt8]) throws -> Void

    private static let fullBuffer = 64 * 1024

    private let layout: JSONLayout
    private let sink: Sink
    private var buffer = ByteBuffer()
    /// The number of elements that each open array or object has so far.
    private var counts: [Int] = []
    private var followsName = false

    package init(_ layout: JSONLayout = .pretty, to sink: @escaping Sink) {
        self.layout = layout
        self.sink = sink
    }

    /// Writes a whole value: the document, the next element of an array, or what belongs to the name before it.
    package mutating func value(_ value: JSONValue) throws {
        beginValue()
        JSONText.append(value, layout, depth: counts.count, to: &buffer)
        if buffer.count >= Self.fullBuffer { try flush() }
    }

    /// Writes the name of the next value in an object.
    package mutating func name(_ name: String) {
        beginValue()
        JSONText.append(name: name, layout, to: &buffer)
        followsName = true
    }

    package mutating func beginObject() { open("{") }
    package mutating func endObject() { close("}") }
    package mutating func beginArray() { open("[") }
    package mutating func endArray() { close("]") }

    /// Ends the document with a newline and passes the rest to the sink.
    package mutating func finish() throws {
        buffer.append(UInt8(ascii: "\n"))
        try flush()
    }

    private mutating func open(_ bracket: Unicode.Scalar) {
        beginValue()
        buffer.append(UInt8(ascii: bracket))
        counts.append(0)
    }

    private mutating func close(_ bracket: Unicode.Scalar) {
        let count = counts.popLast() ?? 0
        JSONText.close(bracket, afterElements: count, layout, depth: counts.count, in: &buffer)
    }

    private mutating func beginValue() {
        defer { followsName = false }
        guard !followsName, let count = counts.last else { return }
        JSONText.separate(count, layout, depth: counts.count, in: &buffer)
        counts[counts.count - 1] = count + 1
    }

    private mutating func flush() throws {
        defer { buffer.removeAll() }
        try sink(Array(buffer.written))
    }
}

/// The layout of JSON.
package enum JSONLayout: Sendable, Hashable {
    /// A line for every value, 2 spaces for every level.
    case pretty
    /// One line, no spaces.
    case compact
}

extension JSONValue {
    /// The JSON text, without a newline at its end.
    package func text(_ layout: JSONLayout = .pretty) -> String {
        var buffer = ByteBuffer()
        JSONText.append(self, layout, depth: 0, to: &buffer)
        return String(decoding: buffer.written, as: UTF8.self)
    }
}

/// The JSON text of values, for the writers.
enum JSONText {
    static func append(_ value: JSONValue, _ layout: JSONLayout, depth: Int, to buffer: inout ByteBuffer) {
        switch value {
        case .null: buffer.append("null")
        case .bool(let value): buffer.append(value ? "true" : "false")
        case .integer(let number): buffer.append(contentsOf: String(number).utf8)
        case .number(let number): buffer.append(contentsOf: (number.isFinite ? "\(number)" : "null").utf8)
        case .string(let text): append(text, to: &buffer)
        case .array(let elements):
            buffer.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                separate(index, layout, depth: depth + 1, in: &buffer)
                append(element, layout, depth: depth + 1, to: &buffer)
            }
            close("]", afterElements: elements.count, layout, depth: depth, in: &buffer)
        case .object(let members):
            buffer.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                separate(index, layout, depth: depth + 1, in: &buffer)
                append(name: member.name, layout, to: &buffer)
                append(member.value, layout, depth: depth + 1, to: &buffer)
            }
            close("}", afterElements: members.count, layout, depth: depth, in: &buffer)
        }
    }

    static func append(name: String, _ layout: JSONLayout, to buffer: inout ByteBuffer) {
        append(name, to: &buffer)
        buffer.append(layout == .pretty ? ": " : ":")
    }

    /// Appends the separator before the element with this index.
    static func separate(_ index: Int, _ layout: JSONLayout, depth: Int, in buffer: inout ByteBuffer) {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        if layout == .pretty { newLine(depth: depth, in: &buffer) }
    }

    static func close(
        _ bracket: Unicode.Scalar, afterElements count: Int, _ layout: JSONLayout, depth: Int,
        in buffer: inout ByteBuffer
    ) {
        if count > 0, layout == .pretty { newLine(depth: depth, in: &buffer) }
        buffer.append(UInt8(ascii: bracket))
    }

    private static func newLine(depth: Int, in buffer: inout ByteBuffer) {
        buffer.appendLineEnd(blanks: 2 * depth)
    }

    /// Appends a string with its quotes. Escapes what `UnsafeScalars` lists, so that a terminal can show the JSON.
    private static func append(_ text: String, to buffer: inout ByteBuffer) {
        let quote = UInt8(ascii: "\"")
        // The usual case, over contiguous bytes: several times as fast as over the text.
        let isWritten = text.utf8.withContiguousStorageIfAvailable { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            guard isPlain(bytes) else { return false }
            buffer.append(bytes, between: quote)
            return true
        }
        if isWritten == true { return }
        buffer.append(quote)
        for scalar in text.unicodeScalars { append(scalar, to: &buffer) }
        buffer.append(quote)
    }

    /// Whether all bytes are plain; looks at eight at a time.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 8 <= bytes.count {
            if EightBytes(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)).hasUnplain { return false }
            place += 8
        }
        while place < bytes.count {
            guard isPlain(bytes[place]) else { return false }
            place += 1
        }
        return true
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ scalar: Unicode.Scalar, to buffer: inout ByteBuffer) {
        switch scalar {
        case "\"": buffer.append(contentsOf: "\\\"".utf8)
        case "\\": buffer.append(contentsOf: "\\\\".utf8)
        case "\n": buffer.append(contentsOf: "\\n".utf8)
        case "\r": buffer.append(contentsOf: "\\r".utf8)
        case "\t": buffer.append(contentsOf: "\\t".utf8)
        case _ where UnsafeScalars.contains(scalar):
            // All of them are in the first plane, so four digits are enough.
            let digits = String(scalar.value, radix: 16)
            buffer.append(contentsOf: "\\u".utf8)
            buffer.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
            buffer.append(contentsOf: digits.utf8)
        default: buffer.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }
}

/// Eight bytes in one number. In the results a byte's highest bit stands for the byte; whether any is set is exact.
private struct EightBytes {
    private static let ones: UInt64 = 0x0101_0101_0101_0101
    private static let highs: UInt64 = 0x8080_8080_8080_8080
    private let word: UInt64

    init(_ word: UInt64) { self.word = word }

    /// Whether one of them is no ASCII, a control, a quote or a backslash.
    var hasUnplain: Bool {
        let controls = (word &- 0x20 &* Self.ones) & ~word
        let others = equal(to: 0x22) | equal(to: 0x5C) | equal(to: 0x7F)
        return (word | controls | others) & Self.highs != 0
    }

    private func equal(to byte: UInt64) -> UInt64 {
        let difference = word ^ (byte &* Self.ones)
        return (difference &- Self.ones) & ~difference
    }
}

/// Characters that control the display: they can move a terminal's cursor, hide a part of
/// a line, or reverse the direction of text. chatdb never prints them raw.
package enum UnsafeScalars {
    /// C0, DEL and C1 controls, line and paragraph separators, and the marks, embeddings, overrides and isolates of
    /// bidirectional text.
    package static func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
