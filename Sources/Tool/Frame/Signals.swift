import Engine
import EngineSQLite
import Foundation

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
    }

    /// From here on Ctrl-C asks the work to stop, instead of ending the process at once. Called before there are other
    /// threads, which inherit that they are not interrupted.
    static func interruptsAskToStop() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread { [signals] in
            var waited = signals
            var received: CInt = 0
            if sigwait(&waited, &received) == 0 { cancellation.request() }
        }
    }
}
