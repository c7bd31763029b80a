/// The end of an archive, which says where the list of entries is.
struct ArchiveEnd {
    /// The number of entries.
    let entries: Int64
    /// The place of the list in the file.
    let list: Int64
    /// The size of the list in bytes.
    let listSize: Int64
    /// The number of bytes before the archive: every place in it counts from there.
    let prefix: Int64

    private static let size = 22
    private static let mostComment = 65_535
    private static let locatorSize = 20
    private static let largeSize = 56
    private static let signature: UInt32 = 0x0605_4B50
    private static let locatorSignature: UInt32 = 0x0706_4B50
    private static let largeSignature: UInt32 = 0x0606_4B50

    /// Finds the end of an archive, which a comment of up to 64 KiB may follow.
    init(of file: ArchiveFile) throws(ArchiveError) {
        // One read gets the end, its comment, and what ZIP64 puts before it.
        let wanted = Self.size + Self.mostComment + Self.locatorSize + Self.largeSize
        let start = max(0, file.size - Int64(wanted))
        let tail = try file.bytes(wanted, at: start)
        let ends = Self.ends(in: tail)
        guard let place = ends.first else { throw try Self.withoutEnd(file, tail) }
        if ends.count > 1 { throw ArchiveError(file.path, .twoEnds) }
        let large = try Self.large(in: tail, before: place, file.path)
        // With ZIP64 the numbers of the disks may be the largest there are, and stand in its end.
        let disks = [tail.short(place + 4), tail.short(place + 6)]
        if disks.contains(where: { $0 != 0 && (large == nil || $0 != .max) }) {
            throw ArchiveError(file.path, .split)
        }
        entries = try Self.agreed(Int64(tail.short(place + 10)), large?.entries, Int64(UInt16.max), file.path)
        let here = try Self.agreed(Int64(tail.short(place + 8)), large?.entriesHere, Int64(UInt16.max), file.path)
        listSize = try Self.agreed(Int64(tail.word(place + 12)), large?.listSize, Int64(UInt32.max), file.path)
        let offset = try Self.agreed(Int64(tail.word(place + 16)), large?.list, Int64(UInt32.max), file.path)
        if here != entries { throw ArchiveError(file.path, .split) }
        let listEnd = start + Int64(large?.place ?? place)
        // Both may be as large as they like: they come from the file.
        let (needed, overflows) = listSize.addingReportingOverflow(offset)
        if overflows { throw ArchiveError(file.path, .damaged("its end names a place outside the file")) }
        if needed > listEnd { throw ArchiveError(file.path, .bytesMissing(needed - listEnd)) }
        prefix = listEnd - needed
        list = listEnd - listSize
    }

    /// The places of the ends whose comment ends with the file.
    private static func ends(in tail: [UInt8]) -> [Int] {
        guard tail.count >= size else { return [] }
        return (0...(tail.count - size)).filter { place in
            tail[place] == 0x50 && tail.word(place) == signature
                && place + size + Int(tail.short(place + 20)) == tail.count
        }
    }

    /// The number, which is that of ZIP64 where the first one is the largest it can be.
    private static func agreed(
        _ number: Int64, _ large: Int64?, _ marker: Int64, _ path: String
    ) throws(ArchiveError) -> Int64 {
        guard let large else { return number }
        guard number == marker || number == large else {
            throw ArchiveError(path, .damaged("its end and the end of ZIP64 disagree"))
        }
        return large
    }

    /// The end as ZIP64 has it.
    private struct Large {
        let place: Int
        let entries, entriesHere, listSize, list: Int64
    }

    /// Reads the end record of ZIP64, which precedes the end record; returns nil for an archive without ZIP64.
    private static func large(
        in tail: [UInt8], before end: Int, _ path: String
    ) throws(ArchiveError) -> Large? {
        let locator = end - locatorSize
        guard locator >= 0, tail.word(locator) == locatorSignature else { return nil }
        let place = locator - largeSize
        guard place >= 0, tail.word(place) == largeSignature, tail.long(place + 4) == UInt64(largeSize - 12) else {
            throw ArchiveError(path, .damaged("the end of ZIP64 is not where it has to be"))
        }
        guard tail.word(locator + 4) == 0, tail.word(locator + 16) <= 1, tail.word(place + 16) == 0,
            tail.word(place + 20) == 0
        else { throw ArchiveError(path, .split) }
        return Large(
            place: place, entries: tail.size(place + 32), entriesHere: tail.size(place + 24),
            listSize: tail.size(place + 40), list: tail.size(place + 48))
    }

    /// The error for a file without an end: it is cut, or no archive.
    private static func withoutEnd(_ file: ArchiveFile, _ tail: [UInt8]) throws(ArchiveError) -> ArchiveError {
        guard try LocalHeader(in: file, at: 0) != nil else {
            let beginning = try file.bytes(4, at: 0)
            return ArchiveError(
                file.path, beginning.word(0) == 0x0403_4B50 ? .endMissing(found: []) : .notAnArchive)
        }
        var found: [String] = []
        var place: Int64 = 0
        while found.count < 3, let header = try LocalHeader(in: file, at: place) {
            let name = ArchiveName.shown(header.name)
            // With a descriptor behind the content, its size is not known here.
            let isUnknown = header.flags.contains(.descriptor) && header.compressedSize == 0
            let (end, overflows) = header.content.addingReportingOverflow(header.compressedSize)
            let isWhole = !isUnknown && !overflows && end <= file.size
            found.append(isWhole ? "\(name) (whole)" : isUnknown ? name : "\(name) (cut)")
            if !isWhole { break }
            place = end
        }
        return ArchiveError(file.path, .endMissing(found: found))
    }
}
