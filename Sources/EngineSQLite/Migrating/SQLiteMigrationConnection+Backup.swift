import Engine
import GRDB

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension SQLiteMigrationConnection {
    /// Pages copied between two looks at whether somebody wants to stop. The write lock of this connection's transaction
    /// keeps everybody from changing the source between the steps, so they need not be one.
    private static let pagesPerStep: CInt = 4096

    func backUp(to target: String, progress: (Double) throws -> Void) throws {
        guard let path else { throw StoreError(.other, "a database in memory has no backup") }
        try NewFile.make(at: target)
        do {
            try copyPages(from: path, to: target, progress: progress)
            try FileSync.file(target)
        } catch {
            // Half a copy must not be taken for a whole one.
            for suffix in ["", "-wal", "-shm", "-journal"] { unlink(target + suffix) }
            throw (error as? DatabaseError).map(SQLiteErrors.storeError) ?? error
        }
    }

    private func copyPages(from path: String, to target: String, progress: (Double) throws -> Void) throws {
        // A second connection, because this one is inside its transaction; it sees the state before it.
        let source = try ReadingProfile.plain.open(SQLitePath.uri(path, "mode=ro"))
        defer { try? source.close() }
        let copy = try DatabaseQueue(path: SQLitePath.uri(target, "mode=rw"), configuration: Self.copying)
        defer { try? copy.close() }
        try withoutActuallyEscaping(progress) { progress in
            try source.backup(to: copy, pagesPerStep: Self.pagesPerStep) { step in
                try progress(Double(step.completedPageCount) / Double(max(1, step.totalPageCount)))
            }
        }
    }

    /// The copy is synced once, when it is whole: until then a crash leaves a file that no one takes for a backup.
    private static var copying: Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try database.execute(sql: "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF")
        }
        return configuration
    }
}
