/// The characters, ports and excerpts that relay and server addresses share.
enum AddressText {
    /// The most bytes of an address. The limit keeps hostile input from costing time and memory.
    static let longest = 2_048

    /// Removes white space at both ends. By scalars, because CR LF is a single `Character`.
    static func trimmed(_ text: String) -> String {
        // The usual case: nothing to drop.
        if let first = text.utf8.first, let last = text.utf8.last, isVisible(first), isVisible(last) { return text }
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    /// The first character that no address may have: controls, white space, quotes, anything but ASCII.
    static func foreignScalar(in text: String) -> Unicode.Scalar? {
        if text.utf8.withContiguousStorageIfAvailable({ $0.allSatisfy(isOfAddress) }) == true { return nil }
        return text.unicodeScalars.first { !($0.isASCII && isOfAddress(UInt8(truncatingIfNeeded: $0.value))) }
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

    private static func isOfAddress(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"), UInt8(ascii: "^"),
            UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
            false
        default: isVisible(byte)
        }
    }

    /// Whether a text begins with this prefix in lower case. The case of the text makes no difference.
    static func begins(_ text: ArraySlice<UInt8>, with prefix: String) -> Bool {
        guard text.count >= prefix.utf8.count else { return false }
        var place = text.startIndex
        for expected in prefix.utf8 {
            guard lowercased(text[place]) == expected else { return false }
            place += 1
        }
        return true
    }

    static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }

    /// The name of a character in an error: visible ASCII in quotes, others by their code point.
    static func name(of scalar: Unicode.Scalar) -> String {
        if (0x21...0x7E).contains(scalar.value) { return "\"\(scalar)\"" }
        let hex = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }

    /// The beginning of a text, in which other characters than visible ASCII are escaped.
    static func excerpt(_ text: some StringProtocol, longest: Int = 60) -> String {
        var excerpt = ""
        for (position, scalar) in text.unicodeScalars.enumerated() {
            if position == longest { return excerpt + "…" }
            if scalar == " " || (0x21...0x7E).contains(scalar.value) {
                excerpt.unicodeScalars.append(scalar)
            } else {
                excerpt += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
        }
        return excerpt
    }

    /// A port from 1 to 65535, written without signs and leading zeros.
    static func port(_ text: some StringProtocol) -> UInt16? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !text.hasPrefix("0") else { return nil }
        return UInt16(text)
    }

    /// `%41` becomes `A`; nothing when a percent sign is not followed by two hexadecimal digits.
    static func percentDecoded(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(hexDigit), let low = rest.next().flatMap(hexDigit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }
}

/// The fault of a key or a key hash. It never carries the text.
public enum KeyProblem: Error, Hashable, Sendable {
    /// The key is empty.
    case missing
    /// The number of characters, which is not the right one.
    case length(Int)
    /// The character at this position, counted from 1, is not of base64url.
    case character(position: Int)
    /// The last character has bits beyond 32 bytes: the text was changed or mistyped.
    case ending

    /// The second half of a sentence whose first half names the part.
    var message: String {
        switch self {
        case .missing: "is missing"
        case .length(let count): "has \(count) \(count == 1 ? "character" : "characters")"
        case .character(let position): "has a character that is not base64url at position \(position)"
        case .ending:
            "ends with a character that cannot end 32 bytes, probably because of a typing error in the last character"
        }
    }
}

/// The text of 32 bytes in base64url: 43 characters, in server addresses with a `=` after them.
enum KeyText {
    static let length = 43

    static func check(_ text: some StringProtocol) throws(KeyProblem) { try check(bytes: text.utf8) }

    static func check(bytes: some Collection<UInt8>) throws(KeyProblem) {
        if bytes.isEmpty { throw .missing }
        let values = values
        var last: UInt8 = 0
        var count = 0
        for byte in bytes {
            count += 1
            let value = values[Int(byte)]
            if value == none { throw .character(position: count) }
            last = value
        }
        if count != length { throw .length(count) }
        // 43 characters are 258 bits: the last two must be unused, or one key would have four texts.
        if last & 0b11 != 0 { throw .ending }
    }

    /// The text without a `=` at its end, which is then checked. Apps write key hashes of servers with it and without.
    static func checkedUnpadded(_ text: some StringProtocol) throws(KeyProblem) -> String {
        let count = text.utf8.count
        guard text.hasSuffix("=") else {
            try check(text)
            return String(text)
        }
        if count != length + 1 { throw .length(count) }
        try check(text.dropLast())
        return String(text.dropLast())
    }

    /// Stands for no character of base64url.
    private static let none: UInt8 = 0xFF

    /// The value of each byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: none, count: 256)
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
        for (value, letter) in letters.utf8.enumerated() { values[Int(letter)] = UInt8(value) }
        return values
    }()
}
