import ChatDBEncryption
import GRDBSQLite
import Synchronization

/// The main file of an encrypted database, as SQLite has it open.
final class EncryptedMainFile {
    private let registered: RegisteredCodec
    private var codec: PageCodec { registered.codec }
    private let isWritten: Bool
    /// One page, for reads of a part of it, and for the encrypted form of a page.
    private let part: UnsafeMutableRawBufferPointer
    /// The page that did not fit last.
    private var changed: UInt32?
    /// Whether the connection has a lock, so that no other one writes.
    private var isLocked = false
    private var ahead: PagesAhead
    private let path: String
    /// The stamp of the file when SQLite took its last shared lock, and whether the file had another stamp at the lock
    /// before. Only for a connection that reads a database in WAL mode: a program in WAL mode writes the file in spite of
    /// the lock.
    private var stamp: FileStamp?
    private var isOtherThanBefore = false
    private var readsWALMode: Bool { registered.showsRollbackMode && !isWritten }
    /// Whether another program wrote the file after SQLite took its lock: pages may be of before and after.
    private var wasWritten: Bool { readsWALMode && isLocked && stamp?.isValid != true }

    private init(_ registered: RegisteredCodec, _ path: String, writing isWritten: Bool) {
        (self.registered, self.path, self.isWritten) = (registered, path, isWritten)
        part = .allocate(byteCount: registered.codec.pageSize, alignment: 16)
        ahead = PagesAhead(registered.codec)
    }

    deinit { part.deallocate() }

    /// Begins a file whose part of the system is open.
    static func begin(
        _ file: WrappedFile.Handle, _ codec: RegisteredCodec, _ path: UnsafePointer<CChar>?, writing: Bool
    ) {
        let object = EncryptedMainFile(codec, path.map { String(cString: $0) } ?? "", writing: writing)
        WrappedFile.begin(file, writing ? writingMethods : readingMethods, object)
    }

    /// See `CodecVFS.changedPage(of:)`.
    static func changedPage(of file: WrappedFile.Handle) -> UInt32? {
        guard let main = object(of: file) else { return nil }
        defer { main.changed = nil }
        return main.changed
    }

    /// See `CodecVFS.refusal(of:)`.
    static func refusal(of file: WrappedFile.Handle) -> String? { object(of: file)?.registered.takeRefusal() }

    /// See `CodecVFS.pathWrittenMeanwhile(by:)`.
    static func pathWrittenMeanwhile(_ file: WrappedFile.Handle) -> String? {
        guard let main = object(of: file), main.readsWALMode, main.stamp?.isValid != true else { return nil }
        return main.path
    }

    /// The encrypted bytes of an open file, and their codec; nil for any other file.
    static func pages(of file: WrappedFile.Handle?) -> (file: EncryptedPages, codec: PageCodec)? {
        guard let file, let main = object(of: file), let system = WrappedFile.system(file)?.file else { return nil }
        return (EncryptedPages(system, pageSize: main.codec.pageSize), main.codec)
    }

    private static func object(of file: WrappedFile.Handle) -> EncryptedMainFile? {
        guard let methods = file.pointee.pMethods,
            methods == UnsafePointer(readingMethods) || methods == UnsafePointer(writingMethods)
        else { return nil }
        return WrappedFile.object(file, EncryptedMainFile.self)
    }

    // Nothing changes the functions after they are made.
    nonisolated(unsafe) private static let readingMethods = WrappedFile.methods { methods in
        methods.xRead = read
        methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
        methods.xTruncate = { _, _ in SQLITE_READONLY }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xLock = lock
        methods.xUnlock = unlock
    }

    nonisolated(unsafe) private static let writingMethods = WrappedFile.methods { methods in
        methods.xRead = read
        methods.xWrite = write
        methods.xTruncate = truncate
        methods.xLock = lock
        methods.xUnlock = unlock
        // A file system that writes atomically would make SQLite keep its journal in memory, and write the pages of the
        // journal later in other pieces.
        methods.xDeviceCharacteristics = { file in
            WrappedFile.system(file).map {
                $0.methods.xDeviceCharacteristics($0.file) & SQLITE_IOCAP_POWERSAFE_OVERWRITE
            } ?? 0
        }
    }

    // MARK: Reading

    private static let read:
        @convention(c) (WrappedFile.Handle?, UnsafeMutableRawPointer?, CInt, sqlite3_int64) -> CInt = {
            file, buffer, count, offset in
            guard let system = WrappedFile.system(file), let buffer,
                let main = WrappedFile.object(file, EncryptedMainFile.self)
            else { return SQLITE_IOERR }
            return main.read(system, UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), offset)
        }

    /// Reads a part of a page, or a page. SQLite never reads beyond the end of one.
    private func read(
        _ system: WrappedFile.System, _ buffer: UnsafeMutableRawBufferPointer, _ offset: Int64
    ) -> CInt {
        let size = Int64(codec.pageSize)
        let (number, start) = (offset / size + 1, Int(offset % size))
        guard start + buffer.count <= size, let number = UInt32(exactly: number) else { return SQLITE_IOERR }
        let isWhole = buffer.count == size
        let page = isWhole ? buffer : part
        let isAhead = isWhole && isLocked && ahead.take(number, into: buffer, system)
        var code = isAhead ? SQLITE_OK : load(number, system, into: page)
        if wasWritten { return IOCode.writtenMeanwhile }
        if code == SQLITE_CORRUPT {
            if isWritten, offset == 0, !isWhole {
                // SQLite reads the header before it locks the file and rolls its journal back. Until then, the page may
                // be torn. After that, SQLite reads the whole page.
                page.initializeMemory(as: UInt8.self, repeating: 0)
                page.copyBytes(from: header)
                code = SQLITE_OK
            } else {
                changed = number
                registered.changedPage.store(number, ordering: .relaxed)
            }
        }
        if !isWhole { buffer.copyBytes(from: page[start..<start + buffer.count]) }
        if code == SQLITE_OK, !isWhole, offset == Self.versionOffset, isOtherThanBefore {
            for index in buffer.indices { buffer[index] = ~buffer[index] }
        }
        return code
    }

    /// The place of the numbers of the file that SQLite compares with those it has read, at the beginning of a
    /// transaction. If they differ, it empties its cache. A program in WAL mode need not change them when it writes.
    private static let versionOffset: Int64 = 24

    /// SQLite reads the header of a file without a lock, so a page may be half written then.
    private static let attempts = 5

    private func load(
        _ number: UInt32, _ system: WrappedFile.System, into page: UnsafeMutableRawBufferPointer
    ) -> CInt {
        let place = Int64(number - 1) * Int64(codec.pageSize)
        for _ in 0..<Self.attempts {
            let code = system.methods.xRead(system.file, page.baseAddress, CInt(codec.pageSize), place)
            // Behind the end of the file SQLite expects zeros and this code. It takes a part of a page for content, and
            // that part is encrypted.
            if code == IOCode.shortRead, page.contains(where: { $0 != 0 }) { continue }
            guard code == SQLITE_OK else { return code }
            guard (try? codec.decrypt(page, number: number)) != nil else { continue }
            if number == 1, registered.showsRollbackMode {
                // The versions of the format for writing and for reading: 2 is WAL mode.
                for place in 18...19 where page[place] == 2 { page[place] = 1 }
            }
            return SQLITE_OK
        }
        return SQLITE_CORRUPT
    }

    // MARK: Locks

    private static let lock: @convention(c) (WrappedFile.Handle?, CInt) -> CInt = { file, level in
        guard let system = WrappedFile.system(file), let main = WrappedFile.object(file, EncryptedMainFile.self) else {
            return SQLITE_IOERR
        }
        let code = system.methods.xLock(system.file, level)
        if code == SQLITE_OK {
            main.isLocked = true
            if level == SQLITE_LOCK_SHARED, main.readsWALMode { main.takeStamp() }
        }
        return code
    }

    private func takeStamp() {
        let now = FileStamp(of: path)
        isOtherThanBefore = now == nil || now != stamp
        stamp = now
    }

    private static let unlock: @convention(c) (WrappedFile.Handle?, CInt) -> CInt = { file, level in
        guard let system = WrappedFile.system(file), let main = WrappedFile.object(file, EncryptedMainFile.self) else {
            return SQLITE_IOERR
        }
        if level == SQLITE_LOCK_NONE {
            main.isLocked = false
            main.ahead.forgetAll()
        }
        return system.methods.xUnlock(system.file, level)
    }

    // MARK: Writing

    private static let write: @convention(c) (WrappedFile.Handle?, UnsafeRawPointer?, CInt, sqlite3_int64) -> CInt = {
        file, buffer, count, offset in
        guard let system = WrappedFile.system(file), let buffer,
            let main = WrappedFile.object(file, EncryptedMainFile.self)
        else { return SQLITE_IOERR }
        return main.write(system, UnsafeRawBufferPointer(start: buffer, count: Int(count)), offset)
    }

    /// Writes a page. SQLite never writes a part of one.
    private func write(_ system: WrappedFile.System, _ content: UnsafeRawBufferPointer, _ offset: Int64) -> CInt {
        let size = Int64(codec.pageSize)
        guard content.count == size, offset % size == 0, let number = UInt32(exactly: offset / size + 1) else {
            return registered.refuse("the page size of an encrypted database cannot be changed")
        }
        if let why = misfit(content, number) { return registered.refuse(why) }
        ahead.forget(number)
        part.copyMemory(from: content)
        guard (try? codec.encrypt(part, number: number)) != nil else {
            return registered.refuse("a page could not be encrypted")
        }
        return system.methods.xWrite(system.file, part.baseAddress, CInt(size), offset)
    }

    private static let truncate: @convention(c) (WrappedFile.Handle?, sqlite3_int64) -> CInt = { file, size in
        guard let system = WrappedFile.system(file), let main = WrappedFile.object(file, EncryptedMainFile.self) else {
            return SQLITE_IOERR
        }
        main.ahead.forgetAll()
        return system.methods.xTruncate(system.file, size)
    }

    /// Why a page cannot be written, whose content would not be read again otherwise; nil when it can. A page has no
    /// content in the bytes that encryption takes, and the first one has the header of a database of this form.
    private func misfit(_ page: UnsafeRawBufferPointer, _ number: UInt32) -> String? {
        guard page.suffix(codec.format.reserved).allSatisfy({ $0 == 0 }) else {
            return "a page has content in the bytes at its end that encryption needs"
        }
        if number > 1 { return nil }
        // A database may reserve more: one in the format of SQLCipher 3 that SQLCipher 4 has made does.
        let (header, reserved) = (header, header.count - 1)
        guard page.starts(with: header[..<reserved]), page[reserved] >= header[reserved] else {
            return "the page size and the journal mode of an encrypted database cannot be changed"
        }
        return nil
    }

    /// The beginning of the first page: the name of the format, the page size, rollback mode for writing and for
    /// reading, and the reserved bytes.
    private var header: [UInt8] {
        let size = [UInt8(truncatingIfNeeded: codec.pageSize >> 8), UInt8(truncatingIfNeeded: codec.pageSize >> 16)]
        return Array("SQLite format 3\0".utf8) + size + [1, 1, UInt8(codec.format.reserved)]
    }
}
