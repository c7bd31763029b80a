package import ChatDBEngine
import ChatDBPOSIX

/// A file that is open for reading at any offset.
final class RawFile {
    let size: Int64
    private let descriptor: CInt

    init(_ path: String) throws(StoreError) {
        // O_NONBLOCK: the path may have become a FIFO since it was examined.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError.current("\(path) cannot be read") }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw StoreError(.notAFile, "\(path) is not a file")
        }
        self.descriptor = descriptor
        size = Int64(info.st_size)
    }

    deinit { close(descriptor) }

    /// The parts of the file that are no holes, in their order. The whole file if the system does not know its holes.
    var parts: [Range<Int64>] {
        #if canImport(Darwin)
            let (toHole, toData): (CInt, CInt) = (3, 4)
        #else
            let (toData, toHole): (CInt, CInt) = (3, 4)
        #endif
        var parts: [Range<Int64>] = []
        var place: Int64 = 0
        while place < size, parts.count < Self.mostParts {
            let start = Int64(lseek(descriptor, off_t(place), toData))
            if start < 0, errno == ENXIO { return parts }
            let end = start < 0 ? -1 : Int64(lseek(descriptor, off_t(start), toHole))
            guard end > start else { return parts + [place..<size] }
            parts.append(start..<end)
            place = end
        }
        return place < size ? parts + [place..<size] : parts
    }

    /// The largest number of parts; what follows is one more part.
    private static let mostParts = 100_000

    /// The bytes at an offset, with zeros after the end of the file. It is nil if the system cannot read the first of
    /// these bytes.
    func bytes(_ count: Int, at place: Int64) -> [UInt8]? {
        guard place >= 0, place < size else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, off_t(place) + off_t(filled))
            }
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR { continue }
                return filled == 0 ? nil : bytes
            }
            filled += got
        }
        return bytes
    }
}

/// The pages of a database file that may be damaged in any way. The file is read page by page.
package final class PageFile {
    package let layout: FileLayout
    /// The number of pages. The last page may be truncated; its missing bytes are read as zeros.
    package let pageCount: Int
    /// The number of pages without holes of the file.
    let dataPageCount: Int
    /// Whether the header is that of a database, or enough pages are pages of trees. An encrypted file has neither.
    package let looksLikeDatabase: Bool
    /// The number of pages that the system could not read.
    package private(set) var unreadablePages = 0
    private let file: RawFile
    /// The least share of pages of trees in a database. In other files, far fewer pages look like pages of trees.
    private static let leastScore = 0.1
    /// The largest number of a page.
    private static let most = Int64(UInt32.max) - 1

    /// Opens a file. Throws when it cannot be read at all, or is empty.
    package convenience init(_ path: String) throws(StoreError) {
        let file = try RawFile(path)
        guard file.size > 0 else { throw StoreError(.notADatabase, "\(path) is an empty file (0 bytes)") }
        self.init(file)
    }

    private init(_ file: RawFile) {
        self.file = file
        let header = file.bytes(100, at: 0) ?? []
        var looksLikeDatabase = true
        var found = FileLayout(header: header)
        if let size = found?.betterPageSize(file) {
            found?.pageSize = size
            found?.isGuessed = true
        } else if found?.isGuessed != false {
            let (size, score) = FileLayout.guessedPageSize(file)
            looksLikeDatabase = score >= Self.leastScore
            if found?.pageSize != size { found = FileLayout(guessed: size, header: header) }
        }
        var layout = found ?? FileLayout(guessed: 4096, header: header)
        if layout.usesReservedBytes(file) { (layout.reserved, layout.isGuessed) = (0, true) }
        let pageSize = Int64(layout.pageSize)
        pageCount = Int(min(Self.most, file.size / pageSize + (file.size % pageSize > 0 ? 1 : 0)))
        dataPageCount = file.parts.reduce(0) { [pageCount] sum, part in
            min(pageCount, sum + Int(min(Self.most, Int64(part.count) / pageSize + 1)))
        }
        if let encoding = SchemaTable.encoding(of: file, layout), encoding != layout.encoding {
            (layout.encoding, layout.isGuessed) = (encoding, true)
        }
        self.layout = layout
        self.looksLikeDatabase = looksLikeDatabase
    }

    package func contains(_ page: Int) -> Bool { (1...max(1, pageCount)).contains(page) }

    /// The pages of the file without its holes, which have no data. A file can be far larger than the disk.
    package var pagesWithData: some Sequence<Int> {
        let size = Int64(layout.pageSize)
        return file.parts.lazy.flatMap { [pageCount] part in
            let first = Int(min(Int64(pageCount), part.lowerBound / size)) + 1
            let last = Int(min(Int64(pageCount), (part.upperBound - 1) / size + 1))
            return first <= last ? first...last : last...last
        }
    }

    /// The bytes of a page. It is nil if the file does not have the page, or if the system cannot read it.
    package func bytes(of page: Int) -> [UInt8]? {
        guard contains(page) else { return nil }
        let bytes = file.bytes(layout.pageSize, at: Int64(page - 1) * Int64(layout.pageSize))
        if bytes == nil { unreadablePages += 1 }
        return bytes
    }

    /// The number of bytes that the file has of a page. It is less than the page size for the last page of a truncated
    /// file, and 0 for a page that the file does not have.
    func length(of page: Int) -> Int {
        guard contains(page) else { return 0 }
        return Int(min(Int64(layout.pageSize), file.size - Int64(page - 1) * Int64(layout.pageSize)))
    }

    /// The number of pages that the file has whole.
    package var wholePageCount: Int { length(of: pageCount) < layout.pageSize ? pageCount - 1 : pageCount }

    /// Reads a page of a tree. Answers nil if the page cannot be read, or is not a page of a tree.
    package func treePage(_ number: Int) -> BTreePage? {
        guard let bytes = bytes(of: number) else { return nil }
        return BTreePage(bytes, number: number, usable: layout.usable)
    }
}
