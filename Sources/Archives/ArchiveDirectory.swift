import ChatDBPOSIX

/// The list of the entries of an archive, checked before anything of it is used: every name is safe, no name is there
/// twice, and no two entries share bytes.
package struct ArchiveDirectory {
    /// The entries, in the order of their places in the file.
    package let entries: [ArchiveEntry]
    /// The list as it is in the file, for the names in it.
    private let list: [UInt8]

    private static let headerSize = 46
    private static let signature: UInt32 = 0x0201_4B50

    /// The name of an entry.
    func name(of entry: ArchiveEntry) -> ArraySlice<UInt8> { list[entry.name] }

    /// The header of an entry in the list, with its name, extra fields and comment.
    func header(of entry: ArchiveEntry) -> [UInt8] {
        let begin = entry.name.lowerBound - Self.headerSize
        let end = entry.name.upperBound + Int(list.short(begin + 30)) + Int(list.short(begin + 32))
        return Array(list[begin..<min(end, list.count)])
    }

    /// The name of an entry for a message or a report: see `ArchiveName.shown`.
    package func shownName(of entry: ArchiveEntry) -> String { ArchiveName.shown(name(of: entry)) }

    /// Reads the list of an archive.
    init(of file: ArchiveFile, _ limits: ArchiveLimits) throws(ArchiveError) {
        let end = try ArchiveEnd(of: file)
        if end.entries > Int64(limits.entries) {
            throw ArchiveError(file.path, .beyondLimits("it has more than \(limits.entries) entries"))
        }
        if end.listSize > limits.list {
            throw ArchiveError(file.path, .beyondLimits("its list of entries is larger than \(limits.list) bytes"))
        }
        list = try file.bytes(Int(end.listSize), at: end.list)
        guard list.count == Int(end.listSize) else {
            throw ArchiveError(file.path, .damaged("its list of entries is cut"))
        }
        var parser = Parser(list: list, path: file.path, end: end, limits: limits)
        var found = try parser.all()
        try Self.refuseDuplicates(found, list, file.path)
        found.sort { $0.offset < $1.offset }
        try Self.refuseOverlaps(&found, list, before: end.list, file.path)
        entries = found
    }

    private static func refuseDuplicates(
        _ entries: [ArchiveEntry], _ list: [UInt8], _ path: String
    ) throws(ArchiveError) {
        let twice = list.withUnsafeBytes { bytes in
            // The order is any that puts equal names beside each other.
            func compare(_ one: Range<Int>, _ other: Range<Int>) -> CInt {
                if one.count != other.count { return one.count < other.count ? -1 : 1 }
                guard let base = bytes.baseAddress else { return 0 }
                return memcmp(base + one.lowerBound, base + other.lowerBound, one.count)
            }
            let names = entries.map(\.name).sorted { compare($0, $1) < 0 }
            return zip(names, names.dropFirst()).first { compare($0, $1) == 0 }?.0
        }
        if let twice { throw ArchiveError(path, .duplicate(ArchiveName.shown(list[twice]))) }
    }

    /// Throws when an entry reaches into the next one, or into the list. Sets the limit of each.
    private static func refuseOverlaps(
        _ entries: inout [ArchiveEntry], _ list: [UInt8], before listPlace: Int64, _ path: String
    ) throws(ArchiveError) {
        for index in entries.indices {
            let entry = entries[index]
            let next = index + 1 < entries.count ? entries[index + 1].offset : listPlace
            // The entry's own header may have extra fields, which are counted when it is read.
            let least = entry.offset + Int64(LocalHeader.fixedSize + entry.name.count) + entry.compressedSize
            if least > next {
                throw ArchiveError(path, .overlapping(ArchiveName.shown(list[entry.name])))
            }
            entries[index].limit = next
        }
    }
}

extension ArchiveDirectory {
    /// Reads the headers of the list one after the other.
    private struct Parser {
        let list: [UInt8]
        let path: String
        let end: ArchiveEnd
        let limits: ArchiveLimits
        private var place = 0
        private var contents: Int64 = 0

        init(list: [UInt8], path: String, end: ArchiveEnd, limits: ArchiveLimits) {
            self.list = list
            self.path = path
            self.end = end
            self.limits = limits
        }

        mutating func all() throws(ArchiveError) -> [ArchiveEntry] {
            var entries: [ArchiveEntry] = []
            // The number comes from the file, the size of the list does not lie.
            entries.reserveCapacity(min(Int(end.entries), list.count / headerSize))
            while place < list.count {
                if Int64(entries.count) == end.entries {
                    throw ArchiveError(path, .damaged("its list has more entries than its end says"))
                }
                entries.append(try next())
            }
            guard Int64(entries.count) == end.entries else {
                throw ArchiveError(path, .damaged("its list has fewer entries than its end says"))
            }
            return entries
        }

        private mutating func next() throws(ArchiveError) -> ArchiveEntry {
            guard place + headerSize <= list.count, list.word(place) == signature else {
                throw ArchiveError(path, .damaged("its list of entries has something else in it"))
            }
            let begin = place
            let nameEnd = begin + headerSize + Int(list.short(begin + 28))
            let extraEnd = nameEnd + Int(list.short(begin + 30))
            place = extraEnd + Int(list.short(begin + 32))
            guard place <= list.count else {
                throw ArchiveError(path, .damaged("its list of entries is cut"))
            }
            let name = (begin + headerSize)..<nameEnd
            let shown = ArchiveName.shown(list[name])
            if let danger = ArchiveName.danger(in: list[name]) { throw ArchiveError(path, .unsafeName(shown, danger)) }
            let disk = list.short(begin + 34)
            guard disk == 0 || disk == .max else { throw ArchiveError(path, .split) }
            try refuseSpecial(mode: UInt16(list.word(begin + 38) >> 16), shown)
            let flags = ArchiveFlags(rawValue: list.short(begin + 8))
            let method = try method(list.short(begin + 10), flags, shown)
            var sizes = ArchiveSizes(
                size: list.word(begin + 24), compressedSize: list.word(begin + 20), offset: list.word(begin + 42))
            guard sizes.takeLarge(from: Array(list[nameEnd..<extraEnd])) else {
                throw ArchiveError(path, .damagedEntry(shown, "has a ZIP64 field that is cut"))
            }
            try check(sizes, method, shown, isFolder: ArchiveName.isFolder(list[name]))
            return ArchiveEntry(
                kind: ArchiveName.kind(of: list[name]), size: sizes.size, compressedSize: sizes.compressedSize,
                method: method, crc: list.word(begin + 16), flags: flags, offset: sizes.offset + end.prefix, name: name)
        }

        /// Throws unless the mode of Unix, if there is one, is that of a file or a folder.
        private func refuseSpecial(mode: UInt16, _ shown: String) throws(ArchiveError) {
            switch mode & 0xF000 {
            case 0, 0x4000, 0x8000: return
            case 0xA000: throw ArchiveError(path, .notARegularEntry(shown, "a symbolic link"))
            default: throw ArchiveError(path, .notARegularEntry(shown, "a device, a pipe or a socket"))
            }
        }

        private func method(
            _ number: UInt16, _ flags: ArchiveFlags, _ shown: String
        ) throws(ArchiveError) -> ArchiveEntry.Method {
            if number == ArchiveMethods.aes { throw ArchiveError(path, .encrypted("AES")) }
            if flags.contains(.stronglyEncrypted) || flags.contains(.masked) {
                throw ArchiveError(path, .encrypted("PKWARE's strong encryption"))
            }
            if flags.contains(.encrypted) { throw ArchiveError(path, .encrypted("ZIP encryption")) }
            if flags.contains(.patch) { throw ArchiveError(path, .unsupportedMethod(shown, "a patch of another file")) }
            switch number {
            case ArchiveMethods.stored: return .stored
            case ArchiveMethods.deflated: return .deflated
            default: throw ArchiveError(path, .unsupportedMethod(shown, ArchiveMethods.name(of: number)))
            }
        }

        private mutating func check(
            _ sizes: ArchiveSizes, _ method: ArchiveEntry.Method, _ shown: String, isFolder: Bool
        ) throws(ArchiveError) {
            // The content ends before the list, so that sums of these numbers cannot overflow.
            guard sizes.offset <= end.list - end.prefix, sizes.compressedSize <= end.list else {
                throw ArchiveError(path, .damagedEntry(shown, "has a place outside the file"))
            }
            if method == .stored, sizes.size != sizes.compressedSize {
                throw ArchiveError(path, .damagedEntry(shown, "is stored, and has two sizes"))
            }
            if isFolder, sizes.size != 0 { throw ArchiveError(path, .damagedEntry(shown, "is a folder with content")) }
            if limits.forbid(sizes.size, from: sizes.compressedSize) { throw ArchiveError(path, .expansion(shown)) }
            let (sum, overflows) = contents.addingReportingOverflow(sizes.size)
            if overflows || sum > limits.contents {
                throw ArchiveError(
                    path, .beyondLimits("its contents together are larger than \(limits.contents) bytes"))
            }
            contents = sum
        }
    }
}
