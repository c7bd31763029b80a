import ChatDBKit
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A line typed on the terminal. Ctrl-C only requests a stop here, and a plain read would go on waiting, so that the
/// key would seem to have no effect.
enum TerminalLine {
    private static let pause: CInt = 100

    /// The line; nil at the end of input, or after Ctrl-C.
    static func read() -> String? {
        var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
        while !Signals.cancellation.isRequested {
            let count = poll(&input, 1, pause)
            if count > 0 || (count < 0 && errno != EINTR) { return readLine() }
        }
        return nil
    }
}
