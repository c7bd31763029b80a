/// What PostgreSQL does not store in a text.
package enum TextFault: String, Sendable, Hashable, CaseIterable {
    /// A NUL byte.
    case nul
    /// Bytes that are not UTF-8.
    case notUTF8
}

/// Texts as the bytes that SQLite stores.
package enum TextBytes {
    /// Why PostgreSQL refuses a text; nil if it does not. NUL comes first, if a text has both.
    package static func fault(in bytes: UnsafeRawBufferPointer) -> TextFault? {
        if isPlain(bytes) { return nil }
        if bytes.contains(0) { return .nul }
        return isUTF8(bytes) ? nil : .notUTF8
    }

    /// The text with U+FFFD in the place of each NUL byte and of each sequence that is not UTF-8.
    package static func repaired(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let text = String(decoding: bytes, as: UTF8.self)
        return Array(text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}").utf8 : text.utf8)
    }

    /// Whether all bytes are ASCII without NUL: eight are looked at together.
    package static func isPlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        let (high, ones): (UInt64, UInt64) = (0x8080_8080_8080_8080, 0x0101_0101_0101_0101)
        while place + 8 <= bytes.count {
            let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            // The second term has the high bit of a byte that was 0.
            if (word | (word &- ones)) & high != 0 { return false }
            place += 8
        }
        while place < bytes.count {
            let byte = bytes[place]
            if byte == 0 || byte >= 0x80 { return false }
            place += 1
        }
        return true
    }

    /// Whether the bytes are UTF-8: RFC 3629, which PostgreSQL follows too.
    private static func isUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var place = 0
        while place < bytes.count {
            let first = bytes[place]
            if first < 0x80 {
                place += 1
                continue
            }
            let (length, second): (Int, ClosedRange<UInt8>)
            switch first {
            case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
            // Not in more bytes than needed, and no half of a pair of UTF-16.
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
            default: return false
            }
            guard place + length <= bytes.count, second.contains(bytes[place + 1]) else { return false }
            for next in place + 2..<place + length where !(0x80...0xBF).contains(bytes[next]) { return false }
            place += length
        }
        return true
    }
}
