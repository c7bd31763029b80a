import ChatDBEncryption
import Dispatch
import Foundation
import GRDBSQLite
import Synchronization

/// Decrypts pages on another processor before SQLite asks for them, while SQLite reads one page after the other, as it
/// does for a new index or a count.
///
/// It belongs to one open file, which one thread uses at a time. What it has is valid while the connection has a lock,
/// except for pages that the connection writes.
struct PagesAhead {
    private static let pagesAtOnce: Int64 = 64
    /// SQLite reads in order after this number of pages, each of which is a few pages behind the one before.
    private static let pagesInOrder = 4
    private static let largestStep: Int64 = 8
    private static let hasProcessors = ProcessInfo.processInfo.activeProcessorCount > 1

    /// Pages that were read at once, and what SQLite did with them.
    private struct Portion {
        let pages: DecryptedPages
        var taken = 0
        var written: Set<UInt32> = []
    }

    private let codec: PageCodec
    /// The thread that decrypts beside the one of SQLite.
    private let queue = DispatchQueue(label: "chatdb.pages-ahead")
    /// The portion from which SQLite reads, and the next one.
    private var portions: [Portion] = []
    private var last: UInt32 = 0
    private var inOrder = 0

    init(_ codec: PageCodec) { self.codec = codec }

    /// Copies a page that was decrypted ahead; returns false if the caller has to read it. Begins with the pages behind
    /// it if SQLite reads in order.
    mutating func take(
        _ number: UInt32, into page: UnsafeMutableRawBufferPointer, _ system: WrappedFile.System
    ) -> Bool {
        defer { last = number }
        if let index = portions.firstIndex(where: { $0.pages.numbers.contains(number) }) {
            if index > 0 { portions.removeFirst(index) }
        } else {
            let step = Int64(number) - Int64(last)
            inOrder = (1...Self.largestStep).contains(step) ? inOrder + 1 : 0
            guard Self.hasProcessors, inOrder >= Self.pagesInOrder, let pages = read(from: number, system) else {
                return false
            }
            forgetAll()
            portions = [Portion(pages: pages)]
        }
        portions[0].taken += 1
        if portions.count == 1, isReadInOrder(portions[0]), let pages = read(after: portions[0].pages, system) {
            portions.append(Portion(pages: pages))
        }
        guard !portions[0].written.contains(number) else { return false }
        return portions[0].pages.copy(number, to: page)
    }

    /// Whether SQLite took every other page of those behind it, and not only the first ones.
    private func isReadInOrder(_ portion: Portion) -> Bool {
        let passed = Int64(last) - Int64(portion.pages.numbers.lowerBound)
        return passed < Self.largestStep || Int64(portion.taken) * 2 > passed
    }

    /// The connection writes a page.
    mutating func forget(_ number: UInt32) {
        for index in portions.indices where portions[index].pages.numbers.contains(number) {
            portions[index].written.insert(number)
        }
    }

    /// Another connection may write from now on, or the size of the file changes.
    mutating func forgetAll() {
        for portion in portions { portion.pages.stop() }
        portions = []
    }

    private func read(after pages: DecryptedPages, _ system: WrappedFile.System) -> DecryptedPages? {
        let (next, isTooLarge) = pages.numbers.upperBound.addingReportingOverflow(1)
        return isTooLarge ? nil : read(from: next, system)
    }

    /// Reads pages up to the end of the file, and begins to decrypt them; nil if they cannot be read.
    private func read(from first: UInt32, _ system: WrappedFile.System) -> DecryptedPages? {
        let pageSize = Int64(codec.pageSize)
        var size: sqlite3_int64 = 0
        guard system.methods.xFileSize(system.file, &size) == SQLITE_OK,
            let last = UInt32(exactly: min(Int64(first) + Self.pagesAtOnce - 1, size / pageSize)), last >= first
        else { return nil }
        let pages = DecryptedPages(first...last, codec)
        let code = system.methods.xRead(
            system.file, pages.bytes.baseAddress, CInt(pages.bytes.count), Int64(first - 1) * pageSize)
        guard code == SQLITE_OK else { return nil }
        pages.begin(on: queue)
        return pages
    }
}

/// Pages that follow each other, which are verified and decrypted by another thread and by the one that needs them.
private final class DecryptedPages: Sendable {
    let numbers: ClosedRange<UInt32>
    /// The pages as they are in the file; then each one as it is decrypted, by the thread that took its index.
    nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer
    private let codec: PageCodec
    private let progress = Mutex(Progress())

    private struct Progress {
        /// The index of the first page that no thread has taken.
        var next = 0
        /// Whether the page at an index fits its code; nil as long as it is not decrypted.
        var results: [Bool?] = []
    }

    /// The caller fills the bytes before it begins.
    init(_ numbers: ClosedRange<UInt32>, _ codec: PageCodec) {
        (self.numbers, self.codec) = (numbers, codec)
        bytes = .allocate(byteCount: numbers.count * codec.pageSize, alignment: 16)
        progress.withLock { $0.results = Array(repeating: nil, count: numbers.count) }
    }

    deinit { bytes.deallocate() }

    func begin(on queue: DispatchQueue) {
        queue.async { while self.decryptNext() {} }
    }

    /// Both threads decrypt no further page after this.
    func stop() { progress.withLock { $0.next = $0.results.count } }

    /// Copies a page when it is decrypted; returns false if it does not fit its code. Until then, this thread decrypts
    /// pages too, so it never waits for a thread that has not begun.
    func copy(_ number: UInt32, to page: UnsafeMutableRawBufferPointer) -> Bool {
        let index = Int(number - numbers.lowerBound)
        while true {
            if let fits = progress.withLock({ $0.results[index] }) {
                if fits { page.copyMemory(from: UnsafeRawBufferPointer(self.page(index))) }
                return fits
            }
            if !decryptNext() { sched_yield() }
        }
    }

    /// Decrypts the next page that no thread has taken. Returns false after the last one.
    private func decryptNext() -> Bool {
        let index = progress.withLock { progress -> Int? in
            guard progress.next < progress.results.count else { return nil }
            defer { progress.next += 1 }
            return progress.next
        }
        guard let index else { return false }
        let fits = (try? codec.decrypt(page(index), number: numbers.lowerBound + UInt32(index))) != nil
        progress.withLock { $0.results[index] = fits }
        return true
    }

    private func page(_ index: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: bytes[index * codec.pageSize..<(index + 1) * codec.pageSize])
    }
}
