import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import Synchronization

/// Encrypts every page of an encrypted database again, with other keys, in a new file, and compares the files.
/// Rule: docs/encryption.md, "Changing the passphrase".
final class PageRewriting: Sendable {
    /// The pages that one thread has at once.
    static let pagesAtOnce: Int64 = 256

    private let file: EncryptedPages
    private let pages: Int64
    private let free: PageSet
    private let old: PageCodec
    private let new: PageCodec
    private let target: String
    private let pagesOfSync: Int64
    private let isStopped: @Sendable () -> Bool

    /// - Parameters:
    ///   - file: the database, locked, which this process does not have open otherwise.
    ///   - target: the path of the new file.
    ///   - pagesOfSync: the pages after which the disk begins to write, a multiple of ``pagesAtOnce``.
    init(
        of file: EncryptedFile, _ old: PageCodec, in target: String, _ new: PageCodec,
        pagesOfSync: Int64 = 16 * PageRewriting.pagesAtOnce, stoppedWhen isStopped: @escaping @Sendable () -> Bool
    ) throws(StoreError) {
        self.file = EncryptedPages(file, pageSize: old.pageSize)
        pages = file.size / Int64(old.pageSize)
        free = try FreePages(self.file, old, of: pages).leaves()
        (self.old, self.new, self.target) = (old, new, target)
        (self.pagesOfSync, self.isStopped) = (pagesOfSync, isStopped)
    }

    private var portions: PagePortions {
        PagePortions(of: pages, pagesAtOnce: Self.pagesAtOnce, stoppedWhen: isStopped)
    }

    /// Makes the new file. Throws for a page whose code does not fit.
    func write() throws(StoreError) {
        try NewFile.make(at: target)
        let output = open(target, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.current("\(target) cannot be written") }
        defer { close(output) }
        // The disk writes while the processors encrypt. Otherwise it would begin after the last page.
        let sync = EarlySync(of: target)
        try portions.forEach { portion throws(StoreError) in
            let buffer = PageBuffer(portion, pageSize: self.old.pageSize)
            try self.file.read(portion, into: buffer.bytes)
            for number in portion { try self.encrypt(buffer[number], number) }
            let place = (portion.lowerBound - 1) * Int64(self.old.pageSize)
            try FileCopy.write(UnsafeRawBufferPointer(buffer.bytes), to: output, at: place, self.target)
            if portion.upperBound % self.pagesOfSync == 0 { try sync.begin() }
        }
        try sync.end()
    }

    /// Reads both files, and throws unless each page of the new one has its code and the content of the old one.
    func verify() throws(StoreError) {
        let made: EncryptedFile
        do throws(FileReadingError) {
            made = try EncryptedFile(target)
        } catch {
            throw StoreError(encrypted: error, target)
        }
        guard made.size == pages * Int64(new.pageSize) else { throw differs(page: pages) }
        let copies = EncryptedPages(made, pageSize: new.pageSize)
        try portions.forEach { portion throws(StoreError) in
            let originals = PageBuffer(portion, pageSize: self.old.pageSize)
            let copy = PageBuffer(portion, pageSize: self.new.pageSize)
            try self.file.read(portion, into: originals.bytes)
            try copies.read(portion, into: copy.bytes)
            for number in portion { try self.compare(originals[number], copy[number], number) }
        }
    }

    /// Encrypts a page in place. A page that SQLite has never written stays one of zeros.
    private func encrypt(_ page: UnsafeMutableRawBufferPointer, _ number: Int64) throws(StoreError) {
        if number == file.lockPage || page.isZero && free.contains(number) {
            page.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        let place = UInt32(clamping: number)
        // Elsewhere a page of zeros has lost its content: encrypted again, it would hide that.
        guard !page.isZero, (try? old.decrypt(page, number: place)) != nil else {
            throw SQLiteErrors.changedPage(place, nil)
        }
        guard (try? new.encrypt(page, number: place)) != nil else {
            throw StoreError(.other, "page \(number) cannot be encrypted")
        }
    }

    private func compare(
        _ original: UnsafeMutableRawBufferPointer, _ copy: UnsafeMutableRawBufferPointer, _ number: Int64
    ) throws(StoreError) {
        if copy.isZero, number == file.lockPage || original.isZero && free.contains(number) { return }
        let place = UInt32(clamping: number)
        // The code of the original was verified when the page was copied.
        guard !copy.isZero, (try? new.decrypt(copy, number: place)) != nil,
            (try? old.decryptUnverified(original, number: place)) != nil,
            Self.areEqual(original, copy)
        else { throw differs(page: number) }
    }

    private static func areEqual(
        _ one: UnsafeMutableRawBufferPointer, _ other: UnsafeMutableRawBufferPointer
    ) -> Bool {
        guard let first = one.baseAddress, let second = other.baseAddress, one.count == other.count else {
            return false
        }
        return memcmp(first, second, one.count) == 0
    }

    private func differs(page: Int64) -> StoreError {
        StoreError(.inputOutput, "\(target) was not written as it is: page \(page) differs")
    }
}

/// Syncs a file while it is written.
private final class EarlySync: Sendable {
    private let path: String
    private let current = Mutex<BesideWork<Void>?>(nil)

    init(of path: String) { self.path = path }

    /// Begins a sync on a thread of its own, unless one runs. Throws the error of the one before: the system reports it
    /// only once.
    func begin() throws(StoreError) {
        try change { work in
            if let work, !work.hasEnded { return }
            try work?.wait()
            let path = self.path
            work = BesideWork { try FileSync.file(path) }
        }
    }

    /// Waits for the sync that runs. Throws its error.
    func end() throws(StoreError) {
        try change { try $0?.wait() }
    }

    private func change(_ body: (inout BesideWork<Void>?) throws -> Void) throws(StoreError) {
        do {
            try current.withLock { try body(&$0) }
        } catch {
            throw SQLiteErrors.storeError(error)
        }
    }
}
