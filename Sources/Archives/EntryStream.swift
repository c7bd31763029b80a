import CChatDBZlib

/// Reads the content of one entry, a part at a time, in fixed memory. It checks the entry's own header before the first
/// part, and size and checksum at the end: only after the call that returned 0 is the content proven.
package final class EntryStream {
    private let file: ArchiveFile
    private let entry: ArchiveEntry
    private let shown: String
    private let clock: ArchiveClock
    private let inflater: Inflater?
    /// The place of the next byte of the content in the file, and where the content ends.
    private var place: Int64
    private let contentEnd: Int64
    /// The bytes given out.
    private var size: Int64 = 0
    private var crc: uLong = 0
    private var isDone = false

    init(
        _ entry: ArchiveEntry, in file: ArchiveFile, _ directory: ArchiveDirectory, _ clock: ArchiveClock
    ) throws(ArchiveError) {
        self.file = file
        self.entry = entry
        self.clock = clock
        shown = directory.shownName(of: entry)
        guard let header = try LocalHeader(in: file, at: entry.offset) else {
            throw ArchiveError(file.path, .damagedEntry(shown, "does not begin where the list of entries says"))
        }
        guard header.agrees(with: entry, named: directory.name(of: entry)) else {
            throw ArchiveError(file.path, .damagedEntry(shown, "and the list of entries disagree"))
        }
        place = header.content
        contentEnd = header.content + entry.compressedSize
        guard contentEnd <= entry.limit else { throw ArchiveError(file.path, .overlapping(shown)) }
        inflater = entry.method == .deflated ? try Inflater(file.path) : nil
    }

    /// Fills a buffer with the next bytes of the content. Returns how many there are, at least one; 0 when all bytes
    /// were returned and checked.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        if isDone || buffer.isEmpty { return 0 }
        if clock.isOver { throw ArchiveError(file.path, .tooSlow) }
        let count: Int
        if let inflater {
            count = try inflate(inflater, into: buffer)
        } else {
            count = try copy(into: buffer)
        }
        guard count > 0 else {
            try finish()
            isDone = true
            return 0
        }
        size += Int64(count)
        guard size <= entry.size else { throw damaged("has more content than the list of entries says") }
        crc = crc32_z(crc, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
        return count
    }

    /// The next bytes of stored content.
    private func copy(into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int {
        let wanted = Int(min(Int64(buffer.count), contentEnd - place))
        guard wanted > 0 else { return 0 }
        let count = try file.read(into: .init(rebasing: buffer[..<wanted]), at: place)
        guard count == wanted else { throw damaged("ends before its content does") }
        place += Int64(count)
        return count
    }

    /// The next bytes of deflated content.
    private func inflate(
        _ inflater: Inflater, into buffer: UnsafeMutableRawBufferPointer
    ) throws(ArchiveError) -> Int {
        inflater.give(buffer)
        while true {
            if inflater.needsInput, place < contentEnd {
                let input = inflater.input
                let wanted = Int(min(Int64(input.count), contentEnd - place))
                let count = try file.read(into: .init(rebasing: input[..<wanted]), at: place)
                guard count == wanted else { throw damaged("ends before its content does") }
                place += Int64(count)
                inflater.take(count)
            }
            switch inflater.run() {
            case .end:
                guard inflater.needsInput, place == contentEnd else { throw damaged("has bytes behind its content") }
                return buffer.count - inflater.room
            case .more:
                if inflater.room == 0 { return buffer.count }
                if inflater.needsInput, place == contentEnd { throw damaged("ends before its content does") }
            case .failed:
                throw damaged("cannot be inflated")
            case .noMemory:
                throw ArchiveError(file.path, .unreadable(errno: 12))
            }
        }
    }

    /// Compares what was read with what the list says, and with what stands behind the content.
    private func finish() throws(ArchiveError) {
        guard size == entry.size else { throw damaged("has less content than the list of entries says") }
        guard UInt32(truncatingIfNeeded: crc) == entry.crc else { throw damaged("has another checksum") }
        guard entry.flags.contains(.descriptor) else { return }
        let behind = try file.bytes(Int(min(24, entry.limit - contentEnd)), at: contentEnd)
        guard isDescriptor(behind) else { throw damaged("and the numbers behind its content disagree") }
    }

    /// Whether the bytes begin with the checksum and the sizes: with or without a signature, in four bytes or eight.
    private func isDescriptor(_ bytes: [UInt8]) -> Bool {
        [0, 4].contains { begin in
            guard begin == 0 || bytes.word(0) == 0x0807_4B50, bytes.word(begin) == entry.crc else { return false }
            let small =
                Int64(bytes.word(begin + 4)) == entry.compressedSize
                && Int64(bytes.word(begin + 8)) == entry.size && bytes.count >= begin + 12
            let large =
                bytes.size(begin + 4) == entry.compressedSize && bytes.size(begin + 12) == entry.size
                && bytes.count >= begin + 20
            return small || large
        }
    }

    private func damaged(_ reason: String) -> ArchiveError {
        ArchiveError(file.path, .damagedEntry(shown, reason))
    }
}

/// zlib's state for one content, with a buffer for its input.
private final class Inflater {
    enum Outcome {
        case more
        case end
        case failed
        case noMemory
    }

    private static let inputSize = 128 << 10

    /// The buffer for deflated bytes.
    let input: UnsafeMutableRawBufferPointer
    /// zlib keeps the address of the stream, which must not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var hasEnded = false

    init(_ path: String) throws(ArchiveError) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        input = .allocate(byteCount: Self.inputSize, alignment: 16)
        guard chatdb_inflate_begin(stream) == Z_OK else { throw ArchiveError(path, .unreadable(errno: 12)) }
    }

    deinit {
        inflateEnd(stream)
        stream.deallocate()
        input.deallocate()
    }

    /// Whether all input was used.
    var needsInput: Bool { stream.pointee.avail_in == 0 }

    /// The room left in the buffer for the content.
    var room: Int { Int(stream.pointee.avail_out) }

    /// Sets the first bytes of `input` as the next deflated bytes.
    func take(_ count: Int) {
        stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_in = UInt32(count)
    }

    /// Sets the buffer for the content.
    func give(_ buffer: UnsafeMutableRawBufferPointer) {
        stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(clamping: buffer.count)
    }

    func run() -> Outcome {
        if hasEnded { return .end }
        switch inflate(stream, Z_NO_FLUSH) {
        case Z_STREAM_END:
            hasEnded = true
            return .end
        // Z_BUF_ERROR: there was no input, or no room.
        case Z_OK, Z_BUF_ERROR: return .more
        case Z_MEM_ERROR: return .noMemory
        default: return .failed
        }
    }
}
