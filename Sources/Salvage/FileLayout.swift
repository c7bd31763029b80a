/// The facts of a database file that are needed to read its pages. They come from the header. If the header is damaged,
/// they are guessed from the pages.
package struct FileLayout: Sendable, Hashable {
    /// The encoding of texts.
    package enum Encoding: Int, Sendable, Hashable, CaseIterable {
        case utf8 = 1
        case utf16LittleEndian
        case utf16BigEndian

        /// The name in `PRAGMA encoding`.
        package var name: String {
            switch self {
            case .utf8: "UTF-8"
            case .utf16LittleEndian: "UTF-16le"
            case .utf16BigEndian: "UTF-16be"
            }
        }
    }

    /// Bytes per page: a power of two from 512 to 65536.
    package internal(set) var pageSize: Int
    /// The bytes at the end of each page that SQLite does not use.
    package internal(set) var reserved: Int
    package internal(set) var encoding: Encoding
    /// 0 for none, 1 for full and 2 for incremental, as in `PRAGMA auto_vacuum`.
    package internal(set) var autoVacuum = 0
    package internal(set) var userVersion: Int32 = 0
    package internal(set) var applicationID: Int32 = 0
    package internal(set) var usesWriteAheadLog = false
    /// The first trunk page of the freelist; 0 if the freelist is empty.
    package internal(set) var firstFreePage = 0
    /// The number of free pages.
    package internal(set) var freePageCount = 0
    /// The number of pages. It is nil if the header does not have it.
    package internal(set) var statedPages: Int?
    /// Whether the facts that no page shows (such as the application id) come from the header.
    package internal(set) var hasMarks = false
    /// Whether the header is damaged, so that the page size or the encoding was guessed.
    package internal(set) var isGuessed = false

    /// The bytes of each page that SQLite uses.
    package var usable: Int { pageSize - reserved }

    private static let magic = Array("SQLite format 3\0".utf8)
    static let sizes = (9...16).map { 1 << $0 }

    /// Reads the layout from the header. Answers nil if the header cannot be right.
    init?(header bytes: [UInt8]) {
        guard bytes.count >= 100 else { return nil }
        let view = PageBytes(bytes)
        let number = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = number == 1 ? 65_536 : number
        reserved = Int(bytes[20])
        guard Self.sizes.contains(pageSize), pageSize - reserved >= 480 else { return nil }
        encoding = Encoding(rawValue: view.word(56) ?? 0) ?? .utf8
        isGuessed = !bytes.starts(with: Self.magic) || Encoding(rawValue: view.word(56) ?? 0) == nil
        // A header of zeros or noise may have a size that is possible.
        if Self.isLikeMagic(bytes) { readRest(of: view) }
    }

    /// A layout with a guessed page size.
    init(guessed pageSize: Int, header bytes: [UInt8]) {
        self.pageSize = pageSize
        reserved = 0
        encoding = .utf8
        isGuessed = true
        if bytes.count >= 100, Self.isLikeMagic(bytes) { readRest(of: PageBytes(bytes)) }
    }

    /// Whether at most a few of the first bytes were changed, so that the rest of the header may be right.
    private static func isLikeMagic(_ bytes: [UInt8]) -> Bool {
        zip(bytes, magic).count { $0 == $1 } >= 8 || PageBytes(bytes).slice(21, 3).map(Array.init) == [64, 32, 32]
    }

    /// Reads the facts that are not needed to read pages.
    private mutating func readRest(of header: PageBytes) {
        if (header.word(52) ?? 0) > 0 { autoVacuum = (header.word(64) ?? 0) > 0 ? 2 : 1 }
        userVersion = Int32(truncatingIfNeeded: header.word(60) ?? 0)
        applicationID = Int32(truncatingIfNeeded: header.word(68) ?? 0)
        firstFreePage = header.word(32) ?? 0
        freePageCount = header.word(36) ?? 0
        // The number counts only if the same commit wrote it and the change counter.
        if let pages = header.word(28), pages > 0, header.word(24) == header.word(92) { statedPages = pages }
        hasMarks = true
        usesWriteAheadLog = header.byte(18) == 2
    }

    /// The page that SQLite uses for locks, and for nothing else.
    package var lockPage: Int { 0x4000_0000 / pageSize + 1 }

    /// Whether a page is a pointer map page, which only auto-vacuum needs.
    package func isPointerMap(_ page: Int) -> Bool {
        guard autoVacuum != 0, page >= 2 else { return false }
        let group = usable / 5 + 1
        var map = (page - 2) / group * group + 2
        if map == lockPage { map += 1 }
        return page == map
    }
}

extension FileLayout {
    /// The most likely page size of a file: the one with which most of the first pages are pages of trees.
    ///
    /// - Returns: the size, and the share of the first pages that are pages of trees.
    static func guessedPageSize(_ file: RawFile) -> (size: Int, score: Double) {
        var best = (size: 4096, score: 0.0)
        for size in sizes where Int64(size) <= file.size {
            let score = score(ofSize: size, file)
            if score > best.score { best = (size, score) }
        }
        return best
    }

    /// The share of the first pages that are pages of trees, if the pages have this size.
    ///
    /// With a size that is twice too large, a page has no cells in its second half. With a size that is too small,
    /// every second page begins in the middle of a real page.
    private static func score(ofSize size: Int, _ file: RawFile) -> Double {
        let count = Int(min(64, file.size / Int64(size)))
        guard count > 0 else { return 0 }
        let found = (1...count).count { number in
            guard let bytes = file.bytes(size, at: Int64(number - 1) * Int64(size)),
                let page = BTreePage(bytes, number: number, usable: size), page.isSound
            else { return false }
            let offsets = (0..<page.cellCount).compactMap { page.cellOffset($0) }
            return offsets.max().map { $0 >= size / 2 } ?? true
        }
        return Double(found) / Double(count)
    }

    /// The page size that fits the file clearly better than that of the header. It is nil if the header's size fits.
    func betterPageSize(_ file: RawFile) -> Int? {
        func isWhole(_ size: Int) -> Bool { statedPages.map { Int64($0) * Int64(size) == file.size } ?? false }
        if isWhole(pageSize) { return nil }
        let (guess, score) = Self.guessedPageSize(file)
        let own = Self.score(ofSize: pageSize, file)
        guard guess != pageSize, score > own else { return nil }
        return isWhole(guess) || score >= 0.2 && score >= own * 1.5 ? guess : nil
    }

    /// Whether the header says that the ends of pages are not used, and the pages have rows there.
    func usesReservedBytes(_ file: RawFile) -> Bool {
        guard reserved > 0 else { return false }
        let (stated, none) = (brokenPages(file, usable), brokenPages(file, pageSize))
        return stated.broken * 4 >= stated.all && stated.broken > none.broken * 2
    }

    /// The pages of trees among the first pages, and how many of them have a cell that cannot be right if SQLite uses
    /// this many bytes of each page.
    private func brokenPages(_ file: RawFile, _ usable: Int) -> (broken: Int, all: Int) {
        let pages = (1...64).compactMap { number in
            file.bytes(pageSize, at: Int64(number - 1) * Int64(pageSize))
                .flatMap { BTreePage($0, number: number, usable: usable) }
        }.filter { $0.cellCount > 0 }
        return (pages.count { page in (0..<page.cellCount).contains { page.cell($0) == nil } }, pages.count)
    }
}

extension FileLayout {
    /// Removes the marks of the database (such as its application id), which another file with this layout must not
    /// have.
    package mutating func clearMarks() {
        (autoVacuum, userVersion, applicationID, usesWriteAheadLog) = (0, 0, 0, false)
    }

    /// Sets the marks of a store of chatdb whose header was lost.
    package mutating func setMarks(applicationID: Int32) {
        (self.applicationID, usesWriteAheadLog, hasMarks) = (applicationID, true, true)
    }
}
