import GRDB
import GRDBSQLite

/// Counts the steps of a running statement by SQLite's progress handler. A connection has one such handler. That of
/// migrations has no time limit, and a stop interrupts it, so the handler is free for this.
final class StepCounter {
    /// Steps between two calls of the handler: about a thousand calls in a second, which cost nothing measurable.
    static let interval: CInt = 10_000
    /// Steps between two reports.
    private static let reported: Int64 = 1_000_000
    /// The longest time between two reports, for slow steps.
    private static let pause = Duration.milliseconds(250)

    private let report: (Int64) -> Void
    private var steps: Int64 = 0
    private var last: Int64 = 0
    private var time = ContinuousClock.now

    init(_ report: @escaping (Int64) -> Void) {
        self.report = report
    }

    /// Runs `body`, in which SQLite works on this thread.
    func counting<T>(on database: Database, _ body: () throws -> T) rethrows -> T {
        sqlite3_progress_handler(
            database.sqliteConnection, Self.interval,
            { context in
                if let context { Unmanaged<StepCounter>.fromOpaque(context).takeUnretainedValue().count() }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
        defer { sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil) }
        return try withExtendedLifetime(self) { try body() }
    }

    private func count() {
        steps += Int64(Self.interval)
        guard steps - last >= Self.reported || ContinuousClock.now - time >= Self.pause else { return }
        (last, time) = (steps, .now)
        report(steps)
    }
}
