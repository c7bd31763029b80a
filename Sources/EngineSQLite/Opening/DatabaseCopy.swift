import ChatDBEngine
import ChatDBPOSIX
import GRDB

/// Copies a database page by page into a new file: the copy has what is in a log, and no lock of this process is lost.
/// SQLite's backup API copies a plain database. The pages of an encrypted one are copied as they are in the file, so the
/// copy has the same key.
enum DatabaseCopy {
    /// Pages copied between two calls of `progress`. The caller must keep the source unchanged between them: a copy
    /// that began again with every commit of another program would never end.
    private static let pagesPerStep: CInt = 4096

    /// Copies what `source` sees into a new file for the owner alone. The copy is on the disk when this returns.
    static func make(of source: Database, at target: String, progress: (Double) throws -> Void) throws {
        if let (file, codec) = CodecVFS.file(of: source) {
            return try EncryptedCopy(of: file, codec).make(from: source, at: target, progress: progress)
        }
        try NewFile.make(at: target)
        do {
            let copy = try DatabaseQueue(path: SQLitePath.uri(target, "mode=rw"), configuration: configuration)
            defer { try? copy.close() }
            try withoutActuallyEscaping(progress) { progress in
                try copy.writeWithoutTransaction { target in
                    try source.backup(to: target, pagesPerStep: pagesPerStep) { step in
                        try progress(Double(step.completedPageCount) / Double(max(1, step.totalPageCount)))
                    }
                }
            }
            try copy.close()
            try FileSync.file(target)
        } catch {
            // An incomplete copy must not be taken for a complete one.
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(target + suffix) }
            throw (error as? DatabaseError).map { SQLiteErrors.storeError($0) } ?? error
        }
    }

    /// Without syncs: the copy is synced once, when it is complete. A file that a crash leaves before that is not a
    /// backup.
    static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        }
        return configuration
    }
}
