package import Foundation

/// What happens to the process at which of its operations, counted from 1.
package enum FaultPlan: Sendable, Hashable {
    /// Nothing; the operations are counted.
    case count
    /// SIGKILL before the operation.
    case kill(at: Int)
    /// SIGKILL after half of the operation, if it is a write; else as `kill`.
    case tear(at: Int)
    /// The operation fails with this error, and with `sticky` every later one too.
    case fail(at: Int, errno: CInt, sticky: Bool)
    /// Half of the write is done and reported as failed; anything but a write as `fail`, once.
    case failHalfway(at: Int, errno: CInt)
    /// SIGSTOP before the operation: the test may look at the folder in peace and then resume or kill.
    case stop(at: Int)
    /// Nothing; the operations are logged with their bytes, for `OperationLog`.
    case log(to: URL)
    /// No fault; the log has who opens, locks and closes which file, for `HeldFiles`.
    case watch(to: URL)

    var environment: [String: String] {
        switch self {
        case .count: [:]
        case .kill(let number): ["CF_KILL_AT": "\(number)"]
        case .tear(let number): ["CF_KILL_AT": "\(number)", "CF_TEAR": "1"]
        case .fail(let number, let errno, let sticky):
            ["CF_FAIL_AT": "\(number)", "CF_ERRNO": "\(errno)", "CF_FAIL_STICKY": sticky ? "1" : "0"]
        case .failHalfway(let number, let errno):
            ["CF_FAIL_AT": "\(number)", "CF_ERRNO": "\(errno)", "CF_TEAR": "1"]
        case .stop(let number): ["CF_STOP_AT": "\(number)"]
        case .log(let url): ["CF_LOG": url.path]
        case .watch(let url): ["CF_HELD": url.path]
        }
    }
}

/// The program under test. Its arguments and input may name the folder it works in, which differs from run to run.
package struct FaultCommand: Sendable {
    package var executable: URL
    package var arguments: @Sendable (_ folder: URL) -> [String]
    /// Added to the environment of the test.
    package var environment: [String: String]
    /// Standard input; nothing by default.
    package var input: @Sendable (_ folder: URL) -> String
    /// The name of the program to count when the executable only starts it (a shell, `env`); else the first
    /// process counts. Children of the counted process never do.
    package var counted: String?
    /// A run that takes longer ends by SIGALRM.
    package var seconds: Int

    package init(
        _ executable: URL, environment: [String: String] = [:], counted: String? = nil, seconds: Int = 600,
        input: @escaping @Sendable (URL) -> String = { _ in "" }, arguments: @escaping @Sendable (URL) -> [String]
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.input = input
        self.counted = counted
        self.seconds = seconds
    }
}
