/// The kinds of fault that a campaign tries at every operation.
package enum Fault: Sendable, Hashable, CustomStringConvertible {
    case kill
    /// Killed halfway through a write; operations that are no write are left out.
    case tear
    /// The operation fails, and with `sticky` everything after it.
    case fail(errno: CInt, sticky: Bool)
    /// A write fails halfway; operations that are no write are left out.
    case failHalfway(errno: CInt)
    /// Up to this many images per operation, those alike only once.
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

/// What happened to the store that a check looks at.
package struct FaultCase: Sendable, Hashable, CustomStringConvertible {
    package var fault: Fault
    /// From 1. Of a power cut: the last operation done, 0 if none was.
    package var operation: Int
    /// What that operation was in the run without faults, with the path; for messages only.
    package var operationName: String
    /// nil for a power cut.
    package var termination: Termination?
    /// What the process had printed by then: all that it can have promised.
    package var output: String
    /// Empty for a power cut.
    package var errors: String
    /// The process had come to its end, with exit code 0.
    package var finished: Bool

    package var description: String {
        "\(fault) at operation \(operation) (\(operationName)), "
            + (termination.map { "\($0)" } ?? (finished ? "after the end" : "before the end"))
    }
}

/// What a check says about the folder after the fault.
package enum FaultVerdict: Sendable, Hashable {
    /// An allowed state, by name ("old", "new").
    case whole(String)
    /// Whole, but something the process had promised is not there.
    case lost(String)
    /// Anything else. A check that throws means this too.
    case damaged(String)
}
