/// The kinds of fault that a campaign tries at every operation.
package enum Fault: Sendable, Hashable, CustomStringConvertible {
    case kill
    /// A kill halfway through a write; operations that are no write are left out.
    case tear
    /// The operation fails, and with `sticky` everything after it.
    case fail(errno: CInt, sticky: Bool)
    /// A write fails halfway; operations that are no write are left out.
    case failHalfway(errno: CInt)
    /// A power cut, with up to this number of images per operation, equal ones only once.
    case powerCut(variants: Int)

    package var description: String {
        switch self {
        case .kill: "kill"
        case .tear: "tear"
        case .fail(let errno, let sticky): "error \(errno)\(sticky ? " from then on" : "")"
        case .failHalfway(let errno): "error \(errno) halfway"
        case .powerCut(let variants): "power cut, up to \(variants) images"
        }
    }

    var concernsOnlyWrites: Bool {
        switch self {
        case .tear, .failHalfway: true
        case .kill, .fail, .powerCut: false
        }
    }

    func plan(at operation: Int) -> FaultPlan? {
        switch self {
        case .kill: .kill(at: operation)
        case .tear: .tear(at: operation)
        case .fail(let errno, let sticky): .fail(at: operation, errno: errno, sticky: sticky)
        case .failHalfway(let errno): .failHalfway(at: operation, errno: errno)
        case .powerCut: nil
        }
    }
}

/// The fault that the checked store has had.
package struct FaultCase: Sendable, Hashable, CustomStringConvertible {
    package var fault: Fault
    /// The number of the operation, from 1. For a power cut: the last operation done, 0 if there was none.
    package var operation: Int
    /// The same operation of the run without faults, with the path; for messages only.
    package var operationName: String
    /// Nil for a power cut.
    package var termination: Termination?
    /// The output of the process up to the fault. It contains everything that the process had promised.
    package var output: String
    /// The error output; empty for a power cut.
    package var errors: String
    /// Whether the process had ended with exit code 0.
    package var finished: Bool

    package var description: String {
        "\(fault) at operation \(operation) (\(operationName)), "
            + (termination.map { "\($0)" } ?? (finished ? "after the end" : "before the end"))
    }
}

/// The answer of a check of the folder after the fault.
package enum FaultVerdict: Sendable, Hashable {
    /// An allowed state, by name ("old", "new").
    case whole(String)
    /// A whole store without something that the process had promised.
    case lost(String)
    /// Any other state. A check that throws means this too.
    case damaged(String)
}
