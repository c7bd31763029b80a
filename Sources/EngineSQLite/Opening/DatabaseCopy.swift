import ChatDBEngine
import GRDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A database copied page by page into a new file, by SQLite itself: what is in a log comes with it, and no lock of this
/// process is lost.
enum DatabaseCopy {
    /// Pages copied between two looks at whether somebody wants to stop. The caller sees to it that the source stays as
    /// it is between them; a copy that had to begin again with every foreign commit would never end.
    private static let pagesPerStep: CInt = 4096

    /// Copies what `source` sees into a new file for the owner alone; it is on the disk when this returns.
    static func make(of source: Database, at target: String, progress: (Double) throws -> Void) throws {
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
            // Half a copy must not be taken for a whole one.
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(target + suffix) }
            throw (error as? DatabaseError).map(SQLiteErrors.storeError) ?? error
        }
    }

    /// The copy is synced once, when it is whole: until then a crash leaves a file that no one takes for a backup.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        }
        return configuration
    }
}
