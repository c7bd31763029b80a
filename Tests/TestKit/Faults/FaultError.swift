/// Errors of the harness itself. Its findings about the program under test are `FaultVerdict`s.
package enum FaultError: Error, Hashable, CustomStringConvertible {
    /// The system is not Linux: no library can be preloaded.
    case unsupportedPlatform
    case shimNotBuilt(_ reason: String)
    case cannotStart(program: String, reason: String)
    case cannotRead(path: String, reason: String)
    /// The log is incomplete, or is not a log.
    case brokenLog(reason: String)
    /// The log names files that the folder did not have: it is not of a run in this folder.
    case logDoesNotFit(operation: Int, path: String)
    /// The program changed files in ways that cannot be counted, so results would mean nothing.
    case unseen([String])
    /// The program fails without any fault.
    case referenceFailed(String)

    package var description: String {
        switch self {
        case .unsupportedPlatform:
            "run faults: the shim works on Linux only"
        case .shimNotBuilt(let reason):
            "compile the fault shim: \(reason)"
        case .cannotStart(let program, let reason):
            "start \(program): \(reason)"
        case .cannotRead(let path, let reason):
            "read \(path): \(reason)"
        case .brokenLog(let reason):
            "read the log of operations: \(reason)"
        case .logDoesNotFit(let operation, let path):
            "replay operation \(operation) on \(path): the folder did not hold that file; "
                + "start from the content the folder had before the logged run"
        case .unseen(let notes):
            "count the program's operations: it also changes files unseen: \(notes.joined(separator: "; "))"
        case .referenceFailed(let reason):
            "run the program without a fault: \(reason)"
        }
    }
}
