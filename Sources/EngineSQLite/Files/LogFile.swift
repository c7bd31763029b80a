import ChatDBEngine
import ChatDBPOSIX

/// The content of a write-ahead log (`-wal`), read without SQLite. A frame counts only if its salts and the chain of
/// checksums fit, as for SQLite itself. The numbers of frames and commits are what is lost when the log is removed.
package struct LogFile: Sendable, Hashable {
    /// The page size of the log. It is nil if the file does not begin with the header of a log.
    package let pageSize: Int?
    /// The number of frames that belong to a commit.
    package private(set) var frames = 0
    /// The number of pages in these frames; a page may be in several frames.
    package private(set) var pages = 0
    /// The number of these pages that the database has with the same content, because they were copied into it.
    package private(set) var pagesInDatabase = 0
    /// The number of commits.
    package private(set) var commits = 0
    /// The numbers of these pages.
    private var pageNumbers: Set<Int> = []
    /// The number of pages that the database has after the last commit.
    private var lastSize = 0
    /// Whether the database has a later first page than the log, so that the log is of an earlier time. It is false for
    /// a log that was not compared with a database, and for one that lacks the page.
    package private(set) var isOlder = false
    /// Whether the log has more bytes than were read.
    package private(set) var isLong = false
    /// The database's first page, as the last commit has it. It is nil if no commit in the log has this page.
    private(set) var firstPage: [UInt8]?
    /// When the log was last written, in seconds since 1970.
    package let written: Int64

    /// The most bytes of a log that are read.
    private static let most = 32 << 20
    private static let (headerLength, frameLength) = (32, 24)

    /// Reads the log at a path, without waiting for a lock. Answers nil if the file is missing or cannot be read.
    ///
    /// - Parameter database: the database with which the log is compared; nil for no comparison. This process must not
    ///   have the database open, because closing a descriptor releases the locks of the process.
    package static func read(_ path: String, of database: String? = nil) -> LogFile? {
        guard let (file, info) = opened(path) else { return nil }
        defer { close(file) }
        guard info.st_size > 0 else { return nil }
        #if canImport(Darwin)
            let written = Int64(info.st_mtimespec.tv_sec)
        #else
            let written = Int64(info.st_mtim.tv_sec)
        #endif
        let head = bytes(of: file, count: headerLength, at: 0)
        guard let start = Start(head) else { return LogFile(pageSize: nil, written: written) }
        var log = LogFile(pageSize: start.pageSize, written: written)
        let places = log.readFrames(of: file, start, bytes: Int(info.st_size))
        log.pages = places.count
        log.pageNumbers = Set(places.keys)
        guard let database, let (other, _) = opened(database) else { return log }
        defer { close(other) }
        log.pagesInDatabase = places.count { page, place in
            let size = start.pageSize
            return bytes(of: file, count: size, at: place) == bytes(of: other, count: size, at: (page - 1) * size)
        }
        let header = bytes(of: other, count: DatabaseHeader.length, at: 0)
        if let page = log.firstPage, header.count == DatabaseHeader.length, log.pageSize == start.pageSize, !log.isLong
        {
            // Every transaction that writes the first page adds 1 to this number. A far larger number is damage.
            let (own, other) = (number(header[changes]), number(page[changes]))
            log.isOlder = other < own && own - other < 1 << 20
        }
        return log
    }

    /// The bytes of the header that count the transactions.
    private static let changes = 24..<28

    /// Opens a file for reading. Answers nil if the file cannot be opened, or is not a regular file.
    private static func opened(_ path: String) -> (file: CInt, info: stat)? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        var info = stat()
        if fstat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG { return (file, info) }
        close(file)
        return nil
    }

    private init(pageSize: Int?, written: Int64) {
        self.pageSize = pageSize
        self.written = written
    }

    /// A clause that says what is lost when the log is removed.
    package var cost: String {
        if commits == 0 { return "it has no committed change: removing it loses nothing" }
        let changes = commits == 1 ? "1 committed change" : "\(commits) committed changes"
        let text =
            "it has \(isLong ? "at least " : "")\(changes) (\(Self.count(pages))), and was written at \(Self.time(written))"
        if pagesInDatabase == pages { return text + ", and all of these pages are already in the database" }
        let age = isOlder ? "; the log is older than the database, which has later changes" : ""
        return text + (pagesInDatabase == 0 ? "" : "; \(pagesInDatabase) of these pages are already in the database")
            + age
    }

    /// The reason why the log does not belong to the database with this header, a predicate. It is nil if the log may
    /// belong to this database.
    func contradiction(of database: [UInt8], pageSize: Int) -> String? {
        if let size = self.pageSize, size != pageSize {
            return "has another page size (\(size) bytes) than the database"
        }
        guard let header = firstPage?.prefix(DatabaseHeader.length), header.count == database.count else { return nil }
        // Both facts are fixed when a database is created: its application id and the encoding of its texts. A database
        // may get them after the last page that was read of a long log.
        for (offset, what) in [(68, "application id"), (56, "text encoding")] {
            let (own, other) = (database[offset..<offset + 4], header[offset..<offset + 4])
            let isSet = other.contains { $0 != 0 } || offset == 68 && !isLong
            if own != other, own.contains(where: { $0 != 0 }), isSet { return "has another \(what) than the database" }
        }
        // Every change of the schema adds 1 to this number, and the log has the newest changes. A far larger number is
        // damage of the database's header.
        let (own, other) = (Self.number(database[Self.schemaNumber]), Self.number(header[Self.schemaNumber]))
        if !isLong, other < own, own - other < 1 << 20 { return "has an older schema than the database" }
        return nil
    }

    /// The reason why the log cannot follow on a database of this size, a predicate. It is nil if it can, and if the header
    /// or the file may be damaged or truncated: then the size says nothing.
    ///
    /// - Parameters:
    ///   - header: the header of the database.
    ///   - bytes: the size of the database.
    func contradictionOfSize(_ header: [UInt8], bytes: Int64) -> String? {
        guard header.count == DatabaseHeader.length, let pageSize, commits > 0, !isLong else { return nil }
        let size = Int(Self.number(header[28..<32]))
        // The number of pages counts only if it was written by the same commit as the change counter.
        guard header[24..<28].elementsEqual(header[92..<96]), size > 0, Int64(size) * Int64(pageSize) == bytes
        else { return nil }
        if size > lastSize {
            // Only VACUUM, which writes all pages, and auto-vacuum make a database smaller.
            let mayShrink = header[52..<56].contains { $0 != 0 } || (1...max(1, lastSize)).allSatisfy(has)
            return mayShrink ? nil : "ends with \(lastSize) pages, and the database has \(size)"
        }
        // Every page behind the end of the file was made by a commit in the log.
        let lockPage = 0x4000_0000 / pageSize + 1
        let isWhole = size == lastSize || (size + 1...lastSize).allSatisfy { has($0) || $0 == lockPage }
        return isWhole ? nil : "lacks pages behind the \(size) pages of the database"
    }

    private func has(_ page: Int) -> Bool { pageNumbers.contains(page) }

    /// The bytes of the header that count the changes of the schema.
    private static let schemaNumber = 40..<44

    /// Whether a contradiction is damage of the database's own header, and the log belongs to the database: the rest
    /// of the file fits the log, and not the header.
    ///
    /// - Parameters:
    ///   - beginning: the first bytes of the database.
    ///   - bytes: the size of the database.
    ///   - pageSize: the page size in the header of the database.
    func fitsDespiteHeader(_ beginning: [UInt8], bytes: Int64, pageSize: Int) -> Bool {
        guard let own = self.pageSize else { return false }
        if own != pageSize, pagesInDatabase > 0, pagesInDatabase * 2 >= pages { return true }
        let stated = Int64(Self.number(beginning[28..<32]))
        if own != pageSize, stated > 0, stated * Int64(own) == bytes, stated * Int64(pageSize) != bytes { return true }
        // The first page has the schema behind the header. Databases with other encodings or marks have other schemas.
        guard let firstPage else { return false }
        let start = DatabaseHeader.length
        let ofLog = firstPage.prefix(beginning.count).dropFirst(start)
        let ofDatabase = beginning.prefix(firstPage.count).dropFirst(start)
        // A log of another time has another schema, which may differ little.
        let isOlder = Self.number(firstPage[Self.schemaNumber]) < Self.number(beginning[Self.schemaNumber])
        if own == pageSize, isOlder { return ofLog.elementsEqual(ofDatabase) }
        // A page of pointers has few bytes, and many of them are the same in all databases.
        guard ofLog.first == Self.leafOfTable else { return !ofLog.isEmpty && ofLog.elementsEqual(ofDatabase) }
        let pairs = zip(ofLog, ofDatabase).filter { $0 != 0 || $1 != 0 }
        return pairs.count { $0 == $1 } * 2 > pairs.count
    }

    /// The first byte of a leaf of a table.
    private static let leafOfTable: UInt8 = 13

    // MARK: Reading

    /// The first 32 bytes of a log.
    private struct Start {
        let pageSize: Int
        let isBigEndian: Bool
        let salts: [UInt8]
        let sums: Sums

        init?(_ bytes: [UInt8]) {
            guard bytes.count == headerLength, bytes[0..<3] == [0x37, 0x7F, 0x06], bytes[3] == 0x82 || bytes[3] == 0x83
            else { return nil }
            pageSize = Int(LogFile.number(bytes[8..<12]))
            guard (512...65_536).contains(pageSize), pageSize & (pageSize - 1) == 0 else { return nil }
            isBigEndian = bytes[3] == 0x83
            salts = Array(bytes[16..<24])
            var sums = Sums()
            sums.add(bytes[0..<24], isBigEndian: isBigEndian)
            guard sums.fits(bytes[24..<32]) else { return nil }
            self.sums = sums
        }
    }

    /// The two running sums of a log.
    private struct Sums {
        private var first: UInt32 = 0
        private var second: UInt32 = 0

        mutating func add(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) {
            bytes.withUnsafeBytes { buffer in
                var place = 0
                while place + 8 <= buffer.count {
                    let left = buffer.loadUnaligned(fromByteOffset: place, as: UInt32.self)
                    let right = buffer.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
                    first &+= (isBigEndian ? UInt32(bigEndian: left) : UInt32(littleEndian: left)) &+ second
                    second &+= (isBigEndian ? UInt32(bigEndian: right) : UInt32(littleEndian: right)) &+ first
                    place += 8
                }
            }
        }

        func fits(_ bytes: ArraySlice<UInt8>) -> Bool {
            LogFile.number(bytes.prefix(4)) == first && LogFile.number(bytes.dropFirst(4)) == second
        }
    }

    /// Reads the frames. Returns the place in the log at which the last committed content of each page begins.
    private mutating func readFrames(of file: CInt, _ start: Start, bytes size: Int) -> [Int: Int] {
        var sums = start.sums
        var (places, new): ([Int: Int], [Int: Int]) = ([:], [:])
        var (place, waiting) = (Self.headerLength, 0)
        var newPage: [UInt8]?
        let length = Self.frameLength + start.pageSize
        while place + length <= size {
            if place > Self.most {
                isLong = true
                break
            }
            let frame = Self.bytes(of: file, count: length, at: place)
            guard frame.count == length, frame[8..<16].elementsEqual(start.salts) else { break }
            sums.add(frame[0..<8], isBigEndian: start.isBigEndian)
            sums.add(frame[Self.frameLength...], isBigEndian: start.isBigEndian)
            guard sums.fits(frame[16..<24]) else { break }
            waiting += 1
            new[Int(Self.number(frame[0..<4]))] = place + Self.frameLength
            if Self.number(frame[0..<4]) == 1 {
                newPage = Array(frame[Self.frameLength...])
            }
            if Self.number(frame[4..<8]) != 0 {
                frames += waiting
                commits += 1
                lastSize = Int(Self.number(frame[4..<8]))
                waiting = 0
                firstPage = newPage ?? firstPage
                places.merge(new) { $1 }
                new = [:]
            }
            place += length
        }
        return places
    }

    private static func bytes(of file: CInt, count: Int, at offset: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = UnsafeMutableBufferPointer(rebasing: buffer[filled...])
                let got = pread(file, rest.baseAddress, rest.count, off_t(offset) + off_t(filled))
                if got < 0, errno == EINTR { continue }
                if got <= 0 { return }
                filled += got
            }
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }

    private static func count(_ pages: Int) -> String { pages == 1 ? "1 page" : "\(pages) pages" }

    /// `2026-11-23 05:10:00Z`.
    package static func time(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        guard gmtime_r(&time, &parts) != nil else { return "an unknown time" }
        func two(_ number: CInt) -> String { (number < 10 ? "0" : "") + String(number) }
        // A file may have any time.
        let date = "\(Int(parts.tm_year) + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }
}

/// What is wrong with a write-ahead log.
package struct LogProblem: Sendable, Hashable {
    /// The kind of the problem.
    package enum Kind: Sendable, Hashable {
        /// It belongs to another database, or to another time of this one.
        case foreign
        /// It has no committed change.
        case useless
        /// Its database is missing.
        case orphan
    }

    package let kind: Kind
    /// What is wrong, a predicate.
    package let reason: String
    package let log: LogFile

    /// A clause that says what is wrong, and what is lost when the log is removed.
    package var sentence: String {
        kind == .useless ? "\(reason): removing it loses nothing" : "\(reason); \(log.cost)"
    }
}
