#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The standard streams of the tool, and its terminal.
struct Terminal: Sendable, Hashable {
    var inputIsTerminal = false
    var outputIsTerminal = false
    var errorIsTerminal = false
    /// Columns; 80 when they are unknown.
    var width = 80
    /// Whether the terminal supports no escape sequences.
    var isDumb = false
    var refusesColour = false

    static let widths = 20...1000

    /// The streams and the terminal of this process.
    static var current: Terminal {
        let environment = ProcessEnvironment.variables
        return Terminal(
            inputIsTerminal: isatty(STDIN_FILENO) == 1,
            outputIsTerminal: isatty(STDOUT_FILENO) == 1,
            errorIsTerminal: isatty(STDERR_FILENO) == 1,
            width: width(reported: reportedWidth(), environment: environment),
            isDumb: environment["TERM"] == "dumb",
            refusesColour: environment["NO_COLOR"].map { !$0.isEmpty } ?? false)
    }

    /// The width that the terminal reports, else `COLUMNS`, else 80, within bounds.
    static func width(reported: Int?, environment: [String: String]) -> Int {
        let known = [reported, environment["COLUMNS"].flatMap(Int.init)].compactMap { $0 }.first { $0 > 0 }
        return min(max(known ?? 80, widths.lowerBound), widths.upperBound)
    }

    private static func reportedWidth() -> Int? {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 { return Int(size.ws_col) }
        }
        return nil
    }

    /// Whether a stream gets colours. An explicit option overrides `NO_COLOR` (no-color.org).
    func usesColour(_ choice: ColorChoice, on streamIsTerminal: Bool) -> Bool {
        switch choice {
        case .always: true
        case .never: false
        case .auto: streamIsTerminal && !refusesColour && !isDumb
        }
    }
}

/// The environment of this process, read once: every access to `ProcessInfo` copies all of it.
enum ProcessEnvironment {
    static let variables = ProcessInfo.processInfo.environment

    /// The home folder, as the shell has it: that of `HOME`, else the one that the system knows for the user.
    static var home: String {
        variables["HOME"].flatMap { $0.isEmpty ? nil : $0 } ?? FileManager.default.homeDirectoryForCurrentUser.path
    }
}
