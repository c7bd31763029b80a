import Engine
import GRDB
import GRDBSQLite
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How long a hardened connection lets a file keep SQLite busy, from one row of an answer to the next. Time of the
/// processor is counted, so that a slow disk or a busy machine makes nothing fail that would come to an end.
final class Patience: Sendable {
    /// Instructions of SQLite's virtual machine between two looks at the clock: some tenths of a millisecond.
    private static let instructions: CInt = 20_000
    /// A full check reads everything more than once: it may take so many times as long.
    private static let factorForChecks: Int64 = 60

    /// How much processor time, in nanoseconds.
    let limit: Int64
    /// How many times the limit is granted at present.
    private let factor = Atomic<Int64>(1)
    /// The thread's processor time at the first look, 0 before it.
    private let began = Atomic<Int64>(0)
    private let hasEnded = Atomic<Bool>(false)

    /// - Parameter limit: how much processor time; more than 292 years is for ever.
    init(_ limit: Duration) {
        let (seconds, attoseconds) = limit.components
        let (product, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        self.limit = isTooMuch ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }

    /// Has SQLite ask now and then. This object must outlive the connection.
    func install(on database: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                guard let context else { return 1 }
                return Unmanaged<Patience>.fromOpaque(context).takeUnretainedValue().isOver() ? 1 : 0
            }, context)
    }

    /// Something new begins: the whole time is granted again.
    func begin() {
        began.store(0, ordering: .relaxed)
        hasEnded.store(false, ordering: .relaxed)
    }

    /// Runs a full check of the file.
    func whileChecking<T>(_ body: () throws -> T) rethrows -> T {
        factor.store(Self.factorForChecks, ordering: .relaxed)
        defer { factor.store(1, ordering: .relaxed) }
        return try body()
    }

    /// The error of a statement that was stopped for this; nil when it was not.
    var error: StoreError? {
        guard hasEnded.load(ordering: .relaxed) else { return nil }
        return StoreError(.beyondLimits, "a query took longer than a file from elsewhere is given")
    }

    private func isOver() -> Bool {
        let now = Self.processorTime()
        let start = began.load(ordering: .relaxed)
        if start == 0 {
            began.store(max(now, 1), ordering: .relaxed)
            return false
        }
        let granted = limit.multipliedReportingOverflow(by: factor.load(ordering: .relaxed))
        guard !granted.overflow, now - start > granted.partialValue else { return false }
        hasEnded.store(true, ordering: .relaxed)
        return true
    }

    /// Of this thread, in nanoseconds.
    private static func processorTime() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
