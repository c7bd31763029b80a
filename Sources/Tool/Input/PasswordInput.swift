import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The source of a hidden profile's password: never the command line, which other users can see.
enum PasswordInput {
    /// Far more than the length of a password.
    private static let mostBytes = 4096
    private static let read = Mutex<String?>(nil)

    /// The password on standard input, without the line's end. Read once and kept, for commands that ask twice.
    static func piped() throws -> String {
        try read.withLock { known in
            if let known { return known }
            if isatty(STDIN_FILENO) == 1 { throw PasswordError.notPiped }
            let password = try password(in: InputFile.read("-", upTo: mostBytes))
            known = password
            return password
        }
    }

    private static func password(in given: [UInt8]) throws(PasswordError) -> String {
        if given.count > mostBytes { throw .tooLong(mostBytes) }
        var bytes = given
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        return text
    }

    /// A line typed on the terminal, which does not show it. Asks again if `twice`, and throws if the two differ.
    ///
    /// Call it before opening a database. After Ctrl-C it restores the terminal.
    /// - Parameter check: called with the first line, before the second question.
    static func typed(
        _ question: String, twice: Bool = false, check: (String) throws -> Void = { _ in }
    ) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { throw PasswordError.needed }
        Signals.interruptsAskToStop()
        let password = try line(question)
        try check(password)
        if twice, try line("Again") != password { throw PasswordError.different }
        return password
    }

    /// Runs `body` while the terminal does not show what is typed, between two questions too.
    static func withoutEcho<T>(_ body: () throws -> T) throws -> T {
        Signals.interruptsAskToStop()
        guard let modes = hideTyping() else { return try body() }
        defer { show(modes) }
        return try body()
    }

    /// Stops the terminal from showing what is typed, and returns the modes that it had; nil without a terminal.
    private static func hideTyping() -> termios? {
        var modes = termios()
        guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
        var silent = modes
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        return modes
    }

    private static func show(_ modes: termios) {
        var modes = modes
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &modes)
    }

    private static func line(_ question: String) throws -> String {
        guard let modes = hideTyping() else { throw PasswordError.needed }
        defer { show(modes) }
        try StandardStreams.error(Array("\(question): ".utf8))
        let line = TerminalLine.read()
        try StandardStreams.error(Array("\n".utf8))
        try StoppedOnRequest.check()
        guard let line else { throw PasswordError.nothingTyped }
        return line
    }
}

/// A missing or unusable password.
enum PasswordError: Reportable, Equatable {
    /// There is no terminal, and standard input does not have it.
    case needed
    /// The terminal was closed.
    case nothingTyped
    /// `--password-stdin`, and standard input is a terminal.
    case notPiped
    /// The two passwords differ.
    case different
    /// It has more than this number of bytes.
    case tooLong(Int)
    /// It is not UTF-8.
    case notText

    var report: ErrorReport {
        switch self {
        case .needed:
            ErrorReport(
                "passwordNeeded", "a password is required, and there is no terminal to type it on",
                state: "Nothing was done.", hint: "give it on standard input with --password-stdin", exit: .usage)
        case .nothingTyped:
            ErrorReport(
                "passwordNeeded", "a password is required, and none was typed", state: "Nothing was done.", exit: .usage
            )
        case .notPiped:
            ErrorReport(
                "passwordNeeded", "--password-stdin takes the password from a program or a file, not from a terminal",
                state: "Nothing was done.", hint: "printf %s \"$PASSWORD\" | chatdb … --password-stdin", exit: .usage)
        case .different:
            ErrorReport(
                "passwordsDiffer", "the two passwords are not the same", state: "Nothing was done.", exit: .no)
        case .tooLong(let most):
            ErrorReport(
                "invalidPassword", "the password is too long; expected at most \(most) bytes",
                state: "Nothing was done.", exit: .invalidData)
        case .notText:
            ErrorReport(
                "invalidPassword", "the password is not valid UTF-8", state: "Nothing was done.", exit: .invalidData)
        }
    }
}
