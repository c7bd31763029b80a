import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A terminal that a test reads and types on.
final class TestTerminal {
    /// The terminal's device, for a process.
    let device: FileHandle
    private let master: CInt
    /// Bytes, because a character or the end of a line may come in two parts.
    private var unread: [UInt8] = []

    /// A terminal of this width that does not show typed text, so that a test does not take it for output.
    init(columns: UInt16 = 80) throws {
        // `posix_openpt` by another name: the module of the C library leaves it out.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard master >= 0, let name = Self.deviceName(of: master) else { throw NoTerminal() }
        let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard slave >= 0 else { throw NoTerminal() }
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        var modes = termios()
        tcgetattr(slave, &modes)
        modes.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(slave, TCSANOW, &modes)
        device = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    deinit { close(master) }

    struct NoTerminal: Error {}

    /// The terminal did not show the expected text, and showed this instead.
    struct NotShown: Error, CustomStringConvertible {
        let text: String
        let shown: String
        var description: String { "\"\(text)\" was not shown, but: \(shown)" }
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(master, bytes, bytes.count)
    }

    /// Everything the terminal shows up to and with a text. What follows the text is read next.
    func read(until text: String) throws -> String {
        while true {
            let shown = shown
            if let range = shown.firstRange(of: text) {
                unread = Array(shown[range.upperBound...].utf8)
                return String(shown[..<range.upperBound])
            }
            guard readMore() else { throw NotShown(text: text, shown: shown) }
        }
    }

    /// Everything it shows until no process has it open.
    func readToEnd() -> String {
        while readMore() {}
        defer { unread = [] }
        return shown
    }

    private var shown: String { String(decoding: unread, as: UTF8.self).replacing("\r\n", with: "\n") }

    /// False at the end, and when nothing comes for ten minutes: on a busy machine a process may wait for its turn.
    private func readMore() -> Bool {
        var input = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        var ready: CInt
        repeat { ready = poll(&input, 1, 600_000) } while ready < 0 && errno == EINTR
        guard ready > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var count: Int
        repeat { count = Foundation.read(master, &buffer, buffer.count) } while count < 0 && errno == EINTR
        guard count > 0 else { return false }
        unread += buffer[..<count]
        return true
    }

    #if canImport(Glibc)
        /// Replaces `unlockpt` and `ptsname`, which the module of the C library omits.
        private static func deviceName(of master: CInt) -> String? {
            let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
            var locked: CInt = 0
            var number: CInt = 0
            guard ioctl(master, setLock, &locked) == 0, ioctl(master, getNumber, &number) == 0 else { return nil }
            return "/dev/pts/\(number)"
        }
    #else
        private static func deviceName(of master: CInt) -> String? {
            guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { return nil }
            return String(cString: name)
        }
    #endif
}
