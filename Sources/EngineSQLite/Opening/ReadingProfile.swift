import ChatDBEngine
import GRDB

/// How a reading connection is set up.
enum ReadingProfile: Sendable {
    /// For a database of our own that nobody else had in hand; or with the time it is given, for one that is copied as it
    /// is, with values of any size.
    case plain(Patience? = nil)
    /// For a database that anybody may have sent, with the time it is given; with views, shown as another version of it.
    case hardened(Patience, views: TemporaryViews? = nil)

    /// The time that a file is given; nil for all it takes.
    var patience: Patience? {
        switch self {
        case .plain(let patience): patience
        case .hardened(let patience, _): patience
        }
    }

    /// What the reader should know of what was found, once it is open.
    var notes: [String] {
        switch self {
        case .plain: []
        case .hardened(_, let views): views?.notes ?? []
        }
    }

    /// Opens for reading only.
    func open(_ path: String) throws(StoreError) -> DatabaseQueue {
        do throws(StoreError) {
            return try open(path, trustingSchema: false)
        } catch {
            // SQLite vouches for all its functions but those for JSON, and opens nothing of a file that calls one.
            guard case .hardened = self, error.kind == .beyondLimits, Self.isAboutJSON(error.message) else {
                throw error
            }
            return try open(path, trustingSchema: true)
        }
    }

    private static func isAboutJSON(_ message: String) -> Bool {
        ["json", "->"].contains { message.contains("unsafe use of \($0)") }
    }

    private func open(_ path: String, trustingSchema: Bool) throws(StoreError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.foreignKeysEnabled = false
        // GRDB ends the process when a transaction is left open; ours are ended by `SQLiteConnection`.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(5)
        configuration.label = "chatdb.reading"
        // The connection keeps its configuration, and so this profile and its patience, for as long as it lives.
        configuration.prepareDatabase { try prepare($0, trustingSchema: trustingSchema) }
        do {
            return try DatabaseQueue(path: path, configuration: configuration)
        } catch {
            throw patience?.error ?? SQLiteErrors.storeError(error)
        }
    }

    /// Sets a connection up before anything of the file but its header was read.
    private func prepare(_ database: Database, trustingSchema: Bool) throws {
        switch self {
        case .plain(let patience):
            patience?.install(on: database)
            try WritingProfile.closeDoors(of: database)
            // Sorting must not leave parts of messages in a temporary file.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
        case .hardened(let patience, let views):
            try HardenedProfile.prepare(database, patience: patience, views: views, trustingSchema: trustingSchema)
        }
    }
}
