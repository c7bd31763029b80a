import GRDB
import GRDBSQLite
import Synchronization

/// The moment by which a question must be answered. It is somebody's time, and so the clock's and not the processor's.
final class Deadline: Sendable {
    /// Instructions of SQLite's virtual machine between two looks at the clock.
    private static let instructions: CInt = 10_000

    private let end: ContinuousClock.Instant
    private let passed = Atomic<Bool>(false)

    init(after time: Duration) {
        end = .now + time
    }

    /// Whether a look has found that it has passed.
    var hasPassed: Bool { passed.load(ordering: .relaxed) }

    /// Has SQLite look at the clock while `body` runs, stops it where it does not look, and then has it look at the
    /// patience that the file is given.
    func whileWatching<T>(_ database: Database, then patience: Patience, _ body: () throws -> T) rethrows -> T {
        patience.rest()
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                guard let context else { return 1 }
                return Unmanaged<Deadline>.fromOpaque(context).takeUnretainedValue().look() ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer {
            patience.install(on: database)
            patience.begin()
        }
        return try Watch.shared.over(database, { self.look() }, body)
    }

    /// Whether it has passed by now.
    @discardableResult
    func look() -> Bool {
        if !hasPassed, ContinuousClock.now >= end { passed.store(true, ordering: .relaxed) }
        return hasPassed
    }
}
