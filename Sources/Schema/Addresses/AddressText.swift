/// What relay and server addresses have in common, below the level of their parts.
enum AddressText {
    /// No address is longer; a limit keeps hostile input from costing time and memory.
    static let longest = 2_048

    /// Without blanks at both ends. By scalars, because CR LF is a single `Character`.
    static func trimmed(_ text: String) -> String {
        // The usual case: nothing to drop.
        if let first = text.utf8.first, let last = text.utf8.last, isVisible(first), isVisible(last) { return text }
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    /// The first character that no address has: controls, blanks, quotes, anything that is not ASCII.
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

    /// Whether a text begins with this, which is in lower case, whatever the case of the text.
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

    /// A character as an error names it: visible ASCII in quotes, others by their number.
    static func name(of scalar: Unicode.Scalar) -> String {
        if (0x21...0x7E).contains(scalar.value) { return "\"\(scalar)\"" }
        let hex = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(0, 4 - hex.count)) + hex
    }

    /// The beginning of a text, without anything that could not be printed.
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
