/// How JSON is laid out.
package enum JSONLayout: Sendable, Hashable {
    /// A line for every value, 2 spaces for every level.
    case pretty
    /// One line, no spaces.
    case compact
}

extension JSONValue {
    /// The JSON text, without a newline at its end.
    package func text(_ layout: JSONLayout = .pretty) -> String {
        var buffer: [UInt8] = []
        JSONText.append(self, layout, depth: 0, to: &buffer)
        return String(decoding: buffer, as: UTF8.self)
    }
}

/// The one place that knows how values are spelt in JSON.
enum JSONText {
    static func append(_ value: JSONValue, _ layout: JSONLayout, depth: Int, to buffer: inout [UInt8]) {
        switch value {
        case .null: buffer.append(contentsOf: "null".utf8)
        case .bool(let value): buffer.append(contentsOf: (value ? "true" : "false").utf8)
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

    static func append(name: String, _ layout: JSONLayout, to buffer: inout [UInt8]) {
        append(name, to: &buffer)
        buffer.append(UInt8(ascii: ":"))
        if layout == .pretty { buffer.append(UInt8(ascii: " ")) }
    }

    /// What comes before the element with this index.
    static func separate(_ index: Int, _ layout: JSONLayout, depth: Int, in buffer: inout [UInt8]) {
        if index > 0 { buffer.append(UInt8(ascii: ",")) }
        if layout == .pretty { newLine(depth: depth, in: &buffer) }
    }

    static func close(
        _ bracket: Unicode.Scalar, afterElements count: Int, _ layout: JSONLayout, depth: Int,
        in buffer: inout [UInt8]
    ) {
        if count > 0, layout == .pretty { newLine(depth: depth, in: &buffer) }
        buffer.append(UInt8(ascii: bracket))
    }

    /// A line end with the blanks of a line deeper than usual.
    private static let lineStart = [UInt8(ascii: "\n")] + [UInt8](repeating: UInt8(ascii: " "), count: 32)

    private static func newLine(depth: Int, in buffer: inout [UInt8]) {
        let blanks = 2 * depth
        buffer.append(contentsOf: lineStart.prefix(1 + blanks))
        // What is deeper takes the long way.
        for _ in 0..<max(0, 1 + blanks - lineStart.count) { buffer.append(UInt8(ascii: " ")) }
    }

    /// A string with its quotes. What `UnsafeScalars` lists leaves as escapes, so JSON is safe to look at too.
    private static func append(_ text: String, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        // The usual case, over bytes that lie one after the other: several times as fast as over the text.
        let isWritten = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard isPlain(UnsafeRawBufferPointer(bytes)) else { return false }
            buffer.append(contentsOf: bytes)
            return true
        }
        if isWritten != true {
            for scalar in text.unicodeScalars { append(scalar, to: &buffer) }
        }
        buffer.append(UInt8(ascii: "\""))
    }

    /// Whether all bytes are plain, looked at eight at a time: export writes very many short texts.
    private static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place + 8 <= bytes.count {
            if EightBytes(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)).hasUnplain { return false }
            place += 8
        }
        return bytes[place...].allSatisfy(isPlain)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte < 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }

    private static func append(_ scalar: Unicode.Scalar, to buffer: inout [UInt8]) {
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

/// Eight bytes in one number. A byte's highest bit in the results stands for it; whether there is any is exact.
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
