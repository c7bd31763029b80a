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

    /// The journal modes in which a journal in a file can be rolled back after a crash.
    private static let journalModes = ["delete", "truncate", "persist"]
    /// The values of `PRAGMA synchronous` with which a journal is on the disk before the database is written.
    private static let syncModes = ["2", "3", "full", "extra"]

    /// Throws unless a connection keeps a journal in a file.
    static func requireJournal(of database: Database) throws {
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode") ?? ""
        if !journalModes.contains(mode) {
            throw StoreError(.other, "SQLite keeps no journal of the database in a file (journal mode \(mode))")
        }
    }

    /// Why a connection must not run a statement; nil when it may. The arguments are those of SQLite's authorizer.
    ///
    /// A name of a file can be a URI with another VFS, which would write plain text. SQLite itself attaches a database
    /// without a name, which is in memory, for VACUUM.
    static func refusal(
        of action: CInt, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?
    ) -> String? {
        switch action {
        case SQLITE_ATTACH:
            let hasNoName = first.map { $0.pointee == 0 } ?? false
            return hasNoName ? nil : "it would get content of an encrypted database into another file"
        case SQLITE_PRAGMA:
            guard let first, let second else { return nil }
            let value = String(cString: second).lowercased()
            switch String(cString: first).lowercased() {
            case "journal_mode" where !journalModes.contains(value), "synchronous" where !syncModes.contains(value):
                return "an encrypted database is not written without a journal on the disk"
            default: return nil
            }
        default: return nil
        }
    }

    private static let open: CodecVFS.Open = { _, path, file, flags, outFlags in
        guard let file, let system = CodecVFS.system, let systemOpen = system.pointee.xOpen else {
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
            EncryptedMainFile.begin(file, codec, path, writing: true)
        } else {
            EncryptedJournal.begin(file, codec)
        }
        return code
    }
}
