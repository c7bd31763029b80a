import ChatDBEngine
import GRDB
import GRDBSQLite

/// A private copy in which a full-text index is compared with its texts. FTS5 does that as an INSERT, which a reading
/// connection refuses; reading alone notices neither a broken index nor one that is behind (*measured*: a page of zeros
/// finds no rows, and `integrity_check` says ok).
struct SearchIndexCopy {
    private let folder: LockedFolder
    private var path: String { folder.path + "/copy.db" }

    private init(in folder: LockedFolder) {
        self.folder = folder
    }

    /// Makes the copy, where there is room for one.
    static func make(
        with copy: (String) throws(StoreError) -> Void, size: () throws(StoreError) -> Int64
    ) throws(StoreError) -> SearchIndexCopy {
        let made = SearchIndexCopy(in: try LockedFolder.make(for: .search))
        try LockedFolder.requireSpace(try size(), in: made.folder.path)
        try copy(made.path)
        return made
    }

    /// Compares, and removes the copy. Takes no longer than a full check of the file may.
    func isSound(_ table: String, _ patience: Patience?) throws(StoreError) -> Bool {
        defer { folder.remove() }
        do throws(StoreError) {
            try SQLiteErrors.mapped {
                let queue = try DatabaseQueue(path: path, configuration: Self.configuration(patience))
                defer { try? queue.close() }
                let name = SQLName.quoted(table)
                // The 1 compares with the texts too, which the index does not hold itself.
                try queue.writeWithoutTransaction { database in
                    let compare = {
                        try database.execute(sql: "INSERT INTO \(name)(\(name), rank) VALUES ('integrity-check', 1)")
                    }
                    guard let patience else { return try compare() }
                    try patience.whileChecking { try patience.whileWatching(database, compare) }
                }
            }
            return true
        } catch {
            if let error = patience?.error { throw error }
            switch error.kind {
            case .damaged: return false
            // A part of it is missing, and SQLite cannot even open it.
            case .sql where !error.message.contains("no such module"): return false
            default: throw error
            }
        }
    }

    /// Nothing in the file is run, as on any connection to a file that anybody may have sent.
    private static func configuration(_ patience: Patience?) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try HardenedProfile.limit(database)
            patience?.install(on: database)
            // It is only a copy: nothing has to be on the disk.
            try database.execute(sql: "PRAGMA temp_store = MEMORY; PRAGMA synchronous = OFF")
        }
        return configuration
    }
}
