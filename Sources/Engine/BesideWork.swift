import ChatDBPOSIX
package import Foundation
import Synchronization

/// Work on a thread of its own, beside that of the caller.
///
/// Swift's pool has few threads, and the work blocks: it reads files.
package final class BesideWork<Outcome: Sendable>: Sendable {
    private let body: Mutex<(@Sendable () throws -> Outcome)?>
    private let outcome = Mutex<Result<Outcome, any Error>?>(nil)
    private let end = DispatchGroup()

    /// Begins the work.
    package init(_ body: @escaping @Sendable () throws -> Outcome) {
        self.body = Mutex(body)
        end.enter()
        Thread.detachWithoutSignals { [self] in
            run()
            end.leave()
        }
    }

    /// Releases what the work holds, such as a private copy of a store, before the caller gets the result. The process
    /// may end right after that.
    private func run() {
        guard let body = self.body.withLock({ $0.take() }) else { return }
        let result = Result(catching: body)
        outcome.withLock { $0 = result }
    }

    package var hasEnded: Bool { outcome.withLock { $0 != nil } }

    /// Waits for the end of the work. Returns what it returned, or throws its error.
    package func wait() throws -> Outcome {
        end.wait()
        guard let result = outcome.withLock({ $0 }) else { throw StoreError(.other, "the work has no result") }
        return try result.get()
    }
}

extension Thread {
    /// Starts a thread that takes no signals: they are for the program's own threads. A thread inherits the signal mask
    /// of the thread that starts it.
    package static func detachWithoutSignals(_ body: @escaping @Sendable () -> Void) {
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, &before)
        Thread.detachNewThread(body)
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
