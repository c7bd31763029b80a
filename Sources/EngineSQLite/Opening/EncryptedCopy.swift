import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import GRDB

/// Copies the pages of an encrypted database as they are in its file. They are read through the file that SQLite has
/// open, under its shared lock: no other program writes meanwhile, and no lock is lost.
struct EncryptedCopy {
    /// The pages that are read at once.
    private static let pagesAtOnce: Int64 = 64
    /// The pages between two calls of `progress`.
    private static let pagesPerStep: Int64 = 4_096

    private let file: EncryptedPages
    private let pageSize: Int

    init(of file: EncryptedPages, _ codec: PageCodec) {
        (self.file, pageSize) = (file, codec.pageSize)
    }

    /// Copies what `source` sees into a new file for the owner alone. The copy is on the disk when this returns. The
    /// caller verifies it.
    func make(from source: Database, at target: String, progress: (Double) throws -> Void) throws {
        let isInside = source.isInsideTransaction
        if !isInside { try source.execute(sql: "BEGIN") }
        defer { if !isInside, source.isInsideTransaction { try? source.execute(sql: "ROLLBACK") } }
        let pages = try SQLiteErrors.mapped(in: source) {
            // This statement takes the shared lock, which the transaction keeps.
            try Int64.fetchOne(source, sql: "PRAGMA page_count") ?? 0
        }
        try NewFile.make(at: target)
        do {
            try write(pages, to: target, progress)
            try FileSync.file(target)
        } catch {
            // An incomplete copy must not be taken for a complete one.
            unlink(target)
            throw error
        }
    }

    private func write(_ pages: Int64, to target: String, _ progress: (Double) throws -> Void) throws {
        let output = open(target, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.current("\(target) cannot be written") }
        defer { close(output) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: Int(Self.pagesAtOnce) * pageSize, alignment: 16)
        defer { buffer.deallocate() }
        try progress(0)
        for first in stride(from: 1, through: pages, by: Int(Self.pagesAtOnce)) {
            let last = min(pages, first + Self.pagesAtOnce - 1)
            try file.read(first...last, into: buffer)
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<(Int(last - first + 1) * pageSize)])
            try FileCopy.write(bytes, to: output, target)
            if last % Self.pagesPerStep == 0 || last == pages { try progress(Double(last) / Double(pages)) }
        }
    }
}
