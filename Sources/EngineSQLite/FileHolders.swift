/// A process that has a file open.
package struct FileHolder: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number of the process.
    package let pid: Int32
    /// The name of its program as the system has it, cut at 15 bytes; empty when it could not be read.
    /// It is not ours: escape it before printing.
    package let program: String

    /// `sqlite3 (4711)`, or `process 4711`.
    package var description: String { program.isEmpty ? "process \(pid)" : "\(program) (\(pid))" }

    /// By number.
    package static func < (left: FileHolder, right: FileHolder) -> Bool {
        (left.pid, left.program) < (right.pid, right.program)
    }
}

/// Which other processes have a database open, found out without opening it or anything beside it.
package struct FileHolders: Sendable, Hashable {
    /// They, by number; this process is never among them.
    package let holders: [FileHolder]
    /// How many processes could not be asked, being somebody else's. Those of them that hold a lock are among the
    /// holders all the same.
    package let unaskedProcesses: Int

    /// The holders of a database and of its `-wal`, `-shm` and `-journal`. None of the files need be there.
    ///
    /// Nothing, that is: unknown, where there is no `/proc` (macOS, some containers).
    package static func of(databaseAt path: String) -> FileHolders? {
        #if os(Linux)
            return ProcessFiles.holders(of: FileIdentity.all(ofDatabaseAt: path))
        #else
            return nil
        #endif
    }
}
