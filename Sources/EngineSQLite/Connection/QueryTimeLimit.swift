import ChatDBEngine
import GRDB
import GRDBSQLite
import Synchronization

/// How long a hardened connection lets a file keep SQLite busy, from one row of an answer to the next. Time of the
/// processor is counted, so that a slow disk or a busy machine makes nothing fail that would come to an end.
///
/// SQLite is asked by its progress handler, and where it never comes to ask, from outside: `Watch`.
final class Patience: Sendable {
    /// Instructions of SQLite's virtual machine between two looks at the clock: some tenths of a millisecond.
    private static let instructions: CInt = 20_000
    /// A full check reads everything more than once: it may take so many times as long.
    private static let factorForChecks: Int64 = 60
    /// What a byte of the file adds to the limit, in nanoseconds: a second for 100 MB.
    private static let timeForBytes: Int64 = 10
    private static let resting: Int64 = -1

    /// How much processor time, in nanoseconds.
    private let limit: Int64
    /// What is left for everything; nil for as much as it takes.
    private let budget: ReadingBudget?
    /// What is granted at present.
    private let granted: Atomic<Int64>
    /// The thread's processor time at the first look, 0 before it, and `resting` while SQLite is not at work.
    private let began = Atomic<Int64>(0)
    private let hasEnded = Atomic<Bool>(false)

    /// - Parameters:
    ///   - limit: how much processor time; more than 292 years is for ever.
    ///   - bytes: the size of the file: a larger one may take a little longer.
    ///   - budget: what this and others may take together.
    init(_ limit: Duration, bytes: Int64 = 0, budget: ReadingBudget? = nil) {
        let (sum, isTooMuch) = limit.nanoseconds.addingReportingOverflow(
            bytes.multipliedReportingOverflow(by: Self.timeForBytes).partialValue)
        self.limit = isTooMuch ? .max : sum
        self.budget = budget
        granted = Atomic(self.limit)
    }

    /// Has SQLite ask now and then. This object must outlive the connection.
    func install(on database: Database) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            database.sqliteConnection, Self.instructions,
            { context in
                guard let context else { return 1 }
                let patience = Unmanaged<Patience>.fromOpaque(context).takeUnretainedValue()
                return patience.isOver(at: ThreadClock.current().now()) ? 1 : 0
            }, context)
    }

    /// Runs `body`, in which SQLite is at work on this thread, and stops it from outside where it does not ask.
    func whileWatching<T>(_ database: Database, _ body: () throws -> T) rethrows -> T {
        let clock = ThreadClock.current()
        begin()
        defer { rest() }
        return try Watch.shared.over(database, { self.isOver(at: clock.now()) }, body)
    }

    /// Something new begins: the whole time is granted again.
    func begin() {
        settle()
        began.store(0, ordering: .relaxed)
        hasEnded.store(false, ordering: .relaxed)
    }

    /// SQLite is not at work: what the caller does meanwhile is not held against the file.
    func rest() {
        settle()
        began.store(Self.resting, ordering: .relaxed)
    }

    /// Runs a full check of the file.
    func whileChecking<T>(_ body: () throws -> T) rethrows -> T {
        let (product, isTooMuch) = limit.multipliedReportingOverflow(by: Self.factorForChecks)
        return try granting(isTooMuch ? .max : product, body)
    }

    /// Runs what something else is not to suffer for: it may take a part of what is left.
    func whileCounting<T>(_ body: () throws -> T) rethrows -> T {
        try granting(min(limit, (budget?.left ?? .max) / 4), body)
    }

    private func granting<T>(_ time: Int64, _ body: () throws -> T) rethrows -> T {
        granted.store(time, ordering: .relaxed)
        defer { granted.store(limit, ordering: .relaxed) }
        return try body()
    }

    /// The error of a statement that was stopped for this; nil when it was not.
    var error: StoreError? {
        guard hasEnded.load(ordering: .relaxed) else { return nil }
        return StoreError(.beyondLimits, "a query took longer than a file from elsewhere is given")
    }

    /// - Parameter now: the processor time of the thread on which SQLite is at work.
    private func isOver(at now: Int64) -> Bool {
        let start = began.load(ordering: .relaxed)
        if start == Self.resting { return false }
        if start == 0 {
            began.store(max(now, 1), ordering: .relaxed)
            return false
        }
        let most = min(granted.load(ordering: .relaxed), budget?.left ?? .max)
        guard now - start > most else { return false }
        hasEnded.store(true, ordering: .relaxed)
        return true
    }

    /// Takes from the budget what the file has taken. What was over before the first look costs nothing.
    private func settle() {
        guard let budget else { return }
        let start = began.load(ordering: .relaxed)
        if start > 0 { budget.spend(ThreadClock.current().now() - start) }
    }
}

/// The processor time that everything a command asks of files from elsewhere may take together.
final class ReadingBudget: Sendable {
    private let nanoseconds: Atomic<Int64>

    init(_ time: Duration) { nanoseconds = Atomic(time.nanoseconds) }

    /// In nanoseconds; nothing is 0.
    var left: Int64 { max(0, nanoseconds.load(ordering: .relaxed)) }

    func spend(_ time: Int64) { nanoseconds.subtract(max(0, time), ordering: .relaxed) }
}

extension Duration {
    /// As many as there are; more than 292 years of them is for ever.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, isTooMuch) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooMuch ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
