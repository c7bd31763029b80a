package import Foundation

/// The fault of a run, and the number of its operation, counted from 1.
package enum FaultPlan: Sendable, Hashable {
    /// No fault; the shim counts the operations.
    case count
    /// SIGKILL before the operation.
    case kill(at: Int)
    /// SIGKILL after half of the operation, if it is a write; otherwise like `kill`.
    case tear(at: Int)
    /// The operation fails with this error, and with `sticky` every later one too.
    case fail(at: Int, errno: CInt, sticky: Bool)
    /// A write does half of its work and reports failure; any other operation is like `fail`, once.
    case failHalfway(at: Int, errno: CInt)
    /// SIGSTOP before the operation: the test can examine the folder, and then resume or kill the process.
    case stop(at: Int)
    /// No fault; the shim logs the operations with their bytes, for `OperationLog`.
    case log(to: URL)
    /// No fault; the shim logs which library opens, locks and closes which file, for `HeldFiles`.
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

/// The program under test. Its arguments and input may name its folder, which is another one in each run.
package struct FaultCommand: Sendable {
    package var executable: URL
    package var arguments: @Sendable (_ folder: URL) -> [String]
    /// Variables that are added to the environment of the test.
    package var environment: [String: String]
    /// Standard input; nothing by default.
    package var input: @Sendable (_ folder: URL) -> String
    /// The name of the program whose operations count, when the executable only starts it (a shell, `env`). Without it,
    /// those of the first process count. Those of its children never count.
    package var counted: String?
    /// The time limit in seconds; a run that takes longer is ended by SIGALRM.
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
