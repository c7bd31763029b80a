import Engine
import GRDB

/// How a reading connection is set up.
enum ReadingProfile: Sendable {
    /// For a database of our own that nobody else had in hand.
    case plain
    /// For a database that anybody may have sent.
    case hardened
    /// For the same, shown as another version of it.
    case through(TemporaryViews)

    /// What the reader should know, once it is open.
    var notes: [String] {
        if case .through(let views) = self { views.notes } else { [] }
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
        configuration.prepareDatabase { try prepare($0) }
        return try SQLiteErrors.mapped { try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// Sets a connection up before anything of the file but its header was read.
    private func prepare(_ database: Database) throws {
        switch self {
        case .plain:
            try WritingProfile.closeDoors(of: database)
            // Sorting must not leave parts of messages in a temporary file.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        case .hardened:
            try HardenedProfile.prepare(database)
        case .through(let views):
            try HardenedProfile.prepare(database, with: views)
        }
    }
}
