import GRDB
import GRDBSQLite

/// The moment by which a question must be answered. It is somebody's time, and so the clock's and not the processor's.
final class Deadline {
    /// Instructions of SQLite's virtual machine between two looks at the clock.
    private static let instructions: CInt = 10_000

    private let end: ContinuousClock.Instant
    private(set) var hasPassed = false

    init(after time: Duration) {
        end = .now + time
    }

    /// Has SQLite look at the clock while `body` runs, and then at the patience that the file is given.
    func whileWatching<T>(_ database: Database, then patience: Patience, _ body: () throws -> T) rethrows -> T {
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                guard let context else { return 1 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { patience.install(on: database) }
        return try body()
    }

    /// Whether it has passed by now.
    func look() -> Bool {
        if !hasPassed, ContinuousClock.now >= end { hasPassed = true }
        return hasPassed
    }
}
