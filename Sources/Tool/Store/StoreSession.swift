import Engine
import EngineSQLite
import Migrations
import Repos

/// A store opened for the length of one command.
enum StoreSession {
    /// Opens a store of this build's version to read it; nothing of it changes. What was done for that is told.
    static func read<T>(_ options: StoreOptions, _ output: Output, _ body: (Store) throws -> T) throws -> T {
        let location = try options.location()
        output.detail("the store is \(location.prefix)")
        try StoreGate(migrator(location)).check()
        let store = try Store.openForReading(location, with: SQLiteEngine())
        defer { try? store.close() }
        for note in store.notes { output.note(note) }
        return try body(store)
    }

    /// Opens a store of this build's version to write it, together with others that write and apart from migrations.
    static func write<T>(_ options: StoreOptions, _ output: Output, _ body: (Store) throws -> T) throws -> T {
        let location = try options.location()
        output.detail("the store is \(location.prefix)")
        let pass = try StoreGate(migrator(location)).enter()
        defer { withExtendedLifetime(pass) {} }
        let store = try Store.openForWriting(location, with: SQLiteEngine())
        defer { try? store.close() }
        return try body(store)
    }

    private static func migrator(_ location: StoreLocation) throws -> Migrator {
        Migrator(engine: SQLiteEngine(), location: location, build: try MigrationSource.build.load())
    }
}
