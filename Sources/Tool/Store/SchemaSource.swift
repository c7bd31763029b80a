import ChatDBKit

/// A store whose schema a command reads, of any version. One of its two databases is enough.
struct SchemaSource {
    let context: StoreContext

    /// - Parameter build: the migrations of the store; nil for this build's own.
    static func store(
        _ location: StoreLocation, with engine: SQLiteEngine, build: [DatabaseName: [Migration]]? = nil
    ) throws -> SchemaSource {
        SchemaSource(
            context: StoreContext(
                engine: engine, location: location, build: try build ?? MigrationSource.build.load()))
    }

    /// The databases that exist, of the requested ones.
    func databases(_ only: DatabaseName?) throws -> [DatabaseName] {
        let location = context.location
        try location.requireNamed(only)
        // The files may belong to two pairs, or be in the folder of an interrupted restore.
        try RestoreRecord.refuse(at: location)
        if location.isAbsent { throw MigrationError.absent(location) }
        if let only, location.state(of: only) == .missing {
            throw MigrationError.incompleteStore(missing: only, path: location.path(of: only))
        }
        return DatabaseName.allCases.filter { location.state(of: $0) != .missing && (only == nil || only == $0) }
    }

    /// Reports a missing database that was requested.
    func noteMissing(_ only: DatabaseName?, on output: Output) {
        for database in context.location.missing where only == nil {
            output.note("the \(database) database is missing (\(context.location.path(of: database)))")
        }
    }
}
