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

    private static func newLine(depth: Int, in buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\n"))
        for _ in 0..<(2 * depth) { buffer.append(UInt8(ascii: " ")) }
    }

    /// A string with its quotes. What `UnsafeScalars` lists leaves as escapes, so JSON is safe to look at too.
    private static func append(_ text: String, to buffer: inout [UInt8]) {
        buffer.append(UInt8(ascii: "\""))
        // The usual case, over bytes that lie one after the other: several times as fast as over the text.
        let isWritten = text.utf8.withContiguousStorageIfAvailable { bytes in
            guard bytes.allSatisfy(isPlain) else { return false }
            buffer.append(contentsOf: bytes)
            return true
        }
        if isWritten != true {
            for scalar in text.unicodeScalars { append(scalar, to: &buffer) }
        }
        buffer.append(UInt8(ascii: "\""))
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
