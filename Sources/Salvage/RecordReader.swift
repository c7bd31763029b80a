/// A stored value. A text is a sequence of bytes in the database's encoding, which may be invalid.
package enum StoredValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])

    /// Whether it is a text that ends with a zero.
    fileprivate var endsWithZero: Bool {
        if case .text(let bytes) = self { bytes.last == 0 } else { false }
    }
}

/// The values of a row or of an entry of an index.
package struct StoredRecord: Sendable, Hashable {
    package var values: [StoredValue]
    /// Whether the header and the values fit the length of the content. If not, the values may be anything.
    package let isSound: Bool
    /// Whether content is missing or wrong because a chain of overflow pages is broken. Values after the break are NULL,
    /// and a text at the break is truncated; values on a last page that is damaged are wrong.
    package let isCut: Bool

    /// What the last overflow page of a record shows.
    enum End {
        case sound
        /// The page leads to a next one, so it may be a page of something else.
        case wrong
        /// The page has only zeros.
        case zeros
    }

    /// Reads a record. Answers nil if the header of the record is not complete.
    ///
    /// - Parameters:
    ///   - size: the length of the whole content, of which `bytes` may be the beginning.
    ///   - end: the last overflow page.
    init?(_ bytes: PageBytes, size: Int, end: End = .sound, encoding: FileLayout.Encoding) {
        guard let header = bytes.varint(0), header.value >= 1, header.value <= Int64(size) else { return nil }
        let headerEnd = Int(header.value)
        var values: [StoredValue] = []
        var (place, body) = (header.end, headerEnd)
        var (isSound, isCut) = (true, bytes.count < size)
        while place < headerEnd {
            guard let type = bytes.varint(place) else {
                isCut = true
                break
            }
            place = type.end
            guard let length = Self.length(of: type.value), values.count < Self.mostColumns else {
                isSound = false
                break
            }
            values.append(Self.value(type.value, bytes, body, length, encoding))
            body = body.addingReportingOverflow(length).partialValue
            if body < 0 || body > size {
                isSound = false
                break
            }
        }
        if values.isEmpty { return nil }
        self.values = values
        let isZeroed = end == .zeros && values.contains { $0.endsWithZero }
        self.isCut = isCut || end == .wrong || isZeroed
        self.isSound = isSound && (isCut && place < headerEnd || place == headerEnd && body == size)
    }

    private static let mostColumns = 32_767

    /// The number of bytes of a value with this serial type. It is nil for a type that does not exist.
    private static func length(of type: Int64) -> Int? {
        switch type {
        case 0, 8, 9: 0
        case 1: 1
        case 2: 2
        case 3: 3
        case 4: 4
        case 5: 6
        case 6, 7: 8
        case 12...0xFFFF_FFFF: Int((type - 12) / 2)
        default: nil
        }
    }

    private static func value(
        _ type: Int64, _ bytes: PageBytes, _ place: Int, _ length: Int, _ encoding: FileLayout.Encoding
    ) -> StoredValue {
        switch type {
        case 0: return .null
        case 8: return .integer(0)
        case 9: return .integer(1)
        default: break
        }
        guard let content = bytes.slice(place, length) else {
            // The beginning of a text is kept. The beginning of a blob or a number is of no use.
            guard type >= 13, type % 2 == 1, place < bytes.count else { return .null }
            return .text(beginning(Array(bytes.bytes[place...]), encoding))
        }
        switch type {
        case 1...6:
            var number: Int64 = (content.first ?? 0) >= 0x80 ? -1 : 0
            for byte in content { number = number << 8 | Int64(byte) }
            return .integer(number)
        case 7:
            let number = Double(bitPattern: content.reduce(0) { $0 << 8 | UInt64($1) })
            return number.isNaN ? .null : .real(number)
        default: return type % 2 == 0 ? .blob(Array(content)) : .text(Array(content))
        }
    }

    /// The bytes of a text without an incomplete character at their end.
    private static func beginning(_ bytes: [UInt8], _ encoding: FileLayout.Encoding) -> [UInt8] {
        guard encoding == .utf8 else { return Array(bytes.prefix(bytes.count / 2 * 2)) }
        var bytes = bytes
        let start = bytes.lastIndex { $0 & 0xC0 != 0x80 } ?? bytes.startIndex
        if start < bytes.endIndex, bytes[start] >= 0xC0, String(validating: bytes[start...], as: UTF8.self) == nil {
            bytes.removeSubrange(start...)
        }
        return bytes
    }
}
