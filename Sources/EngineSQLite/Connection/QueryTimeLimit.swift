import ChatDBEngine
import ChatDBPOSIX
import GRDB
import GRDBSQLite
import Synchronization

/// The processor time that a query of a file may take, from one row of its result to the next. Processor time and not
/// time of the clock: a slow disk or a busy machine must not stop a query that would come to an end.
///
/// SQLite calls its progress handler, which decides whether to go on. Where SQLite does not call it,
/// `InterruptWatchdog` interrupts the query from another thread. The two are separate types because this one belongs to
/// a connection and the watchdog to the process. This type counts and decides. The watchdog only interrupts, and also
/// serves the deadlines of `QuestionConnection`.
final class QueryTimeLimit: Sendable {
    /// Processor time that several limits share: what all connections of a command may take together.
    final class Budget: Sendable {
        private let nanoseconds: Atomic<Int64>

        init(_ time: Duration) { nanoseconds = Atomic(time.nanoseconds) }

        /// The time that is left, in nanoseconds; never less than 0.
        var left: Int64 { max(0, nanoseconds.load(ordering: .relaxed)) }

        func spend(_ time: Int64) { nanoseconds.subtract(max(0, time), ordering: .relaxed) }
    }

    /// Instructions of SQLite's virtual machine between two calls of the progress handler: some tenths of a
    /// millisecond.
    private static let instructions: CInt = 20_000
    /// The factor for a full check, which reads everything more than once.
    private static let factorForFullChecks: Int64 = 60
    /// The time that a byte of the file adds to the limit, in nanoseconds: a second for 100 MB.
    private static let timePerByte: Int64 = 10
    /// The value of `start` while SQLite is not at work.
    private static let paused: Int64 = -1

    /// The limit of an ordinary query, in nanoseconds.
    private let limit: Int64
    private let budget: Budget?
    /// The limit in force: `limit`, or that of the full check or count that runs.
    private let limitInForce: Atomic<Int64>
    /// The thread's processor time at the first look since `restart`; 0 before that look.
    private let start = Atomic<Int64>(0)
    private let isExceeded = Atomic<Bool>(false)

    /// - Parameters:
    ///   - limit: the processor time of a query; more than 292 years means no limit.
    ///   - bytes: the size of the file: a query of a larger one may take longer.
    ///   - budget: what this limit and others may take together; nil for no such limit.
    init(_ limit: Duration, bytes: Int64 = 0, budget: Budget? = nil) {
        let (sum, overflows) = limit.nanoseconds.addingReportingOverflow(
            bytes.multipliedReportingOverflow(by: Self.timePerByte).partialValue)
        self.limit = overflows ? .max : sum
        self.budget = budget
        limitInForce = Atomic(self.limit)
    }

    /// Installs the progress handler. This object must outlive the connection.
    func install(on database: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                guard let context else { return 1 }
                let limit = Unmanaged<QueryTimeLimit>.fromOpaque(context).takeUnretainedValue()
                return limit.isOver(at: ThreadClock.current().now()) ? 1 : 0
            }, context)
    }

    /// Runs `body`, in which SQLite works on this thread, under the watchdog.
    func enforced<T>(on database: Database, _ body: () throws -> T) rethrows -> T {
        let clock = ThreadClock.current()
        restart()
        defer { pause() }
        return try InterruptWatchdog.shared.watch(
            database, interruptingWhen: { self.isOver(at: clock.now()) }, during: body)
    }

    /// Begins a new query or row: the full time is available again.
    func restart() {
        settle()
        start.store(0, ordering: .relaxed)
        isExceeded.store(false, ordering: .relaxed)
    }

    /// Stops counting: what the caller does between two rows does not count.
    func pause() {
        settle()
        start.store(Self.paused, ordering: .relaxed)
    }

    /// Runs a full check of the file, under its higher limit.
    func duringFullCheck<T>(_ body: () throws -> T) rethrows -> T {
        let (product, overflows) = limit.multipliedReportingOverflow(by: Self.factorForFullChecks)
        return try with(limit: overflows ? .max : product, body)
    }

    /// Runs a count that may fail, and takes at most a quarter of what is left of the budget, so that the rest of the
    /// command can still be done.
    func duringOptionalCount<T>(_ body: () throws -> T) rethrows -> T {
        try with(limit: min(limit, (budget?.left ?? .max) / 4), body)
    }

    private func with<T>(limit time: Int64, _ body: () throws -> T) rethrows -> T {
        limitInForce.store(time, ordering: .relaxed)
        defer { limitInForce.store(limit, ordering: .relaxed) }
        return try body()
    }

    /// The error of a query that exceeded the limit; nil when none did since `restart`.
    var error: StoreError? {
        guard isExceeded.load(ordering: .relaxed) else { return nil }
        return StoreError(.beyondLimits, "a query exceeded the time limit for an untrusted file")
    }

    /// - Parameter now: the processor time of the thread on which SQLite works.
    private func isOver(at now: Int64) -> Bool {
        let began = start.load(ordering: .relaxed)
        if began == Self.paused { return false }
        if began == 0 {
            start.store(max(now, 1), ordering: .relaxed)
            return false
        }
        let most = min(limitInForce.load(ordering: .relaxed), budget?.left ?? .max)
        guard now - began > most else { return false }
        isExceeded.store(true, ordering: .relaxed)
        return true
    }

    /// Takes from the budget what the file has taken. A query that ended before the first look costs nothing.
    private func settle() {
        guard let budget else { return }
        let began = start.load(ordering: .relaxed)
        if began > 0 { budget.spend(ThreadClock.current().now() - began) }
    }
}

/// The processor time of one thread. Other threads may read it while that thread lives.
private struct ThreadClock: Sendable {
    #if canImport(Darwin)
        private let thread: thread_act_t
    #else
        private let clock: clockid_t
    #endif

    /// The clock of the thread that calls.
    static func current() -> ThreadClock {
        #if canImport(Darwin)
            return ThreadClock(thread: pthread_mach_thread_np(pthread_self()))
        #else
            var clock = clockid_t()
            pthread_getcpuclockid(pthread_self(), &clock)
            return ThreadClock(clock: clock)
        #endif
    }

    /// The time in nanoseconds; 0 for a thread that has ended.
    func now() -> Int64 {
        #if canImport(Darwin)
            var info = thread_basic_info()
            var count = mach_msg_type_number_t(
                MemoryLayout<thread_basic_info>.size / MemoryLayout<integer_t>.size)
            let result = withUnsafeMutablePointer(to: &info) {
                $0.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    thread_info(thread, thread_flavor_t(THREAD_BASIC_INFO), $0, &count)
                }
            }
            guard result == KERN_SUCCESS else { return 0 }
            let seconds = Int64(info.user_time.seconds) + Int64(info.system_time.seconds)
            let microseconds = Int64(info.user_time.microseconds) + Int64(info.system_time.microseconds)
            return seconds * 1_000_000_000 + microseconds * 1_000
        #else
            var time = timespec()
            guard clock_gettime(clock, &time) == 0 else { return 0 }
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        #endif
    }
}

extension Duration {
    /// The duration in nanoseconds; the largest number for more than 292 years.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflows ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
