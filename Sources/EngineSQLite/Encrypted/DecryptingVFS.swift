import ChatDBEncryption
import GRDBSQLite

/// A virtual file system of SQLite that decrypts pages as SQLite reads them. It writes nothing, makes no file, and
/// deletes none; everything else the system's own VFS does, its locks too. So no plain text gets into a file.
enum DecryptingVFS {
    static let name = "chatdb-decrypting"

    /// Parameters of a URI that read with a codec.
    ///
    /// - Parameter showsRollbackMode: see `RegisteredCodec`.
    static func registration(_ codec: PageCodec, showsRollbackMode: Bool = false) -> CodecVFS.Registration {
        CodecVFS.Registration(codec, vfs: name, mode: "ro", showsRollbackMode: showsRollbackMode)
    }

    /// Whether SQLite has this VFS. It is registered once.
    static let isRegistered = CodecVFS.register(name, open) { $0.xDelete = { _, _, _ in SQLITE_READONLY } }

    /// Opens the main database decrypting, and its journal as it is: SQLite only looks whether there is something to
    /// roll back. It opens no other file.
    private static let open: CodecVFS.Open = { _, path, file, flags, outFlags in
        guard let file, let system = CodecVFS.system, let systemOpen = system.pointee.xOpen else {
            return SQLITE_CANTOPEN
        }
        file.pointee.pMethods = nil
        guard flags & (SQLITE_OPEN_CREATE | SQLITE_OPEN_READWRITE) == 0 else { return SQLITE_READONLY }
        guard flags & SQLITE_OPEN_MAIN_DB != 0 else { return systemOpen(system, path, file, flags, outFlags) }
        guard let codec = CodecVFS.codec(path) else { return SQLITE_CANTOPEN }
        let code = systemOpen(system, path, WrappedFile.place(ofSystemIn: file), flags, outFlags)
        if code == SQLITE_OK { EncryptedMainFile.begin(file, codec, path, writing: false) }
        return code
    }
}
