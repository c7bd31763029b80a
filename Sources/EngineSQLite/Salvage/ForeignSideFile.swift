package import ChatDBEngine
package import ChatDBSalvage

/// Decides whether the log or the journal beside a database belongs to another one. Neither file says to which database
/// it belongs, so chatdb compares the database with what it becomes: a log of its own may change all rows, but it does
/// not damage trees, and does not replace all tables or all rows.
enum ForeignSideFile {
    /// The reason why the file belongs to another database, a clause. It is nil if it may belong to this database.
    ///
    /// - Parameters:
    ///   - copy: a copy of the database, into which SQLite has written the content of the file.
    ///   - path: the database.
    static func reason(
        _ copy: PrivateCopy, of path: String, _ cancellation: Cancellation
    ) throws -> String? {
        let (alone, both) = (try PageFile(path), try PageFile(copy.path))
        if let reason = try reason(alone, both, { try cancellation.check() }) { return reason }
        // The checks of SQLite also compare indexes with their tables.
        guard try isSound(copy.path, cancellation) == false, try isSound(path, cancellation) == true else { return nil }
        return "the database is damaged with it, and in order without it"
    }

    /// The reason that the pages show.
    private static func reason(
        _ alone: PageFile, _ both: PageFile, _ mayContinue: @escaping () throws -> Void
    ) throws -> String? {
        let (before, after) = (try TreeCensus(alone, mayContinue), try TreeCensus(both, mayContinue))
        if before.tables.count > 1, before.tables.intersection(after.tables).count * 2 < before.tables.count {
            return "it replaces the tables of the database by others"
        }
        // A log of its own can also repair pointers to pages that are damaged: then more pages are in order than before.
        if after.problems > before.problems, after.soundPages < before.soundPages {
            return "its pages do not fit those of the database"
        }
        let common = try CommonRows(of: alone, in: both, schema: [before, after], mayContinue)
        let isComplete = common.newPages * 10 >= both.pageCount * 8
        // After a deletion of nearly all rows, the others are those that the database had.
        let isOther = common.kept * 50 < common.rows && common.kept * 2 < common.rowsAfter
        if isComplete, common.rows >= leastRows, isOther {
            return "it replaces all rows of the database by others"
        }
        return nil
    }

    /// Of fewer rows, a program may have changed each.
    private static let leastRows = 50

    /// Whether SQLite finds no damage in a database without its log and its journal. It is nil if the check takes too
    /// long.
    private static func isSound(_ path: String, _ cancellation: Cancellation) throws -> Bool? {
        guard SQLitePath.understandsURIs else { return nil }
        let limit = QueryTimeLimit(.seconds(60), bytes: FileSpace.size(of: path))
        do throws(StoreError) {
            // SQLite reads an immutable file without its log, and takes no locks.
            let queue = try ReadingProfile.hardened(limit).open(
                SQLitePath.uri(SQLitePath.resolved(path), "mode=ro&immutable=1"))
            let connection = SQLiteConnection(OpenedDatabase(queue, timeLimit: limit))
            defer { try? connection.close() }
            return try integrity(of: connection, cancellation)
        } catch {
            try cancellation.check()
            return [.damaged, .notADatabase, .truncated].contains(error.kind) ? false : nil
        }
    }

    private static func integrity(
        of connection: SQLiteConnection, _ cancellation: Cancellation
    ) throws(StoreError) -> Bool {
        do {
            return try cancellation.whileRegistered(connection.interrupt) {
                _ = try connection.structure()
                return try connection.integrityProblems().isEmpty
            }
        } catch {
            throw (error as? StoreError) ?? StoreError(.other, "the check failed")
        }
    }
}

extension SQLiteEngine {
    /// What is left of the schema of a database, which may be damaged.
    package func schemaRemains(of path: String, _ cancellation: Cancellation) throws -> SchemaRemains {
        let source = try SalvageSource.open(path, cancellation)
        let mayContinue = { try cancellation.check() }
        let schema = try SchemaTable(PageUsage(source.file), mayContinue)
        return try SchemaRemains(source.file, schema, mayContinue)
    }

    /// The reason why the log or the journal beside a database belongs to another database, a clause. It is nil if
    /// no such file has changes, if it may belong to this database, and while a program has the database open.
    package func foreignSideFile(of path: String, _ cancellation: Cancellation) throws -> String? {
        try SalvageSource.foreignSideFile(of: path, cancellation)
    }
}
