extension JSONParser {
    /// Reads a string; the position is at its opening quote.
    mutating func string() throws(JSONSyntaxError) -> String {
        position += 1
        let plain = try plainBytes()
        if bytes[position] == UInt8(ascii: "\"") {
            position += 1
            return String(decoding: plain, as: UTF8.self)
        }
        var text = Array(plain)
        while bytes[position] != UInt8(ascii: "\"") {
            text += try escape()
            text += try plainBytes()
        }
        position += 1
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes up to a quote or a backslash, at which the position is then.
    private mutating func plainBytes() throws(JSONSyntaxError) -> ArraySlice<UInt8> {
        let start = position
        while true {
            switch try peek() {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): return bytes[start..<position]
            case 0..<0x20: throw error(.controlCharacterInString)
            default: position += 1
            }
        }
    }

    private mutating func escape() throws(JSONSyntaxError) -> [UInt8] {
        let start = position
        position += 1
        let letter = try peek()
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"): return Array(String(try unicodeEscape(from: start)).utf8)
        default: throw error(.invalidEscape, at: start)
        }
    }

    /// A code point, or two halves of one outside the first plane. Half a pair is no text and is refused.
    private mutating func unicodeEscape(from start: Int) throws(JSONSyntaxError) -> Character {
        var value = try fourDigits(from: start)
        if (0xD800...0xDBFF).contains(value), take("\\"), take("u") {
            let low = try fourDigits(from: start)
            guard (0xDC00...0xDFFF).contains(low) else { throw error(.invalidEscape, at: start) }
            value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
        }
        guard let scalar = Unicode.Scalar(value) else { throw error(.invalidEscape, at: start) }
        return Character(scalar)
    }

    private mutating func fourDigits(from start: Int) throws(JSONSyntaxError) -> UInt32 {
        let digits = bytes[position...].prefix(4)
        guard digits.count == 4 else { throw error(.unexpectedEnd, at: bytes.count) }
        // The type reads a sign too, which is none here.
        guard digits.first != UInt8(ascii: "+"), digits.first != UInt8(ascii: "-"),
            let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw error(.invalidEscape, at: start) }
        position += 4
        return value
    }
}
