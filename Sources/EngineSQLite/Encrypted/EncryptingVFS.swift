import ChatDBEncryption
import ChatDBEngine
import GRDB
import GRDBSQLite

/// A virtual file system of SQLite that decrypts pages as SQLite reads them, and encrypts them as SQLite writes them,
/// in the database and in its rollback journal. Everything else the system's own VFS does.
///
/// It opens no other file for writing: what SQLite would put into one (a temporary table, a log, the changes of one
/// statement) is in memory, or is an error. So no plain text gets into a file.
enum EncryptingVFS {
    static let name = "chatdb-encrypting"

    /// Parameters of a URI that read and write with a codec.
    static func registration(_ codec: PageCodec) -> CodecVFS.Registration {
        CodecVFS.Registration(codec, vfs: name, mode: "rw")
    }

    /// Whether SQLite has this VFS. It is registered once.
    static let isRegistered = CodecVFS.register(name, open)

    /// Makes SQLite leave the bytes free that each page of the codec needs at its end. For a new database, before its
    /// first page is written.
    static func prepareNew(_ database: Database, _ codec: PageCodec) throws {
        try database.execute(sql: "PRAGMA page_size = \(codec.pageSize)")
        var reserved = CInt(codec.format.reserved)
        let code = sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
        guard code == SQLITE_OK else {
            throw StoreError(.engineTooOld, "this SQLite cannot reserve bytes in pages", engineCode: Int(code))
        }
    }

    private static let open: CodecVFS.Open = { _, path, file, flags, outFlags in
        guard let file, let system = sqlite3_vfs_find(nil), let systemOpen = system.pointee.xOpen else {
            return SQLITE_CANTOPEN
        }
        file.pointee.pMethods = nil
        // The journal of a commit over several databases has only names. SQLite reads it after a crash.
        if flags & SQLITE_OPEN_SUPER_JOURNAL != 0, flags & SQLITE_OPEN_CREATE == 0 {
            return systemOpen(system, path, file, flags, outFlags)
        }
        let (isDatabase, isJournal) = (flags & SQLITE_OPEN_MAIN_DB != 0, flags & SQLITE_OPEN_MAIN_JOURNAL != 0)
        guard isDatabase || isJournal, let codec = CodecVFS.codec(path) else { return SQLITE_CANTOPEN }
        let code = systemOpen(system, path, WrappedFile.place(ofSystemIn: file), flags, outFlags)
        guard code == SQLITE_OK else { return code }
        if isDatabase {
            EncryptedMainFile.begin(file, codec, writing: true)
        } else {
            EncryptedJournal.begin(file, codec.codec)
        }
        return code
    }
}
