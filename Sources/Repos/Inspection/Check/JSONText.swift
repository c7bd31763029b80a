/// The syntax of JSON as SQLite's `json_valid` knows it, for texts of an engine that has no such function. Unlike
/// `JSONValue`, it allows a name twice and numbers of any size.
struct JSONText {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    /// Objects and arrays within each other. SQLite allows 1,000 or 2,000, depending on its version.
    private static let deepest = 1_000

    /// Whether a text is one JSON value, with white space around it or without.
    static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var reader = JSONText(bytes: bytes)
            return reader.value(depth: 0) && reader.next() == nil
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next byte that is not white space; nil at the end.
    private mutating func next() -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return bytes[position]
            }
        }
        return nil
    }

    private mutating func take(_ byte: Unicode.Scalar) -> Bool {
        guard position < bytes.count, bytes[position] == UInt8(ascii: byte) else { return false }
        position += 1
        return true
    }

    private mutating func value(depth: Int) -> Bool {
        switch next() {
        case UInt8(ascii: "{"): list(until: "}", depth: depth + 1) { $0.string() && $0.colon() }
        case UInt8(ascii: "["): list(until: "]", depth: depth + 1) { _ in true }
        case UInt8(ascii: "\""): string()
        case UInt8(ascii: "t"): word("true")
        case UInt8(ascii: "f"): word("false")
        case UInt8(ascii: "n"): word("null")
        case nil: false
        default: number()
        }
    }

    /// Reads an array or an object. `name` reads what is before each value.
    private mutating func list(until end: Unicode.Scalar, depth: Int, _ name: (inout JSONText) -> Bool) -> Bool {
        if depth > Self.deepest { return false }
        position += 1
        if next() == UInt8(ascii: end) { return take(end) }
        repeat {
            _ = next()
            guard name(&self), value(depth: depth) else { return false }
            _ = next()
        } while take(",")
        return take(end)
    }

    private mutating func colon() -> Bool {
        _ = next()
        return take(":")
    }

    private mutating func word(_ word: StaticString) -> Bool {
        guard bytes.count - position >= word.utf8CodeUnitCount else { return false }
        let end = position + word.utf8CodeUnitCount
        let isSame = bytes[position..<end].elementsEqual(
            UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
        position = end
        return isSame
    }

    private mutating func number() -> Bool {
        _ = take("-")
        let isZero = position < bytes.count && bytes[position] == UInt8(ascii: "0")
        let count = digits()
        guard count > 0, count == 1 || !isZero else { return false }
        if take("."), digits() == 0 { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits() > 0
        }
        return true
    }

    /// The number of digits that were read.
    private mutating func digits() -> Int {
        let start = position
        while position < bytes.count, (0x30...0x39).contains(bytes[position]) { position += 1 }
        return position - start
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"): guard escape() else { return false }
            case 0..<0x20: return false
            default: break
            }
        }
        return false
    }

    private mutating func escape() -> Bool {
        guard position < bytes.count else { return false }
        let letter = bytes[position]
        position += 1
        switch letter {
        case UInt8(ascii: "u"):
            guard bytes.count - position >= 4 else { return false }
            let digits = bytes[position..<position + 4]
            position += 4
            return digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        default: return false
        }
    }
}
