/// How a process ended.
package enum Termination: Sendable, Hashable, CustomStringConvertible {
    case exit(CInt)
    case signal(CInt)

    package var description: String {
        switch self {
        case .exit(let code): "exit \(code)"
        case .signal(let number): "signal \(number)"
        }
    }
}

package struct FaultOutcome: Sendable, Hashable {
    package var termination: Termination
    package var output: String
    package var errors: String
    /// The operations begun: where the process was killed before operation n, n.
    package var operations: Int
    /// Changes that the shim saw but could not count, with the path; none is empty.
    package var unseen: [String]
}
