import ChatDBEngine
import GRDB
import GRDBSQLite

/// A private copy in which FTS5 compares a full-text index with its texts. FTS5 does that as an INSERT, which a reading
/// connection refuses. Reading alone notices neither a broken index nor an outdated one (*measured*: with a page of
/// zeros a search finds no rows, and `integrity_check` says ok).
struct SearchIndexCopy {
    private let folder: LockedFolder
    private var path: String { folder.path + "/copy.db" }

    private init(in folder: LockedFolder) {
        self.folder = folder
    }

    /// Makes the copy; throws `diskFull` when there is no room for one.
    static func make(
        with copy: (String) throws(StoreError) -> Void, size: () throws(StoreError) -> Int64
    ) throws(StoreError) -> SearchIndexCopy {
        let made = SearchIndexCopy(in: try LockedFolder.make(for: .search))
        try LockedFolder.requireSpace(try size(), in: made.folder.path)
        try copy(made.path)
        return made
    }

    /// Compares, and removes the copy. The time limit is that of a full check.
    func isSound(_ table: String, _ timeLimit: QueryTimeLimit?) throws(StoreError) -> Bool {
        defer { folder.remove() }
        do throws(StoreError) {
            try SQLiteErrors.mapped {
                let queue = try DatabaseQueue(path: path, configuration: Self.configuration(timeLimit))
                defer { try? queue.close() }
                let name = SQLName.quoted(table)
                // The 1 compares with the texts too, which the index itself does not hold.
                try queue.writeWithoutTransaction { database in
                    let compare = {
                        try database.execute(sql: "INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
                    }
                    guard let timeLimit else { return try compare() }
                    try timeLimit.duringFullCheck { try timeLimit.enforced(on: database, compare) }
                }
            }
            return true
        } catch {
            if let error = timeLimit?.error { throw error }
            switch error.kind {
            case .damaged: return false
            // A table of the index is missing, and SQLite cannot open the index.
            case .sql where !error.message.contains("no such module"): return false
            default: throw error
            }
        }
    }

    /// Nothing in the file is run, as on every connection to an untrusted file.
    private static func configuration(_ timeLimit: QueryTimeLimit?) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try HardenedProfile.limitCopy(database)
            timeLimit?.install(on: database)
            // The copy is removed in any case, so nothing has to be on the disk.
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA synchronous = OFF")
        }
        return configuration
    }
}
