/// A process that has a file open.
public struct FileHolder: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of the process.
    public let pid: Int32
    /// The name of its program as the system has it, cut at 15 bytes; empty when it could not be read.
    /// It is not ours: escape it before printing.
    public let program: String

    /// A process by number and name.
    public init(pid: Int32, program: String) {
        self.pid = pid
        self.program = program
    }

    /// `sqlite3 (4711)`, or `process 4711`.
    public var description: String { program.isEmpty ? "process \(pid)" : "\(program) (\(pid))" }

    /// By number.
    public static func < (left: FileHolder, right: FileHolder) -> Bool {
        (left.pid, left.program) < (right.pid, right.program)
    }
}
