package import ChatDBEngine

/// Writes an archive again with another chat database. All other entries keep their bytes, their names and their order.
package struct ArchiveCopy {
    private let reader: ArchiveReader
    private let cancellation: Cancellation

    /// - Parameter reader: the archive; it stays open, so that the copy is of the file that was read before.
    package init(_ reader: ArchiveReader, cancellation: Cancellation) {
        self.reader = reader
        self.cancellation = cancellation
    }

    /// Gives out the bytes of the new archive.
    ///
    /// Throws an `ArchiveError`, an error of the file of the new database, or the error of `sink`.
    /// - Parameter path: the file of the new chat database.
    package func write(replacingChatWith path: String, to sink: ([UInt8]) throws -> Void) throws {
        var place: Int64 = 0
        func give(_ bytes: [UInt8]) throws {
            try cancellation.check()
            try sink(bytes)
            place += Int64(bytes.count)
        }
        var headers: [(name: Int, bytes: [UInt8])] = []
        for entry in reader.directory.entries {
            var numbers = EntryNumbers(
                crc: entry.crc, size: entry.size, compressedSize: entry.compressedSize, offset: place)
            var header = reader.directory.header(of: entry)
            if entry.kind == .chat {
                numbers = try DeflatedFile.numbers(of: path, at: place)
                header.set(ArchiveFlags(rawValue: header.short(8)).subtracting(.descriptor).rawValue, at: 8)
                header.set(ArchiveMethods.deflated, at: 10)
                try give(numbers.ownHeader(like: header))
                try DeflatedFile.read(path) { try give($0) }
                guard place == numbers.end(afterHeader: header) else {
                    throw ArchiveError(path, .damaged("it changed while chatdb read it"))
                }
            } else {
                try reader.eachPart(of: entry) { try give($0) }
            }
            headers.append((entry.name.lowerBound, numbers.listed(header)))
        }
        let list = place
        // The list keeps its own order, which need not be that of the places.
        for header in headers.sorted(by: { $0.name < $1.name }) { try give(header.bytes) }
        try give(ArchiveEnding.bytes(entries: headers.count, list: list, listSize: place - list))
    }
}
