/// The bytes of a page or a record. Every access is checked: an offset beyond the end gives nil, and does not stop the
/// process. Numbers are big-endian.
package struct PageBytes: Sendable {
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

    /// The number in two bytes. It is nil if they are not all inside.
    func short(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// The number in four bytes. It is nil if they are not all inside.
    package func word(_ offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 4 else { return nil }
        return bytes[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A varint, a number in 1 to 9 bytes, and the offset after it. Each byte but the ninth has 7 bits of the number
    /// and a bit that says whether another byte follows. It is nil if the bytes are not all inside.
    func varint(_ offset: Int) -> (value: Int64, end: Int)? {
        var value: UInt64 = 0
        for place in 0..<9 {
            guard let next = byte(offset + place) else { return nil }
            if place == 8 { return (Int64(bitPattern: value << 8 | UInt64(next)), offset + 9) }
            value = value << 7 | UInt64(next & 0x7F)
            if next < 0x80 { return (Int64(bitPattern: value), offset + place + 1) }
        }
        return nil
    }

    /// The bytes of a range. It is nil if a part of the range is outside.
    func slice(_ start: Int, _ count: Int) -> ArraySlice<UInt8>? {
        guard start >= 0, count >= 0, start <= bytes.count, count <= bytes.count - start else { return nil }
        return bytes[start..<start + count]
    }
}

/// A set of page numbers. It takes memory only for the parts of the file whose pages it contains.
package struct PageNumbers: Sendable {
    private static let shift = 15
    private var chunks: [Int: [UInt64]] = [:]

    package init() {}

    package func contains(_ page: Int) -> Bool {
        guard let chunk = chunks[page >> Self.shift] else { return false }
        let bit = page & (1 << Self.shift - 1)
        return chunk[bit >> 6] & 1 << UInt64(bit & 63) != 0
    }

    /// Adds a page; returns whether it is new.
    @discardableResult
    package mutating func insert(_ page: Int) -> Bool {
        let bit = page & (1 << Self.shift - 1)
        let mask: UInt64 = 1 << UInt64(bit & 63)
        let number = page >> Self.shift
        let isNew = chunks[number].map { $0[bit >> 6] & mask == 0 } ?? true
        guard isNew else { return false }
        chunks[number, default: [UInt64](repeating: 0, count: 1 << (Self.shift - 6))][bit >> 6] |= mask
        return true
    }
}
