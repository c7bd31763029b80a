import Engine
import GRDB

/// How a reading connection is set up.
enum ReadingProfile: Sendable {
    /// For a database of our own that nobody else had in hand.
    case plain
    /// For a database that anybody may have sent, with the time it is given.
    case hardened(Patience)

    /// The time that a file is given; nil for all it takes.
    var patience: Patience? {
        switch self {
        case .plain: nil
        case .hardened(let patience): patience
        }
    }

    /// Opens for reading only.
    func open(_ path: String) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        // GRDB ends the process when a transaction is left open; ours are ended by `SQLiteConnection`.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        configuration.label = "chatdb.reading"
        // The connection keeps its configuration, and so this profile and its patience, for as long as it lives.
        configuration.prepareDatabase { try prepare($0) }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw patience?.error ?? SQLiteErrors.storeError(error)
        }
    }

    /// Sets a connection up before anything of the file but its header was read.
    private func prepare(_ database: Database) throws {
        switch self {
        case .plain:
            try WritingProfile.closeDoors(of: database)
            // Sorting must not leave parts of messages in a temporary file.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        case .hardened(let patience):
            try HardenedProfile.prepare(database, patience: patience)
        }
    }
}
