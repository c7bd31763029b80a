import ChatDBEncryption
import ChatDBEngine
import GRDB

/// Opens encrypted databases that are written in place. Rule: docs/encryption.md, "Writing".
enum EncryptedOpening {
    /// Opens a database through the VFS that encrypts, with a journal in a file and without temporary files.
    ///
    /// - Parameters:
    ///   - isNew: whether the file is empty.
    ///   - configuration: the settings of a connection that writes, without those of the file.
    static func open(
        _ path: String, _ codec: PageCodec, isNew: Bool, _ configuration: Configuration
    ) throws(StoreError) -> OpenedDatabase {
        try WritingProfile.requireWritable(path)
        let (registration, parameters) = (OpenDatabases.Registration(path), EncryptingVFS.registration(codec))
        var configuration = configuration
        configuration.prepareDatabase { database in
            // What SQLite sorts must not get into a temporary file.
            try database.execute(sql: "PRAGMA temp_store = MEMORY")
            // A page that the cache has lost is decrypted again; by default, the cache has 2 MiB.
            try database.execute(sql: "PRAGMA cache_size = -65536")
            if isNew { try EncryptingVFS.prepareNew(database, codec) }
            try WritingProfile.applySettings(to: database)
        }
        do throws(StoreError) {
            return try SQLiteErrors.mapped(lockedAt: path) { [configuration] in
                let queue = try DatabaseQueue(
                    path: SQLitePath.uri(path, parameters.parameters), configuration: configuration)
                try CodecVFS.requireUse(of: EncryptingVFS.name, by: queue)
                try queue.unsafeReentrantWrite { database in
                    // Again, because GRDB may set it after `prepareDatabase`.
                    try WritingProfile.applySettings(to: database)
                    try EncryptingVFS.requireJournal(of: database)
                }
                return OpenedDatabase(queue, registration: registration, codec: (parameters, codec))
            }
        } catch {
            guard error.kind == .inputOutput, let why = parameters.refusal else { throw error }
            throw SQLiteErrors.refused(why, error.engineCode)
        }
    }
}
