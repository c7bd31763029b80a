package import ChatDBEngine

/// Which other processes have a database open, found out without opening it or anything beside it.
package struct FileHolders: Sendable, Hashable {
    /// They, by number; this process is never among them.
    package let holders: [FileHolder]
    /// How many processes could not be asked, being somebody else's. Those of them that hold a lock are among the
    /// holders all the same.
    package let unaskedProcesses: Int

    /// What is not known for that, a clause; nil when all were asked.
    package var uncertainty: String? {
        switch unaskedProcesses {
        case 0: nil
        case 1: "1 process of another user could not be asked whether it has the database open"
        case let count: "\(count) processes of other users could not be asked whether they have the database open"
        }
    }

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
