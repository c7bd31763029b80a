/// An open archive, whose list of entries was read and checked. It belongs to one thread.
package final class ArchiveReader {
    package let directory: ArchiveDirectory
    private let file: ArchiveFile
    private let clock: ArchiveClock

    /// Opens an archive and reads the list of its entries, and no content.
    package init(_ path: String, _ limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        file = try ArchiveFile(path)
        directory = try ArchiveDirectory(of: file, limits)
        clock = ArchiveClock(limits, bytes: file.size, entries: directory.entries.count)
    }

    package var path: String { file.path }

    /// The size of the archive in bytes.
    package var size: Int64 { file.size }

    /// Begins to read the content of an entry.
    package func stream(of entry: ArchiveEntry) throws(ArchiveError) -> EntryStream {
        try EntryStream(entry, in: file, directory, clock)
    }

    /// The bytes of an entry as they are in the file, with its own header and what follows its content.
    func eachPart(of entry: ArchiveEntry, _ body: ([UInt8]) throws -> Void) throws {
        var place = entry.offset
        while place < entry.limit {
            let part = try file.bytes(Int(min(1 << 20, entry.limit - place)), at: place)
            if part.isEmpty { throw ArchiveError(path, .damaged("it was cut while chatdb read it")) }
            try body(part)
            place += Int64(part.count)
        }
    }

    /// Reads the contents of all entries and checks them.
    package func verifyAll() throws(ArchiveError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        for entry in directory.entries { try verify(entry, in: buffer) }
    }

    /// Reads the content of an entry and checks it, without keeping it.
    package func verify(_ entry: ArchiveEntry, in buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) {
        let stream = try stream(of: entry)
        while try stream.read(into: buffer) > 0 {}
    }

    /// Checks the own headers of the entries that are never unpacked. Their names in the list of entries could have
    /// been changed, and what is missing would be among them.
    func verifyOthers() throws(ArchiveError) {
        for entry in directory.entries where entry.kind == .other || entry.kind == .folder {
            _ = try stream(of: entry)
        }
    }

    /// Whether a file begins as an archive does, found out from its first four bytes. False for a file that cannot be
    /// read. The caller must not have the file open as a database.
    package static func isArchive(_ path: String) -> Bool {
        guard let file = try? ArchiveFile(path), let beginning = try? file.bytes(4, at: 0) else { return false }
        return [0x0403_4B50, 0x0605_4B50].contains(beginning.word(0))
    }
}
