import CChatDBSQLite
import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite
import Synchronization

/// A virtual file system of SQLite that decrypts pages as SQLite reads them. It writes nothing, makes no file, and
/// deletes none; everything else the system's own VFS does, its locks too. So no plain text gets into a file.
///
/// A URI chooses it with `vfs=` and names the codec by a number: a URI can be seen in a message, a key must not.
enum DecryptingVFS {
    static let name = "chatdb-decrypting"

    private static let codecs = Mutex<(next: Int, byNumber: [Int: RegisteredCodec])>((1, [:]))

    /// Parameters of a URI that decrypt with a codec as long as the registration lives.
    final class Registration: Sendable {
        let parameters: String
        private let number: Int
        private let registered: RegisteredCodec

        /// The page that did not fit when a connection with these parameters read last; nil if all fitted. Asking
        /// clears it.
        var changedPage: UInt32? {
            let page = registered.changedPage.exchange(0, ordering: .relaxed)
            return page == 0 ? nil : page
        }

        init(_ codec: PageCodec) {
            let registered = RegisteredCodec(codec)
            self.registered = registered
            number = codecs.withLock { codecs in
                defer { codecs.next += 1 }
                codecs.byNumber[codecs.next] = registered
                return codecs.next
            }
            parameters = "mode=ro&vfs=\(DecryptingVFS.name)&codec=\(number)"
        }

        deinit {
            let number = number
            codecs.withLock { codecs in codecs.byNumber[number] = nil }
        }
    }

    /// Whether SQLite has this VFS. It is registered once, and never as the default.
    static let isRegistered: Bool = {
        guard let system = sqlite3_vfs_find(nil) else { return false }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.pNext = nil
        vfs.pointee.szOsFile = CInt(DecryptedFile.length) + system.pointee.szOsFile
        vfs.pointee.xOpen = open
        vfs.pointee.xDelete = { _, _, _ in SQLITE_READONLY }
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
    }()

    /// Throws unless a connection reads its database through this VFS.
    static func requireUse(by queue: DatabaseQueue) throws(StoreError) {
        let isUsed = queue.unsafeReentrantRead { database in
            var vfs: UnsafeMutablePointer<sqlite3_vfs>?
            let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_VFS_POINTER, &vfs)
            return code == SQLITE_OK && vfs?.pointee.zName.map { String(cString: $0) } == name
        }
        if !isUsed { throw StoreError(.other, "SQLite does not decrypt the database") }
    }

    /// The page whose authentication code did not fit when a connection read last, by its number; nil if all fitted, and
    /// for a plain database. Asking clears it.
    static func changedPage(of connection: OpaquePointer?) -> UInt32? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file
        else { return nil }
        return DecryptedFile.changedPage(of: file)
    }

    /// The file and the codec of a connection that reads its database through this VFS. They are valid as long as the
    /// connection is open.
    static func file(of database: Database) -> (file: EncryptedPages, codec: PageCodec)? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return code == SQLITE_OK ? DecryptedFile.pages(of: file) : nil
    }

    /// Opens the main database decrypting, and its journal as it is: SQLite only looks whether there is something to
    /// roll back. It opens no other file.
    private static let open:
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, CInt,
            UnsafeMutablePointer<CInt>?
        ) -> CInt = { _, path, file, flags, outFlags in
            guard let file, let system = sqlite3_vfs_find(nil), let systemOpen = system.pointee.xOpen else {
                return SQLITE_CANTOPEN
            }
            file.pointee.pMethods = nil
            guard flags & (SQLITE_OPEN_CREATE | SQLITE_OPEN_READWRITE) == 0 else { return SQLITE_READONLY }
            guard flags & SQLITE_OPEN_MAIN_DB != 0 else { return systemOpen(system, path, file, flags, outFlags) }
            guard let text = sqlite3_uri_parameter(path, "codec"), let number = Int(String(cString: text)),
                let codec = codecs.withLock({ codecs in codecs.byNumber[number] })
            else { return SQLITE_CANTOPEN }
            let code = systemOpen(system, path, DecryptedFile.system(of: file), flags, outFlags)
            if code == SQLITE_OK { DecryptedFile.begin(file, decryptingWith: codec) }
            return code
        }
}

/// A codec that a URI names.
private final class RegisteredCodec: Sendable {
    let codec: PageCodec
    /// The page that did not fit last; 0 for none.
    let changedPage = Atomic<UInt32>(0)

    init(_ codec: PageCodec) { self.codec = codec }
}

/// A file of the VFS: SQLite's part, the codec, and behind them the file of the system's VFS.
private enum DecryptedFile {
    private struct Beginning {
        var base: sqlite3_file
        var pages: Unmanaged<Pages>
    }

    /// Bytes before the system's file, which needs the alignment of a pointer.
    static let length = (MemoryLayout<Beginning>.stride + 15) & ~15

    /// What decrypts the pages of one open file.
    private final class Pages {
        let registered: RegisteredCodec
        var codec: PageCodec { registered.codec }
        /// One page, for reads of a part of it.
        let part: UnsafeMutableRawBufferPointer
        /// The page that did not fit last.
        var changed: UInt32?

        init(_ registered: RegisteredCodec) {
            self.registered = registered
            part = .allocate(byteCount: registered.codec.pageSize, alignment: 16)
        }

        deinit { part.deallocate() }
    }

    static func begin(_ file: UnsafeMutablePointer<sqlite3_file>, decryptingWith codec: RegisteredCodec) {
        UnsafeMutableRawPointer(file).initializeMemory(
            as: Beginning.self,
            to: Beginning(base: sqlite3_file(pMethods: UnsafePointer(methods)), pages: .passRetained(Pages(codec))))
    }

    /// See `DecryptingVFS.changedPage(of:)`.
    static func changedPage(of file: UnsafeMutablePointer<sqlite3_file>) -> UInt32? {
        guard file.pointee.pMethods == UnsafePointer(methods), let pages = pages(file)?.takeUnretainedValue() else {
            return nil
        }
        defer { pages.changed = nil }
        return pages.changed
    }

    static func system(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        (UnsafeMutableRawPointer(file) + length).assumingMemoryBound(to: sqlite3_file.self)
    }

    /// The encrypted bytes of an open file of this VFS, and their codec; nil for any other file.
    static func pages(of file: UnsafeMutablePointer<sqlite3_file>?) -> (file: EncryptedPages, codec: PageCodec)? {
        guard file?.pointee.pMethods == UnsafePointer(methods), let system = system(file)?.file,
            let codec = pages(file)?.takeUnretainedValue().codec
        else { return nil }
        return (EncryptedPages(system, pageSize: codec.pageSize), codec)
    }

    /// The file of the system's VFS and its functions.
    private static func system(
        _ file: UnsafeMutablePointer<sqlite3_file>?
    ) -> (file: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods)? {
        guard let file else { return nil }
        let system = system(of: file)
        return system.pointee.pMethods.map { (system, $0.pointee) }
    }

    private static func pages(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Unmanaged<Pages>? {
        file.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Beginning.self).pointee.pages }
    }

    /// Version 1 of SQLite's interface: without shared memory and memory maps, so never in WAL mode.
    nonisolated(unsafe) private static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        var methods = sqlite3_io_methods()
        methods.iVersion = 1
        methods.xClose = { file in
            guard let system = system(file) else { return SQLITE_OK }
            defer { pages(file)?.release() }
            return system.methods.xClose(system.file)
        }
        methods.xRead = { file, buffer, count, offset in read(file, buffer, Int(count), offset) }
        methods.xWrite = { _, _, _, _ in SQLITE_READONLY }
        methods.xTruncate = { _, _ in SQLITE_READONLY }
        methods.xSync = { _, _ in SQLITE_OK }
        methods.xFileSize = { file, size in
            system(file).map { $0.methods.xFileSize($0.file, size) } ?? SQLITE_IOERR
        }
        methods.xLock = { file, lock in system(file).map { $0.methods.xLock($0.file, lock) } ?? SQLITE_IOERR }
        methods.xUnlock = { file, lock in
            system(file).map { $0.methods.xUnlock($0.file, lock) } ?? SQLITE_IOERR
        }
        methods.xCheckReservedLock = { file, isReserved in
            system(file).map { $0.methods.xCheckReservedLock($0.file, isReserved) }
                ?? SQLITE_IOERR
        }
        methods.xFileControl = { file, operation, argument in
            system(file).map { $0.methods.xFileControl($0.file, operation, argument) } ?? SQLITE_NOTFOUND
        }
        methods.xSectorSize = { file in system(file).map { $0.methods.xSectorSize($0.file) } ?? 4_096 }
        methods.xDeviceCharacteristics = { file in
            system(file).map { $0.methods.xDeviceCharacteristics($0.file) } ?? 0
        }
        let memory = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        memory.initialize(to: methods)
        return memory
    }()

    /// Reads a part of a page, or a page. SQLite never reads beyond the end of one.
    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeMutableRawPointer?, _ count: Int, _ offset: Int64
    ) -> CInt {
        guard let system = system(file), let buffer, let pages = pages(file)?.takeUnretainedValue() else {
            return SQLITE_IOERR
        }
        let size = Int64(pages.codec.pageSize)
        let (number, start) = (offset / size + 1, Int(offset % size))
        guard start + count <= size, let number = UInt32(exactly: number) else { return SQLITE_IOERR }
        let isWhole = start == 0 && count == size
        let page = isWhole ? UnsafeMutableRawBufferPointer(start: buffer, count: count) : pages.part
        let code = load(number, system, pages.codec, into: page)
        if code == SQLITE_CORRUPT {
            pages.changed = number
            pages.registered.changedPage.store(number, ordering: .relaxed)
        }
        if !isWhole {
            UnsafeMutableRawBufferPointer(start: buffer, count: count).copyBytes(from: page[start..<start + count])
        }
        return code
    }

    /// SQLite reads the header of a file without a lock, so a page may be half written then.
    private static let attempts = 5

    private static func load(
        _ number: UInt32, _ system: (file: UnsafeMutablePointer<sqlite3_file>, methods: sqlite3_io_methods),
        _ codec: PageCodec, into page: UnsafeMutableRawBufferPointer
    ) -> CInt {
        let place = Int64(number - 1) * Int64(codec.pageSize)
        for _ in 0..<attempts {
            // Behind the end of the file SQLite expects zeros and this code.
            let code = system.methods.xRead(system.file, page.baseAddress, CInt(codec.pageSize), place)
            guard code == SQLITE_OK else { return code }
            if (try? codec.decrypt(page, number: number)) != nil { return SQLITE_OK }
        }
        return SQLITE_CORRUPT
    }
}
