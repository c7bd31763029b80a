package import Engine

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
