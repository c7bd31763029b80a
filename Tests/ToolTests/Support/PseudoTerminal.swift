import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// A terminal that is a program.
final class PseudoTerminal {
    let device: FileHandle
    private let master: CInt

    init(columns: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard let name = Self.deviceName(of: master) else {
            throw ToolRun.Failure(text: "no pseudo-terminal")
        }
        let slave = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
        var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        // What is typed is not shown, so that it is not taken for output.
        var modes = termios()
        tcgetattr(slave, &modes)
        modes.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(slave, TCSANOW, &modes)
        device = FileHandle(fileDescriptor: slave, closeOnDealloc: true)
    }

    deinit { close(master) }

    #if canImport(Glibc)
        /// What `unlockpt` and `ptsname` do, which the module of the C library leaves out.
        private static func deviceName(of master: CInt) -> String? {
            let setLock: UInt = 0x4004_5431
            let getNumber: UInt = 0x8004_5430
            var unlocked: CInt = 0
            var number: CInt = 0
            guard ioctl(master, setLock, &unlocked) == 0, ioctl(master, getNumber, &number) == 0 else { return nil }
            return "/dev/pts/\(number)"
        }
    #else
        private static func deviceName(of master: CInt) -> String? {
            guard grantpt(master) == 0, unlockpt(master) == 0, let name = ptsname(master) else { return nil }
            return String(cString: name)
        }
    #endif

    /// Types and reads until the program has closed the terminal.
    func converse(typing input: String) throws -> String {
        try device.close()
        let bytes = Array(input.utf8)
        if !bytes.isEmpty { _ = write(master, bytes, bytes.count) }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(master, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            if count <= 0 { break }
            output += buffer[..<count]
        }
        return String(decoding: output, as: UTF8.self).replacing("\r\n", with: "\n")
    }
}
