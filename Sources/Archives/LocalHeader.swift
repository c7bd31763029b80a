/// The header that stands before the content of an entry. It repeats what the list of entries says.
struct LocalHeader {
    /// The size of the part that every header has.
    static let fixedSize = 30
    private static let signature: UInt32 = 0x0403_4B50

    let flags: ArchiveFlags
    let method: UInt16
    let crc: UInt32
    /// The sizes, with those of ZIP64 where it has them.
    let compressedSize: Int64
    let size: Int64
    let name: [UInt8]
    /// The place of the content in the file.
    let content: Int64

    /// Reads the header at a position of the file; returns nil if other bytes are there, or if the file ends within it.
    init?(in file: ArchiveFile, at place: Int64) throws(ArchiveError) {
        let fixed = try file.bytes(Self.fixedSize, at: place)
        guard fixed.count == Self.fixedSize, fixed.word(0) == Self.signature else { return nil }
        let (nameLength, extraLength) = (Int(fixed.short(26)), Int(fixed.short(28)))
        let rest = try file.bytes(nameLength + extraLength, at: place + Int64(Self.fixedSize))
        guard rest.count == nameLength + extraLength else { return nil }
        flags = ArchiveFlags(rawValue: fixed.short(6))
        method = fixed.short(8)
        crc = fixed.word(14)
        name = Array(rest.prefix(nameLength))
        var sizes = ArchiveSizes(size: fixed.word(22), compressedSize: fixed.word(18), offset: 0)
        guard sizes.takeLarge(from: Array(rest.dropFirst(nameLength))) else { return nil }
        (size, compressedSize) = (sizes.size, sizes.compressedSize)
        content = place + Int64(Self.fixedSize + nameLength + extraLength)
    }

    /// Whether the header says of the entry what the list says. With a descriptor, the numbers of the header may be 0.
    func agrees(with entry: ArchiveEntry, named name: some Collection<UInt8>) -> Bool {
        guard self.name.elementsEqual(name), method == entry.method.number,
            flags.intersection(.compared) == entry.flags.intersection(.compared)
        else { return false }
        let mayBeZero = flags.contains(.descriptor)
        return Self.isSame(Int64(crc), Int64(entry.crc), mayBeZero)
            && Self.isSame(compressedSize, entry.compressedSize, mayBeZero)
            && Self.isSame(size, entry.size, mayBeZero)
    }

    private static func isSame(_ here: Int64, _ listed: Int64, _ mayBeZero: Bool) -> Bool {
        here == listed || mayBeZero && here == 0
    }
}

extension ArchiveEntry.Method {
    /// The number in the format.
    var number: UInt16 {
        switch self {
        case .stored: ArchiveMethods.stored
        case .deflated: ArchiveMethods.deflated
        }
    }
}

/// The sizes and the place of an entry. Where one does not fit into four bytes, all of these are set, and an extra
/// field has the number in eight bytes (ZIP64).
struct ArchiveSizes {
    private(set) var size: Int64
    private(set) var compressedSize: Int64
    private(set) var offset: Int64

    private static let marker = Int64(UInt32.max)
    private static let large: UInt16 = 1

    init(size: UInt32, compressedSize: UInt32, offset: UInt32) {
        self.size = Int64(size)
        self.compressedSize = Int64(compressedSize)
        self.offset = Int64(offset)
    }

    /// Replaces the numbers that did not fit with those of an extra field. False when the extra fields are cut, or one
    /// has fewer numbers than it should.
    mutating func takeLarge(from extra: [UInt8]) -> Bool {
        guard size == Self.marker || compressedSize == Self.marker || offset == Self.marker else { return true }
        var place = 0
        while place + 4 <= extra.count {
            let (id, length) = (extra.short(place), Int(extra.short(place + 2)))
            let begin = place + 4
            place = begin + length
            guard place <= extra.count else { return false }
            if id == Self.large { return take(extra, from: begin, to: place) }
        }
        // Without the field, the number is as large as it says.
        return true
    }

    private mutating func take(_ extra: [UInt8], from begin: Int, to end: Int) -> Bool {
        var place = begin
        return Self.replace(&size, extra, &place, end) && Self.replace(&compressedSize, extra, &place, end)
            && Self.replace(&offset, extra, &place, end)
    }

    /// Replaces a number that did not fit with the next one of the field.
    private static func replace(_ number: inout Int64, _ extra: [UInt8], _ place: inout Int, _ end: Int) -> Bool {
        guard number == marker else { return true }
        guard place + 8 <= end else { return false }
        number = extra.size(place)
        place += 8
        return true
    }
}
