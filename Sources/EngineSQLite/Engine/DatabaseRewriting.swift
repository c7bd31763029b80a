import ChatDBEncryption
package import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite

extension SQLiteEngine {
    /// Makes a new file with the content of a database, in the form in which another engine reads it: encrypted with
    /// the passphrase of that engine, or plain if it has none. The file is on the disk when this returns, and is
    /// verified: every page, a full check, and the rows of every table. The database itself stays as it is.
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
            let original = try rewriting.make(path, new, usesLog: usesLog)
            defer { try? original.close() }
            try FileSync.file(new)
            try RewrittenDatabase(new, other).verify(original, cancellation)
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

    /// Makes the new file, and returns a connection to the database.
    func make(_ path: String, _ new: String, usesLog: Bool) throws -> any StorageConnection {
        try cancellation.check()
        let place = try source.place(of: path)
        if case .encrypted(let file, let unlocked) = place, let keys = target.keysOfEncrypted {
            try encrypt(file, unlocked.codec, new, keys)
            return try source.open(path, as: .readOnly)
        }
        let opened = try place.open(with: .plain(), patience: ReadingProfile.usualPatience)
        do {
            try vacuum(opened.queue, new, usesLog: usesLog && target.keysOfEncrypted == nil)
        } catch {
            try? opened.close()
            throw error
        }
        return SQLiteConnection(opened)
    }

    // MARK: Pages

    /// The pages that are read and written at once.
    private static let pagesAtOnce: Int64 = 64

    /// Encrypts each page of an encrypted database again, with other keys, in a new file.
    private func encrypt(_ path: String, _ old: PageCodec, _ new: String, _ keys: DatabaseKeys) throws(StoreError) {
        let codec = try keys.codecOfNew(new, like: old)
        let isDone = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in
            let file: EncryptedFile
            do throws(FileReadingError) {
                file = try EncryptedFile(path, locked: true)
            } catch {
                throw StoreError(encrypted: error, path)
            }
            let pages = file.size / Int64(old.pageSize)
            // A page of zeros has no code: encrypted again, it would hide that it was overwritten.
            let cancellation = cancellation
            let damaged = try PageVerification(of: file, at: path, old, pages: pages) { cancellation.isRequested }.run()
            if let page = damaged.first.first { throw SQLiteErrors.changedPage(UInt32(clamping: page.number), nil) }
            try write(EncryptedPages(file, pageSize: old.pageSize), 1...max(1, pages), old, codec, new)
            return true
        }
        if isDone == nil { throw StoreError(.busy, "\(path) is open in this process") }
    }

    private func write(
        _ file: EncryptedPages, _ pages: ClosedRange<Int64>, _ old: PageCodec, _ codec: PageCodec, _ path: String
    ) throws(StoreError) {
        try NewFile.make(at: path)
        let output = open(path, O_WRONLY | O_CLOEXEC)
        guard output >= 0 else { throw SystemError.current("\(path) cannot be written") }
        defer { close(output) }
        let size = old.pageSize
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(Self.pagesAtOnce) * size, alignment: 16)
        defer { buffer.deallocate() }
        for first in stride(from: pages.lowerBound, through: pages.upperBound, by: Int(Self.pagesAtOnce)) {
            if cancellation.isRequested { throw StoreError(.interrupted, "stopped on request") }
            let portion = first...min(pages.upperBound, first + Self.pagesAtOnce - 1)
            try file.read(portion, into: buffer)
            for number in portion {
                let start = Int(number - first) * size
                let page = UnsafeMutableRawBufferPointer(rebasing: buffer[start..<start + size])
                try encrypt(page, number, isUnused: number == file.lockPage, old, codec)
            }
            try FileCopy.write(
                UnsafeRawBufferPointer(rebasing: buffer[..<(portion.count * size)]), to: output, path)
        }
    }

    /// Encrypts a page in place. A page that SQLite has never written stays one of zeros.
    private func encrypt(
        _ page: UnsafeMutableRawBufferPointer, _ number: Int64, isUnused: Bool, _ old: PageCodec, _ codec: PageCodec
    ) throws(StoreError) {
        if isUnused || page.allSatisfy({ $0 == 0 }) {
            page.initializeMemory(as: UInt8.self, repeating: 0)
            return
        }
        let place = UInt32(clamping: number)
        guard (try? old.decrypt(page, number: place)) != nil else { throw SQLiteErrors.changedPage(place, nil) }
        guard (try? codec.encrypt(page, number: place)) != nil else {
            throw StoreError(.other, "page \(number) cannot be encrypted")
        }
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
