import ChatDBKit

/// A store whose schema is looked at, whatever its version. One of its two databases is enough.
struct SchemaSource {
    let context: StoreContext

    /// - Parameter migrationsDir: whose versions the store has, where they are not this build's.
    static func store(
        _ location: StoreLocation, with engine: SQLiteEngine, migrationsDir: String? = nil
    ) throws -> SchemaSource {
        let build = try (migrationsDir.map(MigrationSource.folder) ?? .build).load()
        return SchemaSource(context: StoreContext(engine: engine, location: location, build: build))
    }

    /// The databases that are there, of those asked for.
    func databases(_ only: DatabaseName?) throws -> [DatabaseName] {
        let location = context.location
        // The files may be of two pairs, or in the folder of the restore.
        try RestoreRecord.refuse(at: location)
        let missing = location.missing
        if missing.count == DatabaseName.allCases.count { throw MigrationError.noStore(path: location.prefix) }
        if let only, missing.contains(only) {
            throw MigrationError.incompleteStore(missing: only, path: location.path(of: only))
        }
        return DatabaseName.allCases.filter { !missing.contains($0) && (only == nil || only == $0) }
    }

    /// Says which database is missing, unless it was not asked for.
    func noteMissing(_ only: DatabaseName?, on output: Output) {
        for database in context.location.missing where only == nil {
            output.note("the \(database) database is missing (\(context.location.path(of: database)))")
        }
    }
}
