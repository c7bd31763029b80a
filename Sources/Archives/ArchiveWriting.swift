import CChatDBZlib

/// The checksum, sizes and place of an entry of a new archive.
struct EntryNumbers {
    var crc: UInt32
    var size: Int64
    var compressedSize: Int64
    /// The place of its own header.
    var offset: Int64

    private static let most = Int64(UInt32.max)
    private static let large: UInt16 = 1
    /// The version of the format that has ZIP64.
    private static let largeVersion: UInt16 = 45

    /// The numbers that do not fit into four bytes, as an extra field of ZIP64; empty if all fit.
    private func field(_ numbers: [Int64]) -> [UInt8] {
        let large = numbers.filter { $0 >= Self.most }
        if large.isEmpty { return [] }
        var bytes: [UInt8] = []
        bytes.add(Self.large)
        bytes.add(UInt16(large.count * 8))
        for number in large { bytes.add(UInt64(number)) }
        return bytes
    }

    private static func word(_ number: Int64) -> UInt32 { number >= most ? .max : UInt32(number) }

    /// The header of the list with these numbers.
    func listed(_ header: [UInt8]) -> [UInt8] {
        let (name, extra) = Self.parts(of: header)
        let comment = Array(header.suffix(Int(header.short(32))))
        let field = field([size, compressedSize, offset])
        let fields = field + extra
        var new = Array(header.prefix(46))
        if !field.isEmpty { new.set(max(Self.largeVersion, new.short(6)), at: 6) }
        new.set(crc, at: 16)
        new.set(Self.word(compressedSize), at: 20)
        new.set(Self.word(size), at: 24)
        new.set(UInt16(clamping: fields.count), at: 30)
        new.set(Self.word(offset), at: 42)
        return new + name + fields + comment
    }

    /// The header before the content of an entry, with what the one of the list says.
    func ownHeader(like header: [UInt8]) -> [UInt8] {
        let (name, _) = Self.parts(of: header)
        let field = ownField
        var own: [UInt8] = []
        own.add(0x0403_4B50 as UInt32)
        own.add(field.isEmpty ? header.short(6) : max(Self.largeVersion, header.short(6)))
        // Flags, method, time and date.
        for at in [8, 10, 12, 14] { own.add(header.short(at)) }
        own.add(crc)
        own.add(field.isEmpty ? Self.word(compressedSize) : .max)
        own.add(field.isEmpty ? Self.word(size) : .max)
        own.add(UInt16(clamping: name.count))
        own.add(UInt16(clamping: field.count))
        return own + name + field
    }

    /// In an entry's own header, ZIP64 has both sizes or none.
    private var ownField: [UInt8] {
        guard size >= Self.most || compressedSize >= Self.most else { return [] }
        var bytes: [UInt8] = []
        bytes.add(Self.large)
        bytes.add(UInt16(16))
        bytes.add(UInt64(size))
        bytes.add(UInt64(compressedSize))
        return bytes
    }

    /// The place behind the content.
    func end(afterHeader header: [UInt8]) -> Int64 {
        offset + Int64(30 + Int(header.short(28)) + ownField.count) + compressedSize
    }

    /// The name of a header of the list, and its extra fields without that of ZIP64.
    private static func parts(of header: [UInt8]) -> (name: [UInt8], extra: [UInt8]) {
        let nameEnd = 46 + Int(header.short(28))
        let all = Array(header[min(46, header.count)..<min(nameEnd, header.count)])
        let fields = Array(header[min(nameEnd, header.count)..<min(nameEnd + Int(header.short(30)), header.count)])
        var (kept, place): ([UInt8], Int) = ([], 0)
        while place + 4 <= fields.count {
            let end = min(fields.count, place + 4 + Int(fields.short(place + 2)))
            if fields.short(place) != large { kept += fields[place..<end] }
            place = end
        }
        return (all, kept)
    }
}

/// The end of a new archive.
enum ArchiveEnding {
    static func bytes(entries: Int, list: Int64, listSize: Int64) -> [UInt8] {
        var bytes: [UInt8] = []
        let isLarge = entries >= Int(UInt16.max) || list >= Int64(UInt32.max) || listSize >= Int64(UInt32.max)
        if isLarge {
            bytes.add(0x0606_4B50 as UInt32)
            bytes.add(44 as UInt64)
            bytes.add(45 as UInt16)
            bytes.add(45 as UInt16)
            bytes.add(0 as UInt32)
            bytes.add(0 as UInt32)
            for number in [Int64(entries), Int64(entries), listSize, list] { bytes.add(UInt64(number)) }
            bytes.add(0x0706_4B50 as UInt32)
            bytes.add(0 as UInt32)
            bytes.add(UInt64(list + listSize))
            bytes.add(1 as UInt32)
        }
        bytes.add(0x0605_4B50 as UInt32)
        bytes.add(0 as UInt32)
        for _ in 0..<2 { bytes.add(isLarge ? .max : UInt16(clamping: entries)) }
        bytes.add(isLarge ? .max : UInt32(clamping: listSize))
        bytes.add(isLarge ? .max : UInt32(clamping: list))
        bytes.add(0 as UInt16)
        return bytes
    }
}

/// A file whose content is deflated while it is read.
enum DeflatedFile {
    private static let partSize = 1 << 20

    /// Gives out the bytes as they are.
    static func readStored(_ path: String, _ body: ([UInt8]) throws -> Void) throws {
        let file = try ArchiveFile(path)
        var place: Int64 = 0
        while true {
            let part = try file.bytes(partSize, at: place)
            if part.isEmpty { return }
            place += Int64(part.count)
            try body(part)
        }
    }

    /// The numbers of an entry with the content, which are needed before the content.
    static func numbers(of path: String, at offset: Int64) throws -> EntryNumbers {
        var numbers = EntryNumbers(crc: 0, size: 0, compressedSize: 0, offset: offset)
        var crc: uLong = 0
        try read(
            path,
            source: { part in
                crc = part.withUnsafeBytes { crc32_z(crc, $0.bindMemory(to: UInt8.self).baseAddress, $0.count) }
                numbers.size += Int64(part.count)
            }, { numbers.compressedSize += Int64($0.count) })
        numbers.crc = UInt32(truncatingIfNeeded: crc)
        return numbers
    }

    /// Gives out the deflated bytes.
    /// - Parameter source: gets the bytes of the file too.
    static func read(
        _ path: String, source: ([UInt8]) -> Void = { _ in }, _ body: ([UInt8]) throws -> Void
    ) throws {
        let file = try ArchiveFile(path)
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard chatdb_deflate_begin(stream) == Z_OK else { throw ArchiveError(path, .unreadable(errno: 12)) }
        defer { deflateEnd(stream) }
        var output = [UInt8](repeating: 0, count: partSize)
        var place: Int64 = 0
        var isEnd = false
        while !isEnd {
            var part = try file.bytes(partSize, at: place)
            place += Int64(part.count)
            isEnd = part.isEmpty
            // zlib begins again with a checksum of nothing.
            if !isEnd { source(part) }
            try part.withUnsafeMutableBufferPointer { input in
                stream.pointee.next_in = input.baseAddress
                stream.pointee.avail_in = UInt32(input.count)
                repeat {
                    let (room, result) = output.withUnsafeMutableBufferPointer { buffer in
                        stream.pointee.next_out = buffer.baseAddress
                        stream.pointee.avail_out = UInt32(buffer.count)
                        let result = deflate(stream, isEnd ? Z_FINISH : Z_NO_FLUSH)
                        return (Int(stream.pointee.avail_out), result)
                    }
                    guard result != Z_STREAM_ERROR else { throw ArchiveError(path, .unreadable(errno: 5)) }
                    if room < output.count { try body(Array(output.prefix(output.count - room))) }
                } while stream.pointee.avail_out == 0
            }
        }
    }
}

/// Numbers of the format, which has the least significant byte first.
extension [UInt8] {
    mutating func add(_ number: some FixedWidthInteger & UnsignedInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }

    /// Replaces the bytes at a place, which must be inside.
    mutating func set(_ number: some FixedWidthInteger & UnsignedInteger, at place: Int) {
        Swift.withUnsafeBytes(of: number.littleEndian) { bytes in
            for (index, byte) in bytes.enumerated() where place + index < count { self[place + index] = byte }
        }
    }
}
