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

    /// The same for several databases. All together are asked about first: nearly always nobody has any of them open,
    /// and looking through every process takes longer than all else a command does.
    package static func of(databasesAt paths: [String]) -> [FileHolders?] {
        #if os(Linux)
            let files = paths.map { FileIdentity.all(ofDatabaseAt: $0) }
            let all = ProcessFiles.holders(of: files.reduce(into: []) { $0.formUnion($1) })
            return files.map { all?.holders.isEmpty == true ? all : ProcessFiles.holders(of: $0) }
        #else
            return paths.map { _ in nil }
        #endif
    }
}
