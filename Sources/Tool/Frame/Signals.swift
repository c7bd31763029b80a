import ChatDBKit
import Foundation
import Synchronization

/// What a program decides about its process, and a library must not.
enum Signals {
    /// Stops the work at hand, wherever it can stop whole.
    static let cancellation = Cancellation()

    /// Called once, before anything else.
    static func prepare() {
        // A reader that went away, or a file size limit, is an error of a write and not the end of the process: a
        // transaction has to be ended in order.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        SQLiteEngine.limitMemory(toBytes: 512 << 20)
        LockedFolder.beforeFirst { waitForEnd() }
    }

    /// From here on Ctrl-C asks the work to stop, instead of ending the process at once. Called before there are other
    /// threads, which inherit that they are not interrupted.
    static func interruptsAskToStop() {
        asksToStop.store(true, ordering: .sequentiallyConsistent)
        waitForEnd()
    }

    private static let asksToStop = Atomic<Bool>(false)
    private static let isWaiting = Atomic<Bool>(false)

    /// Starts a thread that waits for the signals that end the process. It first removes private copies of stores.
    private static func waitForEnd() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard !isWaiting.exchange(true, ordering: .sequentiallyConsistent) else { return }
        Thread.detachNewThread { [signals] in
            var waited = signals
            var received: CInt = 0
            while sigwait(&waited, &received) == 0 {
                if received != SIGHUP, asksToStop.load(ordering: .sequentiallyConsistent) {
                    cancellation.request()
                } else {
                    LockedFolder.removeAll()
                    // The signal's usual effect.
                    signal(received, SIG_DFL)
                    pthread_sigmask(SIG_UNBLOCK, &waited, nil)
                    kill(getpid(), received)
                }
            }
        }
    }
}

/// Ctrl-C at a question: no answer, but the end.
struct StoppedOnRequest: Reportable {
    /// Throws when the user has asked to stop.
    static func check() throws {
        if Signals.cancellation.isRequested { throw StoppedOnRequest() }
    }

    var report: ErrorReport {
        ErrorReport("interrupted", "stopped on request", state: "Nothing was done.", exit: .interrupted)
    }
}
