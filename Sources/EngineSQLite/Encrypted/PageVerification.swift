import CChatDBSQLite
import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Verifies every page of an encrypted database, on all processors. SQLite itself reads only pages with content, and
/// takes a page of zeros as it is.
///
/// The pages are read through the file that SQLite has open, under its shared lock, so that no other program writes
/// meanwhile, except one that has the database open in WAL mode.
final class PageVerification: Sendable {
    /// The pages that one thread reads at once.
    private static let pagesAtOnce: Int64 = 64

    private let file: EncryptedPages
    private let codec: PageCodec
    private let pages: Int64
    private let free: PageSet
    private let isStopped: @Sendable () -> Bool
    private let damaged = Mutex(DamagedPages())

    /// A verification of the database of a connection, inside a transaction; nil if the database is not encrypted.
    init?(of database: Database, stoppedWhen isStopped: @escaping @Sendable () -> Bool) throws {
        // These statements take the shared lock, which the transaction keeps.
        pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let freePages = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        guard let (file, codec) = CodecVFS.file(of: database) else { return nil }
        (self.file, self.codec, self.isStopped) = (file, codec, isStopped)
        free = try freePages > 0 ? FreePages(file, codec, of: pages).leaves() : PageSet(0)
    }

    /// A verification of a database that SQLite cannot read, and does not have open in this process.
    init(
        of file: EncryptedFile, at path: String, _ codec: PageCodec, pages: Int64,
        stoppedWhen isStopped: @escaping @Sendable () -> Bool
    ) throws(StoreError) {
        do throws(FileReadingError) {
            try file.lock()
        } catch {
            throw StoreError(encrypted: error, path)
        }
        self.file = EncryptedPages(file, pageSize: codec.pageSize)
        (self.codec, self.pages, self.isStopped) = (codec, pages, isStopped)
        free = try FreePages(self.file, codec, of: pages).leaves()
    }

    /// The damaged pages.
    func run() throws(StoreError) -> DamagedPages {
        let portions = PagePortions(of: pages, pagesAtOnce: Self.pagesAtOnce, stoppedWhen: isStopped)
        try portions.forEach { portion throws(StoreError) in
            let buffer = PageBuffer(portion, pageSize: self.codec.pageSize)
            try self.file.read(portion, into: buffer.bytes)
            var found = DamagedPages()
            for page in portion {
                if let damage = try self.damage(page, buffer[page]) { found.add(damage) }
            }
            self.damaged.withLock { $0.add(found) }
        }
        return damaged.withLock { $0 }
    }

    /// The damage of a page; nil if it is in order.
    private func damage(_ page: Int64, _ bytes: UnsafeMutableRawBufferPointer) throws(StoreError) -> DamagedPages.Page?
    {
        guard let number = UInt32(exactly: page), page != file.lockPage else { return nil }
        if bytes.isZero { return free.contains(page) ? nil : DamagedPages.Page(number: page, isZeroed: true) }
        if codec.isAuthentic(UnsafeRawBufferPointer(bytes), number: number) { return nil }
        // Nothing writes under the lock, except a program that has opened a database in WAL mode.
        try file.read(page...page, into: bytes)
        return codec.isAuthentic(UnsafeRawBufferPointer(bytes), number: number)
            ? nil : DamagedPages.Page(number: page, isZeroed: false)
    }
}

/// The encrypted pages of a file.
final class EncryptedPages: Sendable {
    private enum Source: Sendable {
        /// The address of a file that SQLite has open.
        case sqlite(UInt)
        /// A file that SQLite does not have open.
        case file(EncryptedFile)
    }

    private let pageSize: Int
    private let source: Source
    /// Held while SQLite reads: some builds of it move the position of the file first.
    private let reading = Mutex<Void>(())

    init(_ file: UnsafeMutablePointer<sqlite3_file>, pageSize: Int) {
        (self.pageSize, source) = (pageSize, .sqlite(UInt(bitPattern: file)))
    }

    init(_ file: EncryptedFile, pageSize: Int) {
        (self.pageSize, source) = (pageSize, .file(file))
    }

    /// The page with the bytes that SQLite locks: it is never written.
    var lockPage: Int64 { 0x4000_0000 / Int64(pageSize) + 1 }

    /// Reads pages that follow each other. Behind the end of the file are zeros.
    func read(_ pages: ClosedRange<Int64>, into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) {
        let (count, start) = (pages.count * pageSize, (pages.lowerBound - 1) * Int64(pageSize))
        let isRead: Bool
        switch source {
        case .sqlite(let address):
            let code = reading.withLock { _ in
                UnsafeMutablePointer<sqlite3_file>(bitPattern: address).map {
                    $0.pointee.pMethods.pointee.xRead($0, buffer.baseAddress, CInt(count), start)
                }
            }
            isRead = code == SQLITE_OK || code == IOCode.shortRead
        case .file(let file):
            isRead = (try? file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), at: start)) != nil
        }
        if !isRead {
            throw StoreError(.inputOutput, "page \(pages.lowerBound) or a page after it cannot be read")
        }
    }
}

/// The list of free pages of a database.
struct FreePages {
    private let file: EncryptedPages
    private let codec: PageCodec
    private let pages: Int64

    init(_ file: EncryptedPages, _ codec: PageCodec, of pages: Int64) {
        (self.file, self.codec, self.pages) = (file, codec, pages)
    }

    /// The leaves of the list, whose content SQLite never reads and need not have written. A trunk has the numbers of
    /// leaves and of the next trunk. A damaged trunk ends the walk.
    func leaves() throws(StoreError) -> PageSet {
        var found = PageSet(pages)
        let page = UnsafeMutableRawBufferPointer.allocate(byteCount: codec.pageSize, alignment: 16)
        defer { page.deallocate() }
        guard try read(1, into: page) else { return found }
        var (trunk, left) = (page.number(at: 32), pages)
        while trunk > 0, trunk <= pages, left > 0 {
            guard try read(trunk, into: page) else { break }
            let count = min(page.number(at: 4), Int64(codec.pageSize - codec.format.reserved) / 4 - 2)
            for index in 0..<count { found.insert(page.number(at: 8 + Int(index) * 4)) }
            (trunk, left) = (page.number(at: 0), left - 1)
        }
        return found
    }

    private func read(_ number: Int64, into page: UnsafeMutableRawBufferPointer) throws(StoreError) -> Bool {
        guard let place = UInt32(exactly: number) else { return false }
        try file.read(number...number, into: page)
        return (try? codec.decrypt(page, number: place)) != nil
    }
}

/// A set of pages of a database, with a bit for each.
struct PageSet {
    private var bits: [UInt64]
    private let pages: Int64

    init(_ pages: Int64) {
        self.pages = pages
        bits = Array(repeating: 0, count: pages > 0 ? Int(pages / 64) + 1 : 0)
    }

    func contains(_ page: Int64) -> Bool { page <= pages && bits[Int(page / 64)] & 1 << UInt64(page % 64) != 0 }

    mutating func insert(_ page: Int64) {
        if page > 0, page <= pages { bits[Int(page / 64)] |= 1 << UInt64(page % 64) }
    }
}

extension UnsafeMutableRawBufferPointer {
    /// Whether all bytes are zeros.
    var isZero: Bool { allSatisfy { $0 == 0 } }

    /// Four bytes, big-endian.
    fileprivate func number(at offset: Int) -> Int64 {
        Int64(UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
    }
}
