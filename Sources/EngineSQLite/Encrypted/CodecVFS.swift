import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite
import Synchronization

/// What the virtual file systems of SQLite for encrypted databases have in common. A URI chooses one with `vfs=` and
/// names the codec by a number: a URI can be seen in a message, a key must not.
enum CodecVFS {
    typealias Open =
        @convention(c) (
            UnsafeMutablePointer<sqlite3_vfs>?, UnsafePointer<CChar>?, UnsafeMutablePointer<sqlite3_file>?, CInt,
            UnsafeMutablePointer<CInt>?
        ) -> CInt

    private static let codecs = Mutex<[UInt64: RegisteredCodec]>([:])

    /// Parameters of a URI that choose a VFS and a codec as long as the registration lives.
    final class Registration: Sendable {
        let parameters: String
        /// A random number: SQL cannot name the codec of another connection.
        private let number: UInt64
        private let registered: RegisteredCodec

        /// The page that did not fit when a connection with these parameters read last; nil if all fitted. Asking
        /// clears it.
        var changedPage: UInt32? {
            let page = registered.changedPage.exchange(0, ordering: .relaxed)
            return page == 0 ? nil : page
        }

        /// Why the VFS refused what a connection with these parameters did last; nil if it refused nothing. Asking
        /// clears it.
        var refusal: String? { registered.takeRefusal() }

        /// - Parameter showsRollbackMode: see `RegisteredCodec`.
        init(_ codec: PageCodec, vfs: String, mode: String, showsRollbackMode: Bool = false) {
            let registered = RegisteredCodec(codec, showsRollbackMode: showsRollbackMode)
            self.registered = registered
            let number = UInt64.random(in: .min ... .max)
            self.number = number
            codecs.withLock { codecs in codecs[number] = registered }
            parameters = "mode=\(mode)&vfs=\(vfs)&codec=\(number)"
        }

        deinit {
            let number = number
            codecs.withLock { codecs in codecs[number] = nil }
        }
    }

    /// The codec that the URI of a database names, by the path with which SQLite opens the database or its journal.
    static func codec(_ path: UnsafePointer<CChar>?) -> RegisteredCodec? {
        guard let text = sqlite3_uri_parameter(path, "codec"), let number = UInt64(String(cString: text)) else {
            return nil
        }
        return codecs.withLock { codecs in codecs[number] }
    }

    /// The system's VFS. Another one may become the default later, and its files may need more bytes than those for
    /// which SQLite leaves room here. SQLite never frees it.
    nonisolated(unsafe) static let system = sqlite3_vfs_find(nil)

    /// Registers a VFS, never as the default; false where SQLite does not take it. The system's VFS does what `change`
    /// does not set.
    static func register(_ name: String, _ open: @escaping Open, _ change: (inout sqlite3_vfs) -> Void = { _ in })
        -> Bool
    {
        guard let system else { return false }
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.zName = UnsafePointer(strdup(name))
        vfs.pointee.pNext = nil
        vfs.pointee.szOsFile = CInt(WrappedFile.length) + system.pointee.szOsFile
        vfs.pointee.xOpen = open
        change(&vfs.pointee)
        return sqlite3_vfs_register(vfs, 0) == SQLITE_OK
    }

    /// Throws unless a connection has its database open through this VFS.
    static func requireUse(of name: String, by queue: DatabaseQueue) throws(StoreError) {
        let isUsed = queue.unsafeReentrantRead { database in
            var vfs: UnsafeMutablePointer<sqlite3_vfs>?
            let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_VFS_POINTER, &vfs)
            return code == SQLITE_OK && vfs?.pointee.zName.map { String(cString: $0) } == name
        }
        if !isUsed { throw StoreError(.other, "SQLite does not decrypt the database") }
    }

    /// The page whose authentication code did not fit when a connection read last, by its number; nil if all fitted,
    /// and for a plain database. Asking clears it.
    static func changedPage(of connection: OpaquePointer?) -> UInt32? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file
        else { return nil }
        return EncryptedMainFile.changedPage(of: file)
    }

    /// Why the VFS refused what a connection did last; nil if it refused nothing, and for a plain database. Asking
    /// clears it.
    static func refusal(of connection: OpaquePointer?) -> String? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file
        else { return nil }
        return EncryptedMainFile.refusal(of: file)
    }

    /// The path of the encrypted database of a connection, if it has a log with content; nil for any other database.
    static func pathWithLog(of connection: OpaquePointer?) -> String? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            EncryptedMainFile.pages(of: file) != nil,
            let path = sqlite3_db_filename(connection, "main").map({ String(cString: $0) }),
            (FileState(at: path + "-wal").bytes ?? 0) > 0
        else { return nil }
        return path
    }

    /// The path of the encrypted database in WAL mode that another program has written since the last transaction of
    /// this connection began; nil for any other database. What SQLite read meanwhile may be of before and after.
    static func pathWrittenMeanwhile(by connection: OpaquePointer?) -> String? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        guard let connection,
            sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK, let file
        else { return nil }
        return EncryptedMainFile.pathWrittenMeanwhile(file)
    }

    /// The file and the codec of a connection to an encrypted database. They are valid as long as the connection is
    /// open.
    static func file(of database: Database) -> (file: EncryptedPages, codec: PageCodec)? {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        return code == SQLITE_OK ? EncryptedMainFile.pages(of: file) : nil
    }
}

/// A codec that a URI names.
final class RegisteredCodec: Sendable {
    let codec: PageCodec
    /// Whether SQLite reads a header with rollback mode although the file has WAL mode. SQLite then takes its usual locks,
    /// without shared memory, and opens no database that has a log with content.
    let showsRollbackMode: Bool
    /// The page that did not fit last; 0 for none.
    let changedPage = Atomic<UInt32>(0)
    private let refusal = Mutex<String?>(nil)

    init(_ codec: PageCodec, showsRollbackMode: Bool) {
        (self.codec, self.showsRollbackMode) = (codec, showsRollbackMode)
    }

    /// Notes why the VFS refuses something, and returns the code for SQLite, whose own message would only say that of
    /// an error of the disk.
    func refuse(_ why: String, _ code: CInt = IOCode.write) -> CInt {
        refusal.withLock { $0 = why }
        return code
    }

    /// Why the VFS refused something last. Asking clears it.
    func takeRefusal() -> String? {
        refusal.withLock { refusal in
            defer { refusal = nil }
            return refusal
        }
    }
}

/// SQLite's codes that are macros which Swift does not see.
enum IOCode {
    /// A read that failed.
    static let read = SQLITE_IOERR | 1 << 8
    /// The end of the file.
    static let shortRead = SQLITE_IOERR | 2 << 8
    /// A write that failed.
    static let write = SQLITE_IOERR | 3 << 8
    /// Another program wrote the database since the transaction began (`SQLITE_BUSY_SNAPSHOT`). SQLite waits as for a
    /// lock if the transaction has read nothing yet.
    static let writtenMeanwhile = SQLITE_BUSY | 2 << 8
}
