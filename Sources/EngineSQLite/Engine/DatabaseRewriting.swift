import ChatDBEncryption
package import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite

extension SQLiteEngine {
    /// Makes a new file with the content of a database, in the form in which another engine reads it: encrypted with
    /// the passphrase of that engine, or plain if it has none. The file is on the disk when this returns, and is
    /// verified: an encrypted copy of an encrypted database has the same pages; any other file is whole, and has the
    /// rows of every table. The database itself stays as it is.
    ///
    /// The rows keep their rowids, and the file its encoding, `user_version` and `application_id`.
    /// Rule: docs/encryption.md, "Changing the passphrase".
    ///
    /// - Parameter usesLog: whether a new plain file is in WAL mode.
    package func rewrite(
        _ path: String, to new: String, for other: SQLiteEngine, usesLog: Bool = false, cancellation: Cancellation
    ) throws(StoreError) {
        let rewriting = DatabaseRewriting(source: self, target: other, cancellation: cancellation)
        do {
            try rewriting.make(path, new, usesLog: usesLog)
        } catch {
            SideFiles.removeDatabase(at: new)
            throw SQLiteErrors.storeError(error)
        }
    }
}

/// Writes a database again in another form.
private struct DatabaseRewriting {
    let source: SQLiteEngine
    let target: SQLiteEngine
    let cancellation: Cancellation

    func make(_ path: String, _ new: String, usesLog: Bool) throws {
        try cancellation.check()
        let place = try source.place(of: path)
        if case .encrypted(let file, let unlocked) = place, let keys = target.keysOfEncrypted {
            return try encrypt(file, unlocked.codec, new, keys)
        }
        let opened = try place.open(with: .plain(), patience: ReadingProfile.usualPatience)
        let original = SQLiteConnection(opened)
        defer { try? original.close() }
        try vacuum(opened.queue, new, usesLog: usesLog && target.keysOfEncrypted == nil)
        try FileSync.file(new)
        try RewrittenDatabase(new, target).verify(original, cancellation)
    }

    // MARK: Pages

    /// Encrypts each page of an encrypted database again, with other keys, in a new file.
    private func encrypt(_ path: String, _ old: PageCodec, _ new: String, _ keys: DatabaseKeys) throws {
        let codec = try keys.codecOfNew(new, like: old)
        let cancellation = cancellation
        let isDone = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            let file: EncryptedFile
            do throws(FileReadingError) {
                file = try EncryptedFile(path, locked: true)
            } catch {
                throw StoreError(encrypted: error, path)
            }
            let pages = try PageRewriting(of: file, old, in: new, codec) { cancellation.isRequested }
            try pages.write()
            // The disk writes while the processors verify.
            let sync = BesideWork { try FileSync.file(new) }
            let verification = Result { () throws(StoreError) in try pages.verify() }
            do {
                try sync.wait()
            } catch {
                throw SQLiteErrors.storeError(error)
            }
            try verification.get()
            return true
        }
        if isDone == nil { throw StoreError(.busy, "\(path) is open in this process") }
        // The passphrase opens it, as every later command does.
        try target.open(new, as: .readOnly).close()
    }

    // MARK: Rows

    /// Writes the rows into a new file, whose pages have other room for content. SQLite does it by VACUUM INTO: the
    /// connection names the form of the new file by a URI.
    private func vacuum(_ original: DatabaseQueue, _ new: String, usesLog: Bool) throws {
        guard SQLitePath.understandsURIs, let system = CodecVFS.system?.pointee.zName else {
            throw StoreError(.engineTooOld, "this SQLite reads no URIs, so chatdb cannot write \(new)")
        }
        let codec = try target.keysOfEncrypted.map { try $0.codecOfNew(new) }
        let encrypted = codec.map(EncryptingVFS.registration)
        // SQLite asks for the codec whenever it opens a file.
        defer { withExtendedLifetime(encrypted) {} }
        let uri = SQLitePath.uri(new, encrypted?.parameters ?? "mode=rw&vfs=\(String(cString: system))")
        try NewFile.make(at: new)
        do {
            try cancellation.whileRegistered({ original.interrupt() }) {
                try original.unsafeReentrantWrite { database in
                    if let codec {
                        try require(codec.pageSize, in: database)
                        try EncryptingVFS.prepareNew(database, codec)
                    }
                    try SQLiteErrors.inside(database) {
                        try database.execute(sql: "VACUUM INTO ?", arguments: [uri])
                    }
                    try complete(uri, of: database, usesLog: usesLog)
                }
            }
        } catch {
            if let why = encrypted?.refusal { throw SQLiteErrors.refused(why, nil) }
            throw error
        }
    }

    /// Gives the new file what VACUUM INTO does not keep: rowids, and WAL mode.
    private func complete(_ uri: String, of original: Database, usesLog: Bool) throws {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try ConnectionOptions.disableExtensions(of: database)
            try ConnectionOptions.set(SQLITE_DBCONFIG_ENABLE_TRIGGER, to: false, of: database)
            TextFunction.add(to: database)
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA ignore_check_constraints = ON")
        }
        let queue = try DatabaseQueue(path: uri, configuration: configuration)
        try queue.writeWithoutTransaction { new in
            try new.inTransaction(.immediate) {
                try KeptRowids(original, new).restore()
                return .commit
            }
            if usesLog { try WritingProfile.useWriteAheadLog(new) }
        }
        try queue.close()
    }

    /// Throws if a database has pages of another size: VACUUM INTO keeps it, and the app reads no other one.
    private func require(_ size: Int, in database: Database) throws {
        let found = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        guard found != size else { return }
        throw StoreError(
            .encryptedUnsupported, "its pages have \(found) bytes, and those of an encrypted database have \(size)")
    }
}
